// PIN entry: how a person gives the tool a PIN: in the environment, else typed without echo on a
// terminal, else as a line of standard input. Never as an argument, which everybody can see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter::cli {

// The PIN of who asks: $LINKMETER_PIN. Throws Fault where there is none.
std::string read_pin(const Badge& by);
// The PIN of somebody who was there: $LINKMETER_WITNESS_PIN, else as read_pin() after it. Throws
// Fault where there is none.
std::string read_witness_pin(const Badge& witness);
// A PIN to be set: $LINKMETER_NEW_PIN, well-formed. Nothing: none was given. Throws Fault if it is
// not well-formed. REQUIRES: after read_pin(), whose line of standard input is the first.
std::optional<std::string> read_new_pin(const Badge& whose);
// As many recovery codes as are needed: $LINKMETER_RECOVERY_CODES, else as a PIN. Throws Fault
// where there are more or fewer.
std::vector<std::string> read_recovery_codes(std::size_t needed);

}  // namespace linkmeter::cli
