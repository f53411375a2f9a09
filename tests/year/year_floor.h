// Year floor: a big house as its floor file says it: tables of five games, with links of their own
// where the chapter lets nobody share, two links of all Crazy 4 tables, and a room of poker.
#pragma once

#include <string>

namespace linkmeter {

// REQUIRES: at least 10 tables.
std::string year_floor_text(int tables);

}  // namespace linkmeter
