// House terms: the part of a floor file's [house] that says what every claim needs
// (meters/floor/payout_policy.h):
//     second_signature = [{ from = "1200.00", roles = ["table_games_manager"] }]
//     taxable = [{ since = "2026-01-01", amount = "2000.00", ratio = 300 }]
// Both rise, step by step. A day begins at midnight at the house's place, as this system's tz
// database has it; what a journal holds is that moment.
#pragma once

#include <string>

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// `timezone`: the house's. What is wrong goes to the table's violations.
void read_house_terms(TomlTable& house, const std::string& timezone, Floor& floor);

}  // namespace linkmeter
