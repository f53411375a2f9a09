#include "controller/view/recent_awards.h"

#include <algorithm>

#include "controller/view/claim_json.h"
#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

// The remaining steps of a share. A hit is only as far as its slowest share.
int steps_left(ClaimState state) {
  switch (state) {
    case ClaimState::raised: return 3;
    case ClaimState::validated: return 2;
    case ClaimState::paid: return 1;
    case ClaimState::rejected: return 0;
  }
  return 0;
}

bool is_settled(ClaimState state) { return steps_left(state) < steps_left(ClaimState::validated); }

}  // namespace

AwardHit award_hit_of(const State& state, const Claim& claim) {
  AwardHit hit{{}, {}, ClaimState::rejected, opened_after(state, claim)};
  hit.claims = claim.level ? claims_of_hit(state.claims(), claim) : std::vector{&claim};
  Amount rejected;
  for (const Claim* part : hit.claims) {
    (part->state == ClaimState::rejected ? rejected : hit.amount) += part->amount;
    if (steps_left(part->state) > steps_left(hit.state)) hit.state = part->state;
  }
  if (hit.state == ClaimState::rejected) hit.amount = rejected;
  return hit;
}

RecentAwards::RecentAwards(const State& state) : state_(state), links_(state.floor().links.size()) {
  INVARIANT(state.is_open());
  for (const Claim& claim : state.claims()) note(claim);
}

void RecentAwards::note(const Claim& claim) {
  Link& link = links_[claim.link.value()];
  if (!claim.level) {
    link.fixed = claim.number;
    return;
  }
  const bool is_told = std::any_of(
      link.hits.begin(), link.hits.end(),
      [&](const ClaimNumber& first) { return is_same_hit(*state_.find_claim(first), claim); });
  if (is_told) return;
  link.hits.push_front(claim.number);
  if (link.hits.size() > hits_max) link.hits.pop_back();
}

const Claim* RecentAwards::last(LinkIndex index) const {
  const Link& link = links_[index.value()];
  return state_.find_claim(link.hits.empty() ? link.fixed : link.hits.front());
}

std::vector<const Claim*> RecentAwards::of_meters(LinkIndex link, Timestamp now) const {
  std::vector<const Claim*> told;
  for (const ClaimNumber number : links_[link.value()].hits) {
    const Claim* claim = state_.find_claim(number);
    INVARIANT(claim != nullptr);
    const bool is_recent = now.microseconds() - claim->raised_at.microseconds() < recent_us;
    if (is_recent || !is_settled(award_hit_of(state_, *claim).state)) told.push_back(claim);
  }
  return told;
}

}  // namespace linkmeter
