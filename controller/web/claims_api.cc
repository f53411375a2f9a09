#include "controller/web/claims_api.h"

#include <algorithm>
#include <utility>

#include "controller/view/claim_json.h"
#include "controller/web/responses.h"
#include "controller/web/session_service.h"
#include "controller/web/sign_publisher.h"
#include "meters/values/invariant.h"
#include "meters/values/number.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::size_t claims_page_max = 20;
constexpr std::size_t open_claims_max = 50;
constexpr std::size_t rounds_page_max = 20;

bool is_open(const Claim& claim) {
  return claim.state == ClaimState::raised || claim.state == ClaimState::validated;
}

}  // namespace

std::vector<Router::Route> ClaimsApi::routes() {
  using Self = ClaimsApi;
  return {
      {"GET", "/api/claims", Access::claims, handler(this, &Self::list)},
      {"GET", "/api/claims/{claim}", Access::claims, handler(this, &Self::claim)},
      {"GET", "/api/tables/{table}/rounds", Access::claims, handler(this, &Self::rounds)},
      {"GET", "/events/floor", Access::claims, handler(this, &Self::floor_events)},
  };
}

// All open claims and the newest of the others; with ?before=N, the newest older than N.
WebReply ClaimsApi::list(WebCall& call) {
  const auto& all = state().claims();
  std::size_t from = all.size();
  const auto before = call.request.query.find("before");
  const bool pages_back = before != call.request.query.end();
  if (pages_back) {
    const auto number = parse_number(before->second);
    if (!number || *number == 0) return malformed("before", "the number of a claim");
    from = std::min(from, static_cast<std::size_t>(*number - 1));
  }
  Listing listing{call.ticket, {}, Json::array()};
  std::size_t others = 0, open = 0;
  for (std::size_t at = from; at > 0; --at) {
    const Claim& claim = all[at - 1];
    const bool counts_as_open = is_open(claim) && !pages_back;
    std::size_t& count = counts_as_open ? open : others;
    const std::size_t most = counts_as_open ? open_claims_max : claims_page_max;
    if (count >= most) {
      if (pages_back) break;
      continue;
    }
    ++count;
    listing.left.push_back(claim.number);
  }
  const auto refused = listings_.push(call.session->badge, true, std::move(listing));
  if (refused) server_.answer(refused->ticket, web_busy());
  return Deferred{};
}

void ClaimsApi::continue_listings(Moment now) {
  for (std::size_t listed = 0;;) {
    if (!listing_) listing_ = listings_.pop();
    if (!listing_) return;
    if (listing_->left.empty()) {
      server_.answer(listing_->ticket, json_response(Json{{"claims", std::move(listing_->list)}}));
      listing_.reset();
      continue;
    }
    if (listed++ >= listed_per_loop_max) return;
    if (server_.is_abandoned(listing_->ticket) || !list_next(*listing_, now)) listing_.reset();
  }
}

bool ClaimsApi::list_next(Listing& listing, Moment now) {
  try {
    const ReadingScope reads;
    const Claim* claim = state().find_claim(listing.left.front());
    if (claim != nullptr) listing.list.push_back(detail(*claim, now));
    listing.left.pop_front();
    return true;
  } catch (const BrokenLaw& error) {
    server_.answer(listing.ticket, not_read(error));
  } catch (const Fault& error) {
    server_.answer(listing.ticket, not_read(error));
  }
  return false;
}

Json ClaimsApi::detail(const Claim& claim, Moment now) const {
  return claim_detail_json(state(), claim, controller_.rules().link(claim.link), journal_,
                           now.as_of);
}

WebReply ClaimsApi::claim(WebCall& call) {
  const auto number = call.path.number("claim");
  const Claim* found = number ? state().find_claim(ClaimNumber(*number)) : nullptr;
  if (found == nullptr) return refusal_response(Refusal::claim_unknown);
  return json_response(detail(*found, call.now));
}

WebReply ClaimsApi::rounds(WebCall& call) {
  const std::string& table = call.path.text("table");
  const auto place = state().floor().find_table(TableId(table));
  if (!place) return refusal_response(Refusal::table_unknown);
  return json_response(Json{{"table", table},
                            {"rounds", rounds_json(state(), *place, rounds_page_max)},
                            {"pots", pots_json(state(), *place, rounds_page_max)}});
}

WebReply ClaimsApi::floor_events(WebCall& call) {
  return WebStream{{SignPublisher::floor_topic, SessionService::topic_of(call.session->number)}};
}

}  // namespace linkmeter
