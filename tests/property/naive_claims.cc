// NaiveModel: what people decide about claims.

#include <set>
#include <utility>

#include "tests/property/naive_hearing.h"

namespace linkmeter {

Verdict NaiveModel::hear(const ClaimCommand& command) {
  const auto* pay = std::get_if<PayClaim>(&command);
  const auto [number, by] = std::visit(
      [](const auto& step) { return std::pair(step.claim.value(), step.by.text()); }, command);

  std::set<Refusal> no;
  if (!is_naive_name(by)) no.insert(Refusal::name_malformed);
  NaiveClaim* claim = number >= 1 && number <= claims_.size() ? &claims_[number - 1] : nullptr;
  if (claim == nullptr) {
    no.insert(Refusal::claim_unknown);
  } else if (pay == nullptr) {
    if (claim->step != NaiveClaim::Step::raised) no.insert(Refusal::claim_not_raised);
  } else {
    if (claim->step != NaiveClaim::Step::validated) no.insert(Refusal::claim_not_validated);
    const NaiveRules& rules = terms_[claim->link].rules;
    const bool barred =
        (pay->source == PaymentSource::table_inventory && rules.table_inventory_barred) ||
        (pay->source == PaymentSource::game_account && rules.game_account_barred);
    if (claim->award.level >= 0 && barred) no.insert(Refusal::source_not_allowed);
  }
  Verdict verdict;
  if (!no.empty()) {
    verdict.kind = Verdict::Kind::turned_away;
    verdict.refusal = *no.begin();
    return verdict;
  }
  verdict.entry = ++entries_;
  if (pay == nullptr) {
    verdict.fact = "claim_validated";
    claim->step = NaiveClaim::Step::validated;
    claim->validated_by = by;
    return verdict;
  }
  verdict.fact = "claim_paid";
  claim->step = NaiveClaim::Step::paid;
  claim->paid_by = by;
  claim->source = pay->source;
  if (claim->award.level >= 0) {
    NaivePool& pool = books_[claim->link].levels[static_cast<std::size_t>(claim->award.level)];
    pool.pending -= claim->award.amount;
    pool.paid += claim->award.amount;
  }
  return verdict;
}

}  // namespace linkmeter
