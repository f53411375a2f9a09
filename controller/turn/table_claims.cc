#include "controller/turn/table_claims.h"

#include <algorithm>
#include <set>

#include "meters/rules/claim_need.h"

namespace linkmeter {

namespace {

bool is_over(const Claim& claim, Timestamp now) {
  if (claim.state != ClaimState::paid && claim.state != ClaimState::rejected) return false;
  const Timestamp settled = claim.state == ClaimState::paid ? claim.paid_at : claim.rejected_at;
  return settled.after(std::chrono::microseconds(TableClaims::reported_after_settling).count()) <
         now;
}

ClaimNotice claim_notice(const State& state, const Claim& claim) {
  const LinkConfig& link = state.floor().link(claim.link);
  ClaimNotice notice{claim.number, claim.round, claim.seat, link.id, claim.line, {}, claim.amount};
  if (claim.level) notice.level = link.levels.at(claim.level->value()).id;
  notice.state = name(claim.state);
  if (const ClaimNeed need = need_of(state, claim); need != ClaimNeed::nothing) {
    notice.needs = name(need);
  }
  if (claim.reject_reason) notice.reason = name(*claim.reject_reason);
  if (!claim.envy.empty()) {
    notice.envy = claim.envy_paid ? "due" : claim.state == ClaimState::rejected ? "gone" : "owed";
  }
  const Slip* slip = claim.slips.empty() ? nullptr : state.find_slip(claim.slips.back());
  if (slip != nullptr && slip->state != SlipState::voided) {
    notice.slip = slip->number;
    notice.source = name(slip->source);
  } else if (claim.source) {
    notice.source = name(*claim.source);
  }
  return notice;
}

// The claims that Envy of the table's open rounds waits for. The table must learn how they end,
// however long ago that was.
std::set<ClaimNumber> awaited(const TableSession& session) {
  std::set<ClaimNumber> numbers;
  for (const Round& round : session.rounds()) {
    for (const Award& award : round.all_awards()) {
      if (award.waits_for) numbers.insert(*award.waits_for);
    }
  }
  while (numbers.size() > reported_claims_max) numbers.erase(numbers.begin());
  return numbers;
}

}  // namespace

void TableClaims::note(const State& state, Timestamp now) {
  for (; seen_ < state.claims().size(); ++seen_) {
    const Claim& claim = state.claims()[seen_];
    if (!is_over(claim, now)) tables_[claim.table].push_back(claim.number);
  }
}

std::vector<ClaimNotice> TableClaims::reported(const State& state, TableIndex table,
                                               Timestamp now) {
  std::vector<ClaimNumber>& numbers = tables_[table];
  std::erase_if(numbers,
                [&](ClaimNumber number) { return is_over(*state.find_claim(number), now); });
  std::set<ClaimNumber> reported_numbers = awaited(state.session(table));
  auto latest = numbers.rbegin();
  while (latest != numbers.rend() && reported_numbers.size() < reported_claims_max) {
    reported_numbers.insert(*latest++);
  }
  std::vector<ClaimNotice> notice;
  notice.reserve(reported_numbers.size());
  for (const ClaimNumber number : reported_numbers) {
    notice.push_back(claim_notice(state, *state.find_claim(number)));
  }
  return notice;
}

}  // namespace linkmeter
