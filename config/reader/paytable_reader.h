// Paytable reader: reads a [[wager.paytable]] of a catalogue file into Paytable.
//
// Laws: each line, level, bonus and Envy hand occurs once. A line pays "N for 1", "N to 1" or "P%
// of LEVEL" of a level of the paytable. Every level can be won in full, whatever options the house
// offers. An Envy hand is a line of the paytable, and no receiver's wager has two Envy amounts for
// it. A line or a bonus depends on an option only if the wager lists the option.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/game/game_rules.h"

namespace linkmeter {

// Reports violations through `table`; if there are any, the result is incomplete. REQUIRES:
// wager.decided_by and wager.options are read.
Paytable read_paytable(TomlTable& table, const WagerRules& wager);

}  // namespace linkmeter
