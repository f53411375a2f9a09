// Floor script: what a table does, one JSON event a line (DESIGN section 6) -> commands of the
// agent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "meters/command.h"

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

// Strict about types and known events; unknown keys are refused by name, so that a typing error
// cannot lose a wager.
std::variant<ScriptEvent, ScriptError> parse_script_line(std::string_view line);

}  // namespace linkmeter
