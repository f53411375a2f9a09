// Recent awards: the last wins of every link, for signs and the feed.
//
// Laws: a win is one jackpot hit: several seats that share it are one award, with the whole amount
// and each share. Several wins of one hand are several awards. An award that moved no meter does
// not displace a win off a meter.
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

// One jackpot hit, or one fixed award.
struct AwardHit {
  std::vector<const Claim*> claims;  // one for each seat that shares it, in settlement order
  // The shared amount, without rejected shares, unless all shares are rejected.
  Amount amount;
  ClaimState state = ClaimState::raised;  // the least advanced state of all shares
  // The meter after this hit; nullopt: none, or not recorded.
  std::optional<Amount> new_amount;
};
// REQUIRES: `claim` is an element of `state`.
[[nodiscard]] AwardHit award_hit_of(const State& state, const Claim& claim);

class RecentAwards {
 public:
  static constexpr std::size_t hits_max = 8;
  static constexpr std::int64_t recent_us = 600'000'000;  // ten minutes

  // `state` must outlive this.
  explicit RecentAwards(const State& state);

  // REQUIRES: called once for each new claim, in order.
  void note(const Claim& claim);

  // The last hit of a meter, or the last fixed award if no meter was hit. The first claim of a
  // shared hit. nullptr: none.
  [[nodiscard]] const Claim* last(LinkIndex link) const;
  // The first claim of each jackpot hit, latest first: those of the last minutes, and older ones
  // that are not settled. The number is bounded.
  [[nodiscard]] std::vector<const Claim*> of_meters(LinkIndex link, Timestamp now) const;

 private:
  struct Link {
    std::deque<ClaimNumber> hits;  // of jackpot hits, latest first
    ClaimNumber fixed;             // the last fixed award; 0: none
  };

  const State& state_;
  std::vector<Link> links_;  // by link index
};

}  // namespace linkmeter
