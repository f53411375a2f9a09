// Level calls: the calls on one level's meter, and what becomes of them when claims are rejected
// (M11).
//
// A call takes an award off a meter. Each of its winners has a claim, and the call stands while one
// of these claims is not rejected. A rejected claim's amount goes back to the meter. When no claim
// of the call is left, the call is undone: its reseed goes back to the house, and what the reserve
// had put on the meter goes back to the reserve. While a later call on the level stands, that is
// deferred, and happens with the rejection of the last later call that stood. So the result of
// several rejections does not depend on their order.
//
// Laws. A call is undone only if the meter can give back what the call had put there; a correction
// may have taken it away. Then the call stays deferred, and the next rejection on the level tries
// again. A call that an old entry rejected is never undone later: the rule of that time decided it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/facts/call_reversal.h"
#include "meters/state/state.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"

namespace linkmeter {

struct LevelCall {
  ClaimNumber first;              // the lowest number of its claims: the call's name
  bool whole = false;             // 100%
  bool stands = false;            // one of its claims is not rejected
  bool is_rejected_now = false;   // one of its claims is among those that are being rejected
  bool deferred = false;          // rejected, and still to be undone
  Amount reseeded, from_reserve;  // what it put on the meter
  Amount overflowed;              // what the level had given to the reserve when it was made (M9)
  Amount stood;                   // the meter before it
  Amount rejected;                // of its claims, those that are being rejected
};

// The calls of the level that are not undone, in the order in which they were made, as if the
// claims in `rejected` were rejected. REQUIRES: the level exists.
std::vector<LevelCall> level_calls(const State& state, LinkIndex link, LevelIndex level,
                                   std::span<const ClaimNumber> rejected = {});

// What the rejection of these claims moves on one level, and what becomes of the level's calls.
struct LevelReversal {
  LevelRejection moves;
  CallReversal calls;
};
// `meter`: the level as it stands in the entry that is being made; it may differ from the state's.
LevelReversal reverse_level(const State& state, LinkIndex link, LevelIndex level,
                            const PoolBalances& meter, std::span<const ClaimNumber> rejected);

// Why an entry that rejects these claims cannot do this to their calls, as a sentence; nullopt: it
// can. Any claim numbers.
std::optional<std::string> reversal_misfit(const State& state,
                                           std::span<const ClaimNumber> rejected,
                                           const CallReversal& calls);

}  // namespace linkmeter
