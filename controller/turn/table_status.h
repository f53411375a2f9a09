// Table status: what a table learns of its rounds and of the people at its panel.
//
// Hand notices are in every heartbeat reply: the hands of the open rounds as they count now. So a
// correction by a person reaches the dealer who pays. They include the immediate payments that were
// reversed since, which the dealer takes back.
//
// Open rounds are in the Welcome: the rounds that are neither closed nor voided. An agent that lost
// its outbox in the middle of a round learns of the round here, and can ask its dealer how to end
// it. Only the journal has the time of the lock and the chip count. They are searched in the
// table's latest messages, and omitted if not found there.
//
// Laws: it reports the state and decides nothing. A round is sent complete or not at all: a seat
// that is missing from it has no hand (any more). Both lists have at most reported_rounds_max
// rounds, those with the latest shown or corrected hands, the latest last.
#pragma once

#include <vector>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

std::vector<RoundHands> hand_notices(const State& state, TableIndex table);
// The same with all awards and the dealer's hand, whatever their source.
std::vector<RoundHands> all_hands(const State& state, TableIndex table);
[[nodiscard]] std::vector<OpenRound> open_rounds(const Journal& journal, const State& state,
                                                 const FloorRules& rules, TableIndex table);

// The people of a panel whose login has ended: removed, locked, or with changed roles or PIN.
// REQUIRES: each person has a mark (unmarked_people.h).
[[nodiscard]] std::vector<Badge> ended_logins(const std::vector<PanelPerson>& people,
                                              const State& state, Timestamp now);

}  // namespace linkmeter
