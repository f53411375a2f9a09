// Round: one cycle at one table: locked (or blocked by a wrong count) -> shown -> closed or voided.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meters/award.h"
#include "meters/card.h"
#include "meters/command.h"
#include "meters/entry.h"
#include "meters/identity.h"

namespace linkmeter {

// A hand as it counts now, and what it won: what a correction of it changes.
struct SeatShown {
  EntryNumber entry;  // that says so: a show, or the last correction
  ShownHand hand;
  Draw draw;  // that it was settled by
  std::vector<Award>
      awards;  // of this seat in that entry, and envy for its hand; none on the dealer
  friend bool operator==(const SeatShown&, const SeatShown&) = default;
};

struct Round {
  RoundId id;
  bool blocked = false;  // the chip count differs; nothing has accrued
  std::vector<PlacedWager> wagers;
  std::vector<SeatShown> shown;  // in the order they were shown
  bool dealer_shown = false;
  bool claim_raised = false;  // a void is no longer possible
  CardCounts cards;
  std::optional<Draw> draw = {};  // made after the lock; holds for what is not yet settled
  bool count_differed = false;    // it was blocked once, and somebody resolved it
  friend bool operator==(const Round&, const Round&) = default;

  [[nodiscard]] bool has_shown(Seat seat) const { return find_shown(seat) != nullptr; }
  // nullptr: not shown.
  [[nodiscard]] const SeatShown* find_shown(Seat seat) const;
  [[nodiscard]] bool has_wager(Seat seat) const;
  [[nodiscard]] bool has_wager_on(LinkPlace link) const;
  // The hands are shown with that entry, the dealer's with them if it says so.
  void show(EntryNumber entry, const HandsShown& now, int decks);
  // The hand is another one with that entry, or none. REQUIRES: it is shown, with the old cards.
  void correct(EntryNumber entry, const HandCorrected& corrected, int decks);
};

}  // namespace linkmeter
