// Wager reader: reads a [[wager]] of a catalogue file into WagerRules.
//
// Laws: dependent keys are consistent. A pot's wager is decided by the pot and split. A hand that
// is compared with the dealer's is decided by both hands. A meter is shared only by players who win
// it together. An option is used by the wager that lists it, and a line or bonus is offered by an
// option only if the wager lists it. Every hand that [cards] allows can be evaluated.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/game/game_rules.h"

namespace linkmeter {

// Reports violations through `table`; if there are any, the result is incomplete. REQUIRES: the
// cards of `game` are read.
WagerRules read_wager_table(TomlTable& table, const GameRules& game);

}  // namespace linkmeter
