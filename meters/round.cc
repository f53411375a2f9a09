#include "meters/round.h"

#include <algorithm>

namespace linkmeter {

bool Round::has_shown(Seat seat) const {
  return std::find(shown.begin(), shown.end(), seat) != shown.end();
}

bool Round::has_wager(Seat seat) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [seat](const PlacedWager& wager) { return wager.seat == seat; });
}

}  // namespace linkmeter
