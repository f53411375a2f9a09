// Table status: what a heartbeat reply says about a table: the hands of its open rounds as they
// count now, so that a correction by a person reaches the dealer who pays, and the people whose
// login has ended. The hands include payments that were reversed since, which the dealer takes
// back.
//
// Laws: it reports the state and decides nothing. A round is sent complete or not at all: a seat
// that is missing from it has no hand (any more). The list is bounded; it keeps the rounds with the
// latest shown or corrected hands.
#pragma once

#include <vector>

#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// At most reported_rounds_max rounds, latest last.
std::vector<RoundHands> hand_notices(const State& state, TableIndex table);
// The same rounds, each with all of its awards and the dealer's hand, whatever their source.
std::vector<RoundHands> all_hands(const State& state, TableIndex table);

// The people of a panel whose login has ended: removed, locked, or with changed roles or PIN.
// REQUIRES: each person has a mark (unmarked_people.h).
[[nodiscard]] std::vector<Badge> ended_logins(const std::vector<PanelPerson>& people,
                                              const State& state, Timestamp now);

}  // namespace linkmeter
