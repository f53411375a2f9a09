// Payment policy reader: reads the keys of [house] that state the requirements of every claim
// (meters/floor/payment_policy.h):
//     second_signature = [{ from = "1200.00", roles = ["table_games_manager"] }]
//     taxable = [{ since = "2026-01-01", amount = "2000.00", ratio = 300 }]
// Both lists must be in ascending order. A day begins at local midnight of the house, by this
// system's tz database; the journal stores the resulting moment.
#pragma once

#include <string>

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// `timezone`: the house's. Violations are reported through the table.
void read_payment_policy(TomlTable& house, const std::string& timezone, Floor& floor);

}  // namespace linkmeter
