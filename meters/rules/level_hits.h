// Level hits: the jackpot hits on one level's meter, and the effect on them when claims are
// rejected (M11).
//
// A hit takes an award off a meter. Each of its winners has a claim, and the hit stands while one
// of these claims is not rejected. The amount of a rejected claim goes back to the meter. When all
// claims of a hit are rejected, the hit is undone: its reseed goes back to the house, and what the
// reserve had put on the meter goes back to the reserve. While a later hit on the level stands,
// this is deferred until the last such hit is rejected. So the result of several rejections does
// not depend on their order.
//
// Laws. A hit is undone only if the meter can give back what the hit had put there; a correction
// may have removed it. Otherwise the hit stays deferred, and the next rejection on the level tries
// again. A hit that an old entry rejected is never undone later: the rule of that time applies.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/facts/hit_reversal.h"
#include "meters/state/state.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"

namespace linkmeter {

struct LevelHit {
  ClaimNumber first;              // the lowest number of its claims; identifies the hit
  bool whole = false;             // 100%
  bool stands = false;            // one of its claims is not rejected
  bool is_rejected_now = false;   // one of its claims is being rejected now
  bool deferred = false;          // rejected, still to be undone
  Amount reseeded, from_reserve;  // what the hit put on the meter
  Amount overflowed;              // what the level had diverted to the reserve by then (M9)
  Amount meter_before;            // the meter before it
  Amount rejected;                // the sum of its claims that are being rejected
};

// The hits of the level that are not undone, in the order in which they occurred, as if the claims
// in `rejected` were rejected. REQUIRES: the level exists.
std::vector<LevelHit> level_hits(const State& state, LinkIndex link, LevelIndex level,
                                 std::span<const ClaimNumber> rejected = {});

// The movements on one level that the rejection of these claims causes, and the effect on the
// level's hits.
struct LevelReversal {
  LevelRejection moves;
  HitReversal hits;
};
// `meter`: the level's balances within the entry that is being made; they may differ from the
// state's.
LevelReversal reverse_level(const State& state, LinkIndex link, LevelIndex level,
                            const PoolBalances& meter, std::span<const ClaimNumber> rejected);

// Why an entry that rejects these claims cannot have this effect on their hits, as a sentence;
// nullopt: it can. Accepts any claim numbers.
std::optional<std::string> hit_reversal_violation(const State& state,
                                                  std::span<const ClaimNumber> rejected,
                                                  const HitReversal& hits);

}  // namespace linkmeter
