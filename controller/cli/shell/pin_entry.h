// PIN entry: reads a PIN from the environment, else from the terminal without echo, else from a
// line of standard input. Never from an argument: other users can see arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter::cli {

// The PIN of the person who runs the command: $LINKMETER_PIN. Throws Fault if no PIN is given.
std::string read_pin(const Badge& by);
// The PIN of a witness: $LINKMETER_WITNESS_PIN, else as read_pin(), after it. Throws Fault if there
// is none.
std::string read_witness_pin(const Badge& witness);
// A PIN to set: $LINKMETER_NEW_PIN, well-formed. nullopt: none was given. Throws Fault if it is not
// well-formed. REQUIRES: after read_pin(), which reads the first line of standard input.
std::optional<std::string> read_new_pin(const Badge& whose);
// This many recovery codes: $LINKMETER_RECOVERY_CODES, else as a PIN. Throws Fault if there are
// more or fewer.
std::vector<std::string> read_recovery_codes(std::size_t needed);

}  // namespace linkmeter::cli
