// Table hands: what a table is told, with every answer to a heartbeat, of the hands of its open
// rounds as they count now: so that a correction by a person reaches the dealer who is to pay. With
// them goes what was paid at once and reversed since, which the dealer takes back.
//
// Laws: what is told is the state's, and decides nothing. A round is told whole or not at all: a
// seat of it that is not told has no hand (any more). It is bounded, and of too many rounds those
// are told in which something was shown or corrected last.
#pragma once

#include <vector>

#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// At most told_rounds_max rounds, the latest at the end.
std::vector<RoundHands> told_hands(const State& state, TableIndex table);
// The same rounds, each with all of its awards and the dealer's side, whoever said them.
std::vector<RoundHands> whole_hands(const State& state, TableIndex table);

// Those of a panel's people who are no longer what they were when they signed in: removed, locked,
// with other roles, or with another PIN. REQUIRES: each person has a mark (unmarked_people.h).
[[nodiscard]] std::vector<Badge> ended_logins(const std::vector<PanelPerson>& people,
                                              const State& state, Timestamp now);

}  // namespace linkmeter
