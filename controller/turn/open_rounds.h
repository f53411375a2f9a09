// Open rounds: what a table's agent is told, with its Welcome, of the rounds of the table that are
// neither closed nor voided. An agent that has lost its outbox in the middle of a round learns of
// the round from here, and can ask its dealer what becomes of it.
//
// Laws: what is told is the state's, and decides nothing. It is bounded; of too many rounds those
// are told in which something was shown or corrected last. When a round was locked, and how many
// chips were counted, stands in the journal alone: it is looked for among the table's latest
// messages, and is not told where it is not found there.
#pragma once

#include <vector>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// At most told_rounds_max rounds, the latest at the end.
[[nodiscard]] std::vector<OpenRound> open_rounds(const Journal& journal, const State& state,
                                                 const FloorRules& rules, TableIndex table);

}  // namespace linkmeter
