// State snapshot: what a running controller gives to people without access to its data folder.
#pragma once

#include <string>

#include "controller/store/journal.h"
#include "proto/codec/snapshot_codec.h"

namespace linkmeter {

// The stored state at one moment, without secrets, with the controller's public key. Safe on any
// thread. Throws Fault.
Snapshot snapshot_of(const Journal& journal, const std::string& controller_key);

}  // namespace linkmeter
