// Wager table: a [[wager]] of a catalogue file -> WagerRules.
//
// Laws: what goes together stands together. A pot's wager is decided by the pot and split; a hand
// that is weighed against the dealer's is decided by both hands; a meter is shared by those who win
// it together and by nobody else; an option is used by the wager that lists it, and a line or bonus
// is offered by an option only if the wager lists it; every hand that [cards] lets through can be
// looked at.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/game/game_rules.h"

namespace linkmeter {

// What was wrong is among the violations of `table`; the answer is then incomplete. REQUIRES: the
// cards of `game` are read.
WagerRules read_wager_table(TomlTable& table, const GameRules& game);

}  // namespace linkmeter
