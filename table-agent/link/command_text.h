// Command words: what a table said, as people are told of it: "lock r3: seat 2,
// crazy-4/five-card $5.00".
#pragma once

#include <string>

#include "meters/facts/table_command.h"

namespace linkmeter {

std::string command_words(const TableCommand& command);

}  // namespace linkmeter
