// Round: one cycle at one table: locked (or blocked by a wrong count) -> shown -> closed or voided.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meters/card.h"
#include "meters/entry.h"
#include "meters/identity.h"

namespace linkmeter {

struct Round {
  RoundId id;
  bool blocked = false;  // the chip count differs; nothing has accrued
  std::vector<PlacedWager> wagers;
  std::vector<Seat> shown;
  bool dealer_shown = false;
  bool claim_raised = false;  // a void is no longer possible
  CardCounts cards;
  std::optional<Draw> draw = {};  // made after the lock; holds for what is not yet settled
  bool count_differed = false;    // it was blocked once, and somebody resolved it
  friend bool operator==(const Round&, const Round&) = default;

  [[nodiscard]] bool has_shown(Seat seat) const;
  [[nodiscard]] bool has_wager(Seat seat) const;
};

}  // namespace linkmeter
