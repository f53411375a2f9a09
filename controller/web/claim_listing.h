// ClaimListing: the claims that accounting pages list, out of all claims ever raised.
//
// Laws: no pending claim is left out in favour of a settled one, however old it is. Count and sum
// cover all pending claims, also those that the list has no room for, so a reader sees that a list
// was cut.
#pragma once

#include <cstddef>
#include <vector>

#include "controller/view/json.h"
#include "meters/floor/floor.h"
#include "meters/state/claim.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct ClaimListing {
  static constexpr std::size_t pending_max = 1'000;
  static constexpr std::size_t settled_max = 200;

  std::vector<Claim> pending;  // oldest first; if cut, the ones that wait longest
  std::vector<Claim> settled;  // newest first
  std::size_t pending_count = 0, settled_count = 0;  // of all
  Amount pending_sum;                                // of all
};

// REQUIRES: `all` is in the order of claim numbers.
ClaimListing claim_listing(const std::vector<Claim>& all);

// {"pending":{"count","sum"},"settled":{"count"},"claims":[{"claim","link","table","line","level",
//   "amount","state","raised_at","entry","age_s"}]}: pending claims first. The age of the others is
//   null.
Json claim_listing_json(const ClaimListing& listing, const Floor& floor, Timestamp now);

}  // namespace linkmeter
