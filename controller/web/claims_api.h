// Claim listing: the claims that whoever keeps the books is told, of all that there ever were.
//
// Laws: no pending claim is left out for a settled one, however old it is; how many are
// pending and what they come to is told of all of them, also of those that the list has no room
// for, so that a list that is cut can be seen to be.
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

  std::vector<Claim> pending;  // the oldest first; those that wait longest, where it is cut
  std::vector<Claim> settled;  // the newest first
  std::size_t pending_count = 0, settled_count = 0;  // of all
  Amount pending_sum;                                // of all
};

// Of claims in the order of their numbers.
ClaimListing claim_listing(const std::vector<Claim>& all);

// {"pending":{"count","sum"},"settled":{"count"},"claims":[{"claim","link","table","line","level",
//   "amount","state","raised_at","entry","age_s"}]}: the pending ones first; others have no age.
Json claim_listing_json(const ClaimListing& listing, const Floor& floor, Timestamp now);

}  // namespace linkmeter
