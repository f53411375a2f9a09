// Near claims: claims of one level that were raised within two seconds of each other (L7). The
// journal decides their order; what tables and controller had on their clocks is told beside it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/claim.h"

namespace linkmeter::cli {

class NearClaims {
 public:
  // As they are numbered, which is the order of the journal. They must outlive this.
  explicit NearClaims(const std::vector<Claim>& claims);
  // Up to five before the claim and five after it, in the journal's order; none for a fixed award.
  [[nodiscard]] std::vector<const Claim*> of(const Claim& claim) const;

 private:
  using Level = std::pair<LinkPlace, LevelPlace>;
  std::map<Level, std::vector<const Claim*>> by_level_;
};

// Which was called first: the other one is "earlier" or "later", or they are shares of one call:
// "together". And why, in a sentence.
std::string_view order_of(const Claim& other, const Claim& claim);
std::string why_in_order(const Claim& other, const Claim& claim);

}  // namespace linkmeter::cli
