// HitReversal: what an entry that rejects claims does to the jackpot hits of these claims (M11). A
// hit is identified by the lowest number of its claims.
#pragma once

#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

struct HitReversal {
  // This entry takes back what the hit had added to its meter: the reseed goes to the house, the
  // rest to the reserve. Within a level, the last hit comes first.
  std::vector<ClaimNumber> undone;
  // All claims of the hit are rejected, but a later hit of the same level stands. What the hit had
  // added to its meter stays there until no later hit stands.
  std::vector<ClaimNumber> deferred;
  friend bool operator==(const HitReversal&, const HitReversal&) = default;
};

}  // namespace linkmeter
