#include "controller/web/claim_listing.h"

#include <utility>

#include "controller/view/place_names.h"

namespace linkmeter {
namespace {

bool is_pending(const Claim& claim) {
  return claim.state == ClaimState::raised || claim.state == ClaimState::validated;
}

Json listed_json(const Claim& claim, const Floor& floor, Timestamp now) {
  const std::int64_t age_us = now.microseconds() - claim.raised_at.microseconds();
  const Json level =
      claim.level ? Json(pool_name(floor, claim.link, Pool::level(*claim.level))) : Json();
  return Json{{"claim", claim.number.value()},
              {"link", link_name(floor, claim.link)},
              {"table", table_name(floor, claim.table)},
              {"line", claim.line.text()},
              {"level", level},
              {"amount", text_cents(claim.amount)},
              {"state", name(claim.state)},
              {"raised_at", moment_or_null(claim.raised_at)},
              {"entry", claim.entry.value()},
              {"age_s", is_pending(claim) ? Json(age_us / 1'000'000) : Json()}};
}

}  // namespace

ClaimListing claim_listing(const std::vector<Claim>& all) {
  ClaimListing listing;
  for (const Claim& claim : all) {
    if (!is_pending(claim)) continue;
    ++listing.pending_count;
    listing.pending_sum += claim.amount;
    if (listing.pending.size() < ClaimListing::pending_max) listing.pending.push_back(claim);
  }
  listing.settled_count = all.size() - listing.pending_count;
  for (std::size_t at = all.size(); at > 0; --at) {
    if (listing.settled.size() >= ClaimListing::settled_max) break;
    if (!is_pending(all[at - 1])) listing.settled.push_back(all[at - 1]);
  }
  return listing;
}

Json claim_listing_json(const ClaimListing& listing, const Floor& floor, Timestamp now) {
  Json claims = Json::array();
  for (const auto* part : {&listing.pending, &listing.settled}) {
    for (const Claim& claim : *part) claims.push_back(listed_json(claim, floor, now));
  }
  return Json{
      {"pending", Json{{"count", listing.pending_count}, {"sum", text_cents(listing.pending_sum)}}},
      {"settled", Json{{"count", listing.settled_count}}},
      {"claims", std::move(claims)}};
}

}  // namespace linkmeter
