// CallReversal: what an entry that rejects claims does to the calls that those claims had won
// (M11). A call is named by the lowest number of its claims.
#pragma once

#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

struct CallReversal {
  // What the call had put on its meter went back with this entry: the reseed to the house, the rest
  // to the reserve. Of each level the last call comes first.
  std::vector<ClaimNumber> undone;
  // All claims of the call are rejected, but a later call on its level stands: what it had put on
  // its meter stays there until no later call stands.
  std::vector<ClaimNumber> deferred;
  friend bool operator==(const CallReversal&, const CallReversal&) = default;
};

}  // namespace linkmeter
