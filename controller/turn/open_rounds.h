// Open rounds: the part of a table's Welcome that lists its rounds that are neither closed nor
// voided. An agent that lost its outbox in the middle of a round learns of the round here, and can
// ask its dealer how to end it.
//
// Laws: it reports the state and decides nothing. The list is bounded; it keeps the rounds with the
// latest shown or corrected hands. Only the journal has the time of the lock and the chip count:
// they are searched in the table's latest messages, and omitted if not found there.
#pragma once

#include <vector>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// At most reported_rounds_max rounds, latest last.
[[nodiscard]] std::vector<OpenRound> open_rounds(const Journal& journal, const State& state,
                                                 const FloorRules& rules, TableIndex table);

}  // namespace linkmeter
