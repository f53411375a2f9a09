// Near claims: claims of one level that were raised within two seconds of each other (L7). The
// journal decides their order; what tables and controller had on their clocks is told beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "meters/state/claim.h"

namespace linkmeter {

// Up to five before the claim and five after it, in the journal's order; none for a fixed award.
// Costs as much as there are claims within those seconds. REQUIRES: `claims` are as they are
// numbered, which is the order of the journal, and `claim` is one of them.
std::vector<const Claim*> near_claims(const std::vector<Claim>& claims, const Claim& claim);

// Which was called first: the other one is "earlier" or "later", or they are shares of one call:
// "together". And why, in a sentence.
std::string_view order_of(const Claim& other, const Claim& claim);
std::string why_in_order(const Claim& other, const Claim& claim);

}  // namespace linkmeter
