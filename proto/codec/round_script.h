// Floor script: what a table does, one JSON event a line -> commands of the
// agent.
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

// What is wrong with a line, as a sentence without file and line number (the reader adds those).
struct ScriptError {
  std::string message;
};

// Strict about shapes: what is no JSON, an unknown event, an unknown key or a wrong type is an
// error, so that a typing error cannot lose a wager. Values are the controller's business: what a
// message can say is said, and refused there by name, without ending the script. So amounts may be
// negative or finer than a cent (a pot and what it paid are told in whole cents, though), and a
// seat or a chip count beyond its type is told as the nearest one. (A drawn seat below 0 is told as
// 255: 0 is the dealer's position, and may be drawn.) "dealer":[] says that the dealer has no hand;
// without the key the message says nothing of it. "by" and "note" may stand in every object.
std::variant<ScriptEvent, ScriptError> parse_script_line(std::string_view line);

// Event text: a command as the line of a floor script that says it (DESIGN.md section 6); what
// parse_script_line() reads. For what a dealer panel says on the device line.

// "close".
std::string_view event_name(const TableCommand& command);
const RoundId& round_of(const TableCommand& command);
// REQUIRES: names and reasons of printing ASCII without quotation marks or backslashes; whole
// cents.
std::string event_text(const TableCommand& command);

}  // namespace linkmeter
