// Recent awards: the last wins of every link, as signs and the feed tell of them.
//
// Laws: a win is told as the meter was called: what several seats share is one award, with the
// whole amount and each one's part. Several wins of one hand are several awards. What was won off a
// meter is not pushed out by an award that moved none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "meters/state/claim.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"

namespace linkmeter {

// One call of a meter, or one fixed award.
struct AwardCall {
  std::vector<const Claim*> claims;  // one of each seat that shares it, in settlement order
  // What they share; a part that was rejected is not won, unless every part was.
  Amount amount;
  ClaimState state = ClaimState::raised;  // of the part that has most still before it
  std::optional<Amount> new_amount;       // the meter after this very call; nullopt: none, not told
};
// REQUIRES: `claim` is one of the state's.
[[nodiscard]] AwardCall call_of(const State& state, const Claim& claim);

class RecentAwards {
 public:
  static constexpr std::size_t told_max = 8;
  static constexpr std::int64_t told_us = 600'000'000;  // ten minutes

  // `state` must outlive this.
  explicit RecentAwards(const State& state);

  // REQUIRES: called once for each claim since, in their order.
  void note(const Claim& claim);

  // Of a meter; another one only until there is such. Of a shared call the first claim. Null: none.
  [[nodiscard]] const Claim* last(LinkIndex link) const;
  // The first claim of each call of a meter, the latest first: of the last minutes, and of before
  // what is not settled yet; so many at most.
  [[nodiscard]] std::vector<const Claim*> of_meters(LinkIndex link, Timestamp now) const;

 private:
  struct Link {
    std::deque<ClaimNumber> calls;  // of meters, the latest first
    ClaimNumber fixed;              // the last fixed award; 0: none
  };

  const State& state_;
  std::vector<Link> links_;  // by place
};

}  // namespace linkmeter
