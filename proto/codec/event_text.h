// Event text: a command as the line of a floor script that says it (DESIGN.md section 6); what
// parse_script_line() reads. For what a dealer panel says on the device line.
#pragma once

#include <string>
#include <string_view>

#include "meters/facts/table_command.h"

namespace linkmeter {

// "close".
std::string_view event_name(const TableCommand& command);
const RoundId& round_of(const TableCommand& command);
// REQUIRES: names and reasons of printing ASCII without quotation marks or backslashes; whole
// cents.
std::string event_text(const TableCommand& command);

}  // namespace linkmeter
