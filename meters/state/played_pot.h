// Played pot: one of a table's latest pots, as it counts now, so that it can be put right.
#pragma once

#include <cstdint>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/game/card.h"
#include "meters/values/identity.h"

namespace linkmeter {

struct PlayedPot {
  RoundId id;
  EntryNumber entry;  // that says so: the pot, or the last correction
  LinkIndex link;
  Amount pot;
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;
  std::vector<Award> awards;  // claims, all of them
  // Its link's terms changed after it was played (L8). Terms take effect with their entry, so
  // nothing may settle the pot by the new ones: it cannot be put right any more.
  bool terms_changed = false;
  std::uint32_t corrections = 0;
  friend bool operator==(const PlayedPot&, const PlayedPot&) = default;
};

}  // namespace linkmeter
