// Claim cards: the cards of a claim's round or pot, as they counted when the claim was raised.
//
// No single entry need hold all cards: a round may be shown in several messages, and a correction
// holds only what it changes. So all entries from the beginning of the round to the one that raised
// the claim are read.
#pragma once

#include <optional>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/game/card.h"
#include "meters/state/claim.h"

namespace linkmeter {

struct ClaimCards {
  std::vector<ShownHand> hands;  // the last report for each seat with a hand
  std::vector<Card> dealer, board;

  // nullptr: the seat has none.
  [[nodiscard]] const ShownHand* find(Seat seat) const;
};

// The entry with which the claim's round began: its lock, or the entry of the pot. Falls back to
// the entry that raised the claim if the journal has no such entry. Throws Fault if the journal
// cannot be read.
EntryNumber beginning_of(const Journal& journal, const Claim& claim);

// Throws Fault if the journal cannot be read.
ClaimCards claim_cards(const Journal& journal, const Claim& claim);

}  // namespace linkmeter
