// State snapshot: what a running controller gives to people who may not read its data folder.
#pragma once

#include <string>

#include "controller/store/lmdb_journal.h"
#include "proto/codec/snapshot_codec.h"

namespace linkmeter {

// As it is stored at one moment, without secrets; with the controller's public key. May be called
// on any thread. Throws Fault.
Snapshot snapshot_of(const LmdbJournal& journal, const std::string& controller_key);

}  // namespace linkmeter
