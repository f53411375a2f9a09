// Payout limit reader: reads the largest amount that a house pays one seat in one round, if the
// chapter allows such a limit. The limit is at least the chapter's amount, and at least what one
// player could win in a round with the smallest wagers that the table takes.
#pragma once

#include <vector>

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// REQUIRES: the options of `terms` are read.
void read_payout_limit(TomlTable& table, const WagerRules& wager, LinkConfig& terms);

// Validates the payout limits of a floor against what its tables let a player win. `tables` are the
// [[link]]s, by link index. REQUIRES: all links are read.
void check_payout_limits(std::vector<TomlTable>& tables, const Floor& floor,
                         const FloorRules& rules);

}  // namespace linkmeter
