// Pot table: what a [[link]] of pot contributions says of them: how much each pot gives, which
// losing hand qualifies, how an award is split. The chapter fixes none of it (§ 553.20(a), (b)).
#pragma once

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// What was wrong is among the violations of `table`; the answer is then incomplete.
PotConfig read_pot(TomlTable& table, const WagerRules& wager);

}  // namespace linkmeter
