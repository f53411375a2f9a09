// PlayedPot: one of a table's recent pots as it currently stands, kept so that it can be corrected.
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
  EntryNumber entry;  // the pot's entry, or its last correction
  LinkIndex link;
  Amount pot;
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;
  std::vector<Award> awards;  // each of them has a claim
  // The link's parameters changed after the pot was played (L8). Parameters take effect with their
  // entry and must not settle earlier pots, so this pot can no longer be corrected.
  bool terms_changed = false;
  std::uint32_t corrections = 0;
  friend bool operator==(const PlayedPot&, const PlayedPot&) = default;
};

}  // namespace linkmeter
