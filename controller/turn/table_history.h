// Table history: is the journal what a table has seen of it? Where it is not, because a backup was
// restored and two managers have accepted that, the table goes on from where the backup ended, and
// says again what it said since.
//
// Laws: a table is told every restoration of the journal (Welcome::history), keeps all that it was
// ever told, also those that a later one lost, and says them with every Hello. What it has seen and
// the journal does not have is explained by an accepted restoration that it was never told, and
// that was made up to an entry before; by nothing else. So files that were put back without the
// command are found also in a house where backups were restored before, whenever they were copied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

struct TableHistory {
  std::optional<std::string> differs;  // why, as a sentence
  std::vector<Head> restored;          // the entries of the last restorations, in order
  std::optional<Head> again_after;     // where its history goes on
};

// REQUIRES: every restoration is accepted.
[[nodiscard]] TableHistory table_history(const Journal& journal, const State& state,
                                         const Hello& hello);

}  // namespace linkmeter
