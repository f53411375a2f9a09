// Table history: compares the journal with what a table has seen of it. If they differ because a
// backup was restored and two managers accepted that, the table continues from the end of the
// backup and resends its messages since then.
//
// Laws: a table receives every restoration of the journal (Welcome::history), keeps all that it
// ever received, also those that a later restoration lost, and sends them with every Hello. Entries
// that the table has seen and the journal lacks are explained only by an accepted restoration that
// the table has not received and whose backup ended before them. So files that were copied back
// without the command are detected also in a house with earlier restorations, whenever they were
// copied.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

struct TableHistory {
  std::optional<std::string> differs;  // how they differ, as a sentence
  std::vector<Head> restored;          // the entries of the last restorations, in order
  std::optional<Head> again_after;     // where its history continues
};

// REQUIRES: every restoration is accepted.
[[nodiscard]] TableHistory table_history(const Journal& journal, const State& state,
                                         const Hello& hello);

}  // namespace linkmeter
