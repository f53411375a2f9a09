// NaiveModel: claims as hands raise them, and people's decisions about them.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "tests/property/naive_person_message.h"
#include "tests/property/naive_table_message.h"

namespace linkmeter {

std::uint64_t NaiveModel::calls(std::uint32_t link, int level) const {
  std::set<std::pair<std::uint64_t, std::uint64_t>> standing;
  for (const NaiveClaim& claim : claims_) {
    const bool here = claim.link == link && claim.award.level == level;
    if (here && !claim.undone) standing.insert(claim.mark);
  }
  return standing.size();
}

void NaiveModel::TableMessageDecision::raise_claims(const NaiveRound* round,
                                                    const std::vector<ShownHand>& hands) {
  std::vector<NaiveAward> at_once = verdict.awards;
  std::erase_if(at_once, [](const NaiveAward& award) { return award.waits_for != 0; });
  count_paid(at_once, false);
  for (const NaiveAward& award : verdict.awards) {
    if (award.claim == 0) continue;
    NaiveClaim claim;
    claim.entry = model.entries_ + 1;
    claim.link = award.link;
    claim.table = place;
    claim.round = verdict.round;
    claim.award = award;
    if (award.level >= 0) {
      const NaiveCall& call = verdict.calls[award.call - 1];
      claim.mark = {claim.entry, award.call};
      claim.reseeded = call.reseeded;
      claim.meter_before = call.meter_before;
      claim.from_reserve = call.from_reserve;
      claim.overflowed =
          model.books_[award.link].levels[static_cast<std::size_t>(award.level)].overflowed;
      // The shares of one hit have one number.
      const NaiveClaim* earlier = model.claims_.empty() ? nullptr : &model.claims_.back();
      const bool shares =
          earlier != nullptr && earlier->award.level >= 0 && earlier->mark == claim.mark;
      claim.call = shares ? earlier->call : model.calls(award.link, award.level) + 1;
    }
    for (const ShownHand& hand : hands) {
      const bool own = award.kind == NaiveAward::Kind::line && !award.on_dealer;
      if (!own || !hand.keyed || hand.seat.value() != award.seat) continue;
      // One line is keyed for the hand: if one of its awards has that line, the other awards are
      // not meant.
      bool means_another = false;
      for (const NaiveAward& other : verdict.awards) {
        if (other.kind != NaiveAward::Kind::line || other.on_dealer) continue;
        if (other.seat == award.seat && other.line == hand.keyed->text()) means_another = true;
      }
      if (award.line == hand.keyed->text() || !means_another) claim.keyed = hand.keyed->text();
    }
    for (const NaiveAward& envy : verdict.awards) {
      if (envy.waits_for == award.claim) claim.envy.push_back(envy);
    }
    if (round != nullptr) {
      claim.was_blocked = round->was_blocked;
      claim.corrected_by = prepared_by(*round, award);
    }
    for (std::size_t at = 0; round != nullptr && at < round->wagers.size(); ++at) {
      const NaiveWager& wager = round->wagers[at];
      if (wager.seat == award.seat && wager.link == award.link &&
          wager.on_dealer == award.on_dealer) {
        claim.wager = Exact{wager.cents} * exact_cent;
      }
    }
    model.claims_.push_back(claim);
  }
}

// The person who corrected the draw or cleared the hand before the table's show.
std::string NaiveModel::TableMessageDecision::prepared_by(const NaiveRound& round,
                                                          const NaiveAward& award) {
  const bool is_drawn =
      award.kind == NaiveAward::Kind::magic || award.kind == NaiveAward::Kind::lucky;
  if (is_drawn && !round.draw_by.empty()) return round.draw_by;
  const auto none = round.none_by.find(award.holder >= 0 ? award.holder : award.seat);
  return none == round.none_by.end() ? "" : none->second;
}

NaiveClaim* NaiveModel::PersonMessageDecision::find_claim(ClaimNumber number) {
  if (number.value() >= 1 && number.value() <= model.claims_.size()) {
    return &model.claims_[number.value() - 1];
  }
  no.insert(Refusal::claim_unknown);
  return nullptr;
}

void NaiveModel::PersonMessageDecision::need_judge(const NaiveClaim* claim) {
  if (claim == nullptr) return;
  need(person.is(model.terms_[claim->link].of_pots ? Role::poker_shift_supervisor
                                                   : Role::floorperson));
}

// Nobody validates what he did himself, or what a person whose PIN he may know did; "": nobody did
// it.
void NaiveModel::PersonMessageDecision::need_others(const std::set<std::string>& doers) {
  if (doers.count(by) != 0) {
    no.insert(Refusal::same_person);
    return;
  }
  for (const std::string& doer : doers) {
    if (!doer.empty() && may_be_one(doer, by)) no.insert(Refusal::same_hand);
  }
}

// For a Bad Beat, a person of security or finance may be told to bring the money; nobody else.
void NaiveModel::PersonMessageDecision::check_notified(const NaiveClaim& claim,
                                                       const std::string& badge) {
  if (badge.empty()) return;
  if (!model.terms_[claim.link].of_pots) {
    no.insert(Refusal::notice_not_offered);
    return;
  }
  const auto found = model.people_.find(badge);
  const bool may_be = found != model.people_.end() && !found->second.removed &&
                      (found->second.department == Department::security ||
                       found->second.department == Department::finance);
  if (!may_be) no.insert(Refusal::notified_not_possible);
}

// The payer must not be one of the people who validated the claim, nor a person who may share a PIN
// with the first of them.
void NaiveModel::PersonMessageDecision::need_payer(const NaiveClaim& claim) {
  need_others({claim.validated_by});
  if (by == claim.countersigned_by) no = {Refusal::same_person};
}

void NaiveModel::PersonMessageDecision::operator()(const ValidateClaim& validate) {
  NaiveClaim* claim = find_claim(validate.claim);
  need_judge(claim);
  if (!no.empty()) return;
  if (claim->step != NaiveClaim::Step::raised) no.insert(Refusal::claim_not_raised);
  if (!no.empty()) return;
  need_others({claim->corrected_by});
  if (!no.empty()) return;
  check_notified(*claim, validate.notified.text());
  if (!no.empty()) return;
  verdict.fact = "claim_validated";
  bool is_first = true;  // of those who share the hand
  for (const NaiveClaim& other : model.claims_) {
    const bool is_share = other.link == claim->link && other.award.level == claim->award.level &&
                          other.mark == claim->mark;
    if (is_share &&
        (other.step == NaiveClaim::Step::validated || other.step == NaiveClaim::Step::paid)) {
      is_first = false;
    }
  }
  if (is_first && model.terms_[claim->link].of_pots) model.books_[claim->link].notice = true;
  claim->step = NaiveClaim::Step::validated;
  claim->validated_by = by;
  claim->validated_at = now;
  verdict.envy = claim->envy;
  NaiveModel::TableMessageDecision paying{model, claim->table, model.tables_[claim->table],
                                          now,   {},           {}};
  paying.count_paid(claim->envy, false);
  claim->envy_paid = !claim->envy.empty();
}

NaiveSlip* NaiveModel::PersonMessageDecision::find_slip(SlipNumber number) {
  if (number.value() >= 1 && number.value() <= model.slips_.size()) {
    return &model.slips_[number.value() - 1];
  }
  no.insert(Refusal::slip_unknown);
  return nullptr;
}

NaiveSlip* NaiveModel::PersonMessageDecision::open_slip(const NaiveClaim& claim) {
  for (const std::uint64_t number : claim.slips) {
    NaiveSlip& slip = model.slips_[number - 1];
    if (slip.step == NaiveSlip::Step::open) return &slip;
  }
  return nullptr;
}

bool NaiveModel::PersonMessageDecision::may_be_one(const std::string& one,
                                                   const std::string& other) const {
  std::set<std::string> all = model.people_.at(one).behind;
  std::set<std::string> others = model.people_.at(other).behind;
  all.insert(one);
  others.insert(other);
  const std::size_t count = all.size() + others.size();
  all.merge(others);
  return all.size() < count;
}

void NaiveModel::PersonMessageDecision::need_source(const NaiveClaim& claim, PaymentSource source) {
  const NaiveRules& rules = model.terms_[claim.link].rules;
  const bool barred = (source == PaymentSource::table_inventory && rules.table_inventory_barred) ||
                      (source == PaymentSource::game_account && rules.game_account_barred);
  // Only an electronic wagering system has game accounts.
  const bool has_none = source == PaymentSource::game_account && !rules.to_account;
  if (has_none || (claim.award.level >= 0 && barred)) no.insert(Refusal::source_not_allowed);
}

void NaiveModel::PersonMessageDecision::operator()(const CountersignClaim& countersign) {
  NaiveClaim* claim = find_claim(countersign.claim);
  if (claim == nullptr) return;
  const NaiveStep* step = model.asks_.step(claim->award.amount);
  bool may = false;
  for (const Role role : {Role::floorperson, Role::table_games_manager}) {
    may = may || (person.is(role) && (step == nullptr || step->roles.count(role) != 0));
  }
  need(may);
  if (!no.empty()) return;
  if (claim->step != NaiveClaim::Step::validated) {
    no.insert(Refusal::claim_not_validated);
    return;
  }
  if (!claim->countersigned_by.empty()) no.insert(Refusal::second_signature_made);
  if (step == nullptr) no.insert(Refusal::second_signature_not_needed);
  if (!no.empty()) return;
  need_others({claim->validated_by, claim->corrected_by});
  if (!no.empty()) return;
  verdict.fact = "claim_countersigned";
  claim->countersigned_by = by;
  claim->countersigned_at = now;
}

void NaiveModel::PersonMessageDecision::operator()(const IssueSlip& issue) {
  NaiveClaim* claim = find_claim(issue.claim);
  const bool may = person.is(Role::floorperson) || person.is(Role::poker_shift_supervisor) ||
                   person.is(Role::cashier);
  if (claim != nullptr) need(may);
  if (!no.empty()) return;
  if (claim->step != NaiveClaim::Step::validated) no.insert(Refusal::claim_not_validated);
  need_source(*claim, issue.source);
  const bool is_open = open_slip(*claim) != nullptr;
  // A claim with a slip had every signature when the slip was issued.
  if (!is_open && claim->countersigned_by.empty() &&
      model.asks_.step(claim->award.amount) != nullptr) {
    no.insert(Refusal::second_signature_missing);
  }
  if (is_open) no.insert(Refusal::slip_open);
  if (!no.empty()) return;
  need_payer(*claim);
  if (no.empty() && claim->slips.size() >= 16) no.insert(Refusal::slips_too_many);
  if (!no.empty()) return;
  verdict.fact = "slip_issued";
  NaiveSlip slip;
  slip.number = model.slips_.size() + 1;
  slip.entry = model.entries_ + 1;
  slip.claim = issue.claim.value();
  slip.source = issue.source;
  slip.amount = claim->award.amount;
  slip.wager = claim->wager;
  if (const NaiveThreshold* threshold = model.asks_.threshold(now.microseconds())) {
    slip.threshold = *threshold;
    slip.taxable = slip.amount >= threshold->amount && slip.amount >= slip.wager * threshold->ratio;
  }
  slip.issued_by = by;
  slip.issued_at = now;
  model.slips_.push_back(slip);
  claim->slips.push_back(slip.number);
  verdict.slip = slip;
}

void NaiveModel::PersonMessageDecision::operator()(const VoidSlip& annul) {
  check_note(annul.note);
  need(person.is(Role::floorperson) || person.is(Role::poker_shift_supervisor) ||
       person.is(Role::cashier));
  NaiveSlip* slip = find_slip(annul.slip);
  if (!no.empty()) return;
  if (slip->step == NaiveSlip::Step::annulled) no.insert(Refusal::slip_void);
  if (slip->step == NaiveSlip::Step::paid) no.insert(Refusal::slip_used);
  if (!no.empty()) return;
  verdict.fact = "slip_voided";
  slip->step = NaiveSlip::Step::annulled;
  slip->annulled_by = by;
  slip->annulled_at = now;
  slip->reason = annul.reason;
  slip->note = annul.note;
}

void NaiveModel::PersonMessageDecision::operator()(const PayClaim& pay) {
  NaiveClaim* claim = find_claim(pay.claim);
  if (claim != nullptr) need(person.is(Role::cashier));
  if (!no.empty()) return;
  if (claim->step != NaiveClaim::Step::validated) no.insert(Refusal::claim_not_validated);
  need_source(*claim, pay.source);
  NaiveSlip* slip = nullptr;
  if (pay.slip.value() == 0) {
    no.insert(Refusal::slip_missing);
  } else {
    slip = find_slip(pay.slip);
  }
  if (slip != nullptr) {
    if (slip->step == NaiveSlip::Step::annulled) no.insert(Refusal::slip_void);
    if (slip->step == NaiveSlip::Step::paid) no.insert(Refusal::slip_used);
    if (slip->claim != pay.claim.value()) no.insert(Refusal::slip_of_another_claim);
    if (slip->source != pay.source) no.insert(Refusal::slip_source_differs);
  }
  if (!no.empty()) return;
  need_payer(*claim);
  if (!no.empty()) return;
  verdict.fact = "claim_paid";
  claim->step = NaiveClaim::Step::paid;
  claim->paid_by = slip->paid_by = by;
  claim->paid_at = slip->paid_at = now;
  claim->source = pay.source;
  slip->step = NaiveSlip::Step::paid;
  if (!model.books_[claim->link].levels.empty()) {
    NaiveCount& counts = model.books_[claim->link].count(claim->table);
    (pay.source == PaymentSource::game_account ? counts.by_device : counts.by_attendant) +=
        claim->award.amount;
  }
  if (claim->award.level < 0) return;
  NaivePool& level = pool({claim->link, claim->award.level});
  level.pending -= claim->award.amount;
  level.paid += claim->award.amount;
}

void NaiveModel::PersonMessageDecision::operator()(const PostNotice& notice) {
  need(person.is(Role::poker_shift_supervisor));
  if (!no.empty()) return;
  const auto link = find_link(notice.link);
  if (!link) return;
  if (!model.terms_[*link].of_pots) {
    no.insert(Refusal::notice_not_offered);
    return;
  }
  if (model.books_[*link].notice == notice.posted) no.insert(Refusal::notice_unchanged);
  if (!no.empty()) return;
  verdict.fact = "notice_posted";
  model.books_[*link].notice = notice.posted;
}

// M11.
void NaiveModel::PersonMessageDecision::operator()(const RejectClaim& reject) {
  NaiveClaim* claim = find_claim(reject.claim);
  need_judge(claim);
  check_note(reject.note);
  if (!no.empty()) return;
  if (claim->step == NaiveClaim::Step::paid || claim->step == NaiveClaim::Step::rejected) {
    no.insert(Refusal::claim_settled);
    return;
  }
  if (open_slip(*claim) != nullptr) {
    no.insert(Refusal::slip_open);
    return;
  }
  // "No wager was made" says nothing against the hand, and Envy is for the hand.
  const bool good_hand = reject.reason == RejectReason::wager_not_made &&
                         model.terms_[claim->link].rules.non_bettor_gives_envy;
  // Then the rejection pays the Envy, as a validation would.
  if (good_hand && !claim->envy_paid && !claim->envy.empty()) need_others({claim->corrected_by});
  if (!no.empty()) return;
  verdict.fact = "claim_rejected";
  claim->step = NaiveClaim::Step::rejected;
  claim->rejected_by = by;
  claim->rejected_at = now;
  claim->reject_reason = reject.reason;
  claim->reject_note = reject.note;
  if (claim->award.level >= 0) model.take_back(*claim, verdict);
  NaiveModel::TableMessageDecision paying{model, claim->table, model.tables_[claim->table],
                                          now,   {},           {}};
  if (good_hand && !claim->envy_paid) {
    verdict.envy = claim->envy;
    paying.count_paid(claim->envy, false);
    claim->envy_paid = !claim->envy.empty();
  } else if (!good_hand && claim->envy_paid) {
    verdict.reversed = claim->envy;
    paying.count_paid(claim->envy, true);
    claim->envy_paid = false;
  }
}

// Every hit that is rejected in full, from the last one back to one that is valid, is undone with
// it, as far as the meter can give back what they added.
void NaiveModel::take_back(const NaiveClaim& claim, Verdict& verdict) {
  struct Call {
    std::uint64_t first = 0;
    bool stands = false;
    bool may_go = false;
    const NaiveClaim* one = nullptr;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Call, std::greater<>> calls;
  const auto is_of = [&claim](const NaiveClaim& other) {
    return other.link == claim.link && other.award.level == claim.award.level;
  };
  for (std::size_t place = 0; place < claims_.size(); ++place) {
    const NaiveClaim& other = claims_[place];
    if (!is_of(other) || other.undone) continue;
    Call& call = calls[other.mark];
    if (call.one == nullptr) call.first = place + 1;
    call.one = &other;
    call.stands = call.stands || other.step != NaiveClaim::Step::rejected;
    call.may_go = call.may_go || other.put_off || other.mark == claim.mark;
  }
  NaivePool& level = books_[claim.link].levels[static_cast<std::size_t>(claim.award.level)];
  const Call& own = calls.at(claim.mark);
  if (!own.stands) --(claim.award.whole ? level.hits : level.partial_hits);

  std::size_t going = 0;
  for (const auto& [mark, call] : calls) {
    if (call.stands || !call.may_go) break;
    ++going;
  }
  for (;; --going) {
    NaiveWin put;
    // Without the undone hits, the meter would have kept what overflowed only because of them.
    // Amounts that overflowed before the first of them would have overflowed all the same.
    Exact kept_out = 0, meter_before = 0;
    auto call = calls.begin();
    for (std::size_t place = 0; place < going; ++place, ++call) {
      const NaiveClaim& gone = *call->second.one;
      put.reseeded += gone.reseeded;
      put.from_reserve += gone.from_reserve;
      kept_out = level.overflowed - gone.overflowed;
      meter_before = gone.meter_before;
    }
    if (books_[claim.link].take_back_award(terms_[claim.link], claim.award.level,
                                           claim.award.amount, put, kept_out, meter_before)) {
      break;
    }
  }
  std::size_t place = 0;
  for (const auto& [mark, call] : calls) {
    const bool goes = place++ < going;
    if (goes && call.one->award.whole) level.opened.pop_back();
    if (goes) verdict.undone.push_back(call.first);
    if (!goes && mark == claim.mark && !call.stands) verdict.put_off.push_back(call.first);
    verdict.restored = verdict.restored || (goes && mark == claim.mark);
    for (NaiveClaim& other : claims_) {
      if (!is_of(other) || other.mark != mark) continue;
      other.undone = goes;
      if (&other == &claims_[call.first - 1]) {
        other.put_off = !goes && (other.put_off || (mark == claim.mark && !call.stands));
      }
    }
  }
}

}  // namespace linkmeter
