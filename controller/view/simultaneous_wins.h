// Simultaneous wins: claims of one level raised within two seconds of each other (L7). The journal
// decides their order; the clock readings of tables and controller are reported with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "meters/state/claim.h"

namespace linkmeter {

// Up to five claims before this one and five after it, in journal order; none for a fixed award.
// The cost is proportional to the claims within those seconds. REQUIRES: `claims` are in order of
// their numbers, which is journal order, and `claim` is one of them.
std::vector<const Claim*> simultaneous_wins(const std::vector<Claim>& claims, const Claim& claim);

// The order of two jackpot hits: `other` is "earlier" or "later", or both are shares of one hit:
// "together". And the reason, as a sentence.
std::string_view order_of(const Claim& other, const Claim& claim);
std::string why_in_order(const Claim& other, const Claim& claim);

}  // namespace linkmeter
