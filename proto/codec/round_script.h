// Floor script: the events of a table, one JSON object per line -> commands of the agent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "meters/facts/table_command.h"

namespace linkmeter {

// {"event":"wait","ms":100}
struct Wait {
  std::uint32_t milliseconds = 0;
};

using ScriptEvent = std::variant<TableCommand, Wait>;

// The error in a line, as a sentence without file and line number; the caller adds those.
struct ScriptError {
  std::string message;
};

// Strict about form: invalid JSON, an unknown event, an unknown key or a wrong type is an error, so
// that a typing error cannot lose a wager. The controller checks the values: every value that a
// message can hold is sent, and refused there by name without ending the script. So amounts may be
// negative or finer than a cent, except for a pot and what it paid, which are in whole cents. A
// seat or a chip count beyond its type is clamped; a drawn seat below 0 becomes 255, because 0 is
// the dealer's position. "dealer":[] states that the dealer has no hand; without the key the
// message does not mention it. Every object may have "by" and "note".
std::variant<ScriptEvent, ScriptError> parse_script_line(std::string_view line);

// Event text: a command as a line of a floor script, which
// parse_script_line() reads. A dealer panel on the device line uses it.

// "close".
std::string_view event_name(const TableCommand& command);
const RoundId& round_of(const TableCommand& command);
// REQUIRES: names and reasons of printing ASCII without quotation marks or backslashes; whole
// cents.
std::string event_text(const TableCommand& command);

}  // namespace linkmeter
