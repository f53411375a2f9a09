// NaiveModel: what people decide about claims.

#include <algorithm>
#include <set>

#include "tests/property/naive_asking.h"
#include "tests/property/naive_hearing.h"

namespace linkmeter {

std::uint64_t NaiveModel::calls(std::uint32_t link, int level) const {
  std::set<std::pair<std::uint64_t, std::uint64_t>> standing;
  for (const NaiveClaim& claim : claims_) {
    const bool here = claim.link == link && claim.award.level == level;
    if (here && !claim.undone) standing.insert(claim.mark);
  }
  return standing.size();
}

NaiveClaim* NaiveModel::Asking::find_claim(ClaimNumber number) {
  if (number.value() >= 1 && number.value() <= model.claims_.size()) {
    return &model.claims_[number.value() - 1];
  }
  no.insert(Refusal::claim_unknown);
  return nullptr;
}

void NaiveModel::Asking::need_judge(const NaiveClaim* claim) {
  if (claim == nullptr) return;
  need(person.is(model.terms_[claim->link].of_pots ? Role::poker_shift_supervisor
                                                   : Role::floorperson));
}

void NaiveModel::Asking::operator()(const ValidateClaim& validate) {
  NaiveClaim* claim = find_claim(validate.claim);
  need_judge(claim);
  if (!no.empty()) return;
  if (claim->step != NaiveClaim::Step::raised) no.insert(Refusal::claim_not_raised);
  if (!no.empty()) return;
  verdict.fact = "claim_validated";
  claim->step = NaiveClaim::Step::validated;
  claim->validated_by = by;
  claim->validated_at = now;
}

void NaiveModel::Asking::operator()(const PayClaim& pay) {
  NaiveClaim* claim = find_claim(pay.claim);
  if (claim != nullptr) need(person.is(Role::cashier));
  if (!no.empty()) return;
  if (claim->step != NaiveClaim::Step::validated) no.insert(Refusal::claim_not_validated);
  const NaiveRules& rules = model.terms_[claim->link].rules;
  const bool barred =
      (pay.source == PaymentSource::table_inventory && rules.table_inventory_barred) ||
      (pay.source == PaymentSource::game_account && rules.game_account_barred);
  if (claim->award.level >= 0 && barred) no.insert(Refusal::source_not_allowed);
  if (!no.empty()) return;
  verdict.fact = "claim_paid";
  claim->step = NaiveClaim::Step::paid;
  claim->paid_by = by;
  claim->paid_at = now;
  claim->source = pay.source;
  if (claim->award.level < 0) return;
  NaivePool& level = pool({claim->link, claim->award.level});
  level.pending -= claim->award.amount;
  level.paid += claim->award.amount;
}

// M11.
void NaiveModel::Asking::operator()(const RejectClaim& reject) {
  NaiveClaim* claim = find_claim(reject.claim);
  need_judge(claim);
  check_note(reject.note);
  if (!no.empty()) return;
  if (claim->step == NaiveClaim::Step::paid || claim->step == NaiveClaim::Step::rejected) {
    no.insert(Refusal::claim_settled);
    return;
  }
  verdict.fact = "claim_rejected";
  claim->step = NaiveClaim::Step::rejected;
  claim->rejected_by = by;
  claim->rejected_at = now;
  claim->reject_reason = reject.reason;
  claim->reject_note = reject.note;
  if (claim->award.level < 0) return;

  bool last_share = true;
  bool won_since = false;
  for (const NaiveClaim& other : model.claims_) {
    if (other.link != claim->link || other.award.level != claim->award.level) continue;
    if (other.mark == claim->mark && other.step != NaiveClaim::Step::rejected) last_share = false;
    if (other.mark > claim->mark && !other.undone) won_since = true;
  }
  NaivePool& level = pool({claim->link, claim->award.level});
  if (last_share) --(claim->award.whole ? level.hits : level.partial_hits);
  // What a correction has taken away since cannot be given back.
  const bool is_there = level.held + claim->award.amount >= claim->reseeded + claim->from_reserve;
  verdict.restored = last_share && !won_since && is_there;
  std::optional<NaiveWin> undo;
  if (verdict.restored) undo = NaiveWin{0, claim->reseeded, claim->from_reserve};
  model.books_[claim->link].take_back_award(claim->award.level, claim->award.amount, undo);
  for (NaiveClaim& other : model.claims_) {
    if (other.link == claim->link && other.award.level == claim->award.level &&
        other.mark == claim->mark) {
      other.undone = verdict.restored;
    }
  }
}

}  // namespace linkmeter
