// Paytable table: a [[wager.paytable]] of a catalogue file -> Paytable.
//
// Laws: each line, level, bonus and envy hand stands once; a line pays "N for 1", "N to 1" or "P%
// of LEVEL" of a level that the paytable has; every level can be won whole, whatever the house
// offers; an envy hand is a line of the paytable, and no receiver's wager has two envies for it; a
// line or a bonus hangs on an option only if the wager lists it.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/game/game_rules.h"

namespace linkmeter {

// What was wrong is among the violations of `table`; the answer is then incomplete. REQUIRES:
// wager.decided_by and wager.options are read.
Paytable read_paytable(TomlTable& table, const WagerRules& wager);

}  // namespace linkmeter
