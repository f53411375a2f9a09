// Command text: a table's command as text for people: "lock r3: seat 2, crazy-4/five-card $5.00".
#pragma once

#include <string>

#include "meters/facts/table_command.h"

namespace linkmeter {

std::string command_text(const TableCommand& command);

}  // namespace linkmeter
