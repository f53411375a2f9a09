// The floor file of a large house: tables of five games, with their own links where the chapter
// forbids sharing, two links of all Crazy 4 tables, and a poker room.
#pragma once

#include <string>

namespace linkmeter {

// REQUIRES: at least 10 tables.
std::string year_floor_text(int tables);

}  // namespace linkmeter
