// Paytable table: a [[wager.paytable]] of a catalogue file -> Paytable.
//
// Laws: each line, level and envy hand stands once; a line pays "N for 1", "N to 1" or "P% of
// LEVEL" of a level that the paytable has; every level can be won whole; an envy hand is a line of
// the paytable.
#pragma once

#include "meters/chapter.h"
#include "meters/codec/toml_table.h"

namespace linkmeter {

// What was wrong is among the violations of `table`; the answer is then incomplete.
Paytable read_paytable(TomlTable& table, DecidedBy decided_by);

}  // namespace linkmeter
