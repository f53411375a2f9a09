#include "tests/property/judge_people.h"

#include <string_view>

#include "tests/property/judge_days.h"

namespace linkmeter {

namespace {

std::string_view step_name(NaiveClaim::Step step) {
  switch (step) {
    case NaiveClaim::Step::raised: return "raised";
    case NaiveClaim::Step::validated: return "validated";
    case NaiveClaim::Step::paid: return "paid";
    case NaiveClaim::Step::rejected: return "rejected";
  }
  return "";
}

bool is_same(const std::optional<NaiveThreshold>& naive,
             const std::optional<TaxThreshold>& threshold) {
  if (!naive || !threshold) return naive.has_value() == threshold.has_value();
  return naive->date == threshold->date && naive->since_us == threshold->since.microseconds() &&
         naive->amount == Exact{threshold->amount.units()} && naive->ratio == threshold->ratio;
}

std::string_view step_name(NaiveSlip::Step step) {
  switch (step) {
    case NaiveSlip::Step::open: return "issued";
    case NaiveSlip::Step::annulled: return "void";
    case NaiveSlip::Step::paid: return "paid";
  }
  return "";
}

// The entry repeats the person's act unchanged.
struct DifferAct {
  const Verdict& expected;

  template <class Asked>
  const Asked* asked() const {
    return expected.asked ? std::get_if<Asked>(&expected.asked->act) : nullptr;
  }
  Difference by(const Badge& found) const { return differ("by", expected.badge, found.text()); }

  template <class Other>
  Difference operator()(const Other& other) const {
    return difference_of_day(expected, Fact(other));
  }
  Difference operator()(const ClaimValidated& fact) const {
    const auto* said = asked<ValidateClaim>();
    if (said == nullptr || said->claim != fact.claim) return "another claim";
    if (said->notified != fact.notified) return "another one was notified";
    if (Difference no = differ_envy("envy", expected.envy, fact.envy)) return no;
    return by(fact.by);
  }
  static Difference differ_envy(std::string_view what, const std::vector<NaiveAward>& naive,
                                const std::vector<Award>& found) {
    if (Difference no = differ(what, naive.size(), found.size())) return no;
    for (std::size_t at = 0; at < naive.size(); ++at) {
      if (naive[at].seat != found[at].seat.value()) return std::string(what) + " of another seat";
      if (Difference no = differ_money(what, naive[at].amount, found[at].amount)) return no;
    }
    return std::nullopt;
  }
  Difference operator()(const ClaimPaid& fact) const {
    const auto* said = asked<PayClaim>();
    if (said == nullptr || said->claim != fact.claim) return "another claim";
    if (said->source != fact.source) return "another source";
    if (said->slip != fact.slip) return "another slip";
    return by(fact.by);
  }
  Difference operator()(const ClaimCountersigned& fact) const {
    const auto* said = asked<CountersignClaim>();
    if (said == nullptr || said->claim != fact.claim) return "another claim";
    return by(fact.by);
  }
  Difference operator()(const SlipIssued& fact) const {
    const auto* said = asked<IssueSlip>();
    if (said == nullptr || said->claim != fact.claim) return "another claim";
    if (said->source != fact.source) return "another source";
    const NaiveSlip& slip = *expected.slip;
    if (!is_same(slip.threshold, fact.threshold)) return "another threshold";
    return first_of({differ("number", slip.number, fact.slip.value()),
                     differ_money("amount", slip.amount, fact.amount),
                     differ_money("wager", slip.wager, fact.wager),
                     differ("taxable", slip.taxable, fact.taxable), by(fact.by)});
  }
  Difference operator()(const SlipVoided& fact) const {
    const auto* said = asked<VoidSlip>();
    if (said == nullptr || said->slip != fact.slip) return "another slip";
    if (said->reason != fact.reason || said->note != fact.note) return "another reason";
    return by(fact.by);
  }
  Difference operator()(const SlipStored&) const { return "nobody stored a copy"; }
  Difference operator()(const NoticePosted& fact) const {
    const auto* said = asked<PostNotice>();
    if (said == nullptr || said->posted != fact.posted) return "another notice";
    return by(fact.by);
  }
  Difference operator()(const ClaimRejected& fact) const {
    const auto* said = asked<RejectClaim>();
    if (said == nullptr || said->claim != fact.claim) return "another claim";
    if (said->reason != fact.reason || said->note != fact.note) return "another reason";
    if (Difference no = differ_envy("envy", expected.envy, fact.envy)) return no;
    if (Difference no = differ_envy("reversed", expected.reversed, fact.reversed)) return no;
    if (expected.restored != fact.restored) {
      return expected.restored ? "not restored" : "restored";
    }
    const auto numbers = [](const std::vector<ClaimNumber>& claims) {
      std::vector<std::uint64_t> list;
      for (const ClaimNumber claim : claims) list.push_back(claim.value());
      return list;
    };
    if (expected.undone != numbers(fact.hits.undone)) return "it undoes other calls";
    if (expected.put_off != numbers(fact.hits.deferred)) return "it defers other calls";
    return by(fact.by);
  }
  Difference operator()(const LinkSuspended& fact) const {
    const auto* said = asked<SuspendLink>();
    if (said == nullptr || said->note != fact.note) return "another note";
    return by(fact.by);
  }
  Difference operator()(const TableFrozen& fact) const {
    const auto* said = asked<FreezeTable>();
    if (said == nullptr) return "nobody froze a table";
    if (said->note != fact.note) return "another note";
    return by(fact.by);
  }
  Difference operator()(const PinChanged& fact) const {
    const auto* said = asked<ChangePin>();
    if (said == nullptr || said->pin != fact.pin) return "another PIN";
    return by(fact.by);
  }
  Difference operator()(const SignedIn& fact) const { return by(fact.badge); }
  Difference operator()(const SignInFailed& fact) const { return by(fact.badge); }
  Difference operator()(const ActProposed& fact) const {
    if (expected.dual != fact.act) return "another act";
    if (Difference no = differ("proposal", expected.proposal, fact.proposal.value())) return no;
    return by(fact.by);
  }
  Difference operator()(const ActConfirmed& fact) const {
    if (expected.dual != fact.act) return "another act";
    return first_of({differ("proposal", expected.proposal, fact.proposal.value()),
                     differ("proposed by", expected.proposed_by, fact.proposed_by.text()),
                     by(fact.by)});
  }
  Difference operator()(const SelfChecked&) const { return "nobody asked for a self-check"; }
  Difference operator()(const ClockChanged&) const { return "nobody set the clock"; }
  Difference operator()(const ClockDoubted&) const { return "nobody doubted the clock"; }
  Difference operator()(const ClockReturned&) const { return "nobody doubted the clock"; }
  Difference operator()(const HeadSigned&) const { return "nobody signed a head"; }
  Difference operator()(const Recovered&) const { return "nobody used recovery codes"; }
  Difference operator()(const RecoveryFailed&) const { return "nobody tried recovery codes"; }
  Difference operator()(const PinsTried&) const { return "nobody counted PINs"; }
  Difference operator()(const WriterChanged&) const { return "nobody changed the writer"; }
  Difference operator()(const HistoryRestored&) const { return "nobody restored a backup"; }
  Difference operator()(const CommandRejected& fact) const {
    return first_of({differ("refusal", name(expected.refusal), name(fact.refusal)),
                     differ("act", expected.act, fact.act), by(fact.by)});
  }
};

Difference differ_person(const NaivePerson& naive, const Person& person) {
  if (naive.roles != person.roles) return "other roles";
  if (naive.department != person.department) return "another department";
  return first_of(
      {differ("name", naive.name, person.name), differ("PIN", naive.pin, person.pin),
       differ("failures", naive.failures, person.failures),
       differ("locked until", naive.locked_until_us, person.locked_until.microseconds()),
       differ("removed", naive.removed, person.removed),
       differ("others' PIN", naive.pin_is_others, person.pin_set_by_other),
       differ("behind", naive.behind.size(), person.known_to.size())});
}

Difference differ_proposal(const NaiveProposal& naive, const Proposal& proposal) {
  if (naive.act != proposal.act) return "another act";
  if (naive_summary(naive.act) != summary(proposal.act)) return "another summary";
  if (naive.at != proposal.at) return "another moment";
  return differ("by", naive.by, proposal.by.text());
}

}  // namespace

Difference difference_of_slip(const NaiveSlip& naive, const Slip& slip) {
  if (naive.source != slip.source) return "another source";
  if (naive.reason != slip.void_reason) return "another reason";
  if (!is_same(naive.threshold, slip.threshold)) return "another threshold";
  if (naive.issued_at != slip.issued_at || naive.annulled_at != slip.voided_at ||
      naive.paid_at != slip.paid_at) {
    return "another moment";
  }
  return first_of({differ("number", naive.number, slip.number.value()),
                   differ("entry", naive.entry, slip.entry.value()),
                   differ("claim", naive.claim, slip.claim.value()),
                   differ_money("amount", naive.amount, slip.amount),
                   differ_money("wager", naive.wager, slip.wager),
                   differ("taxable", naive.taxable, slip.taxable),
                   differ("state", step_name(naive.step), name(slip.state)),
                   differ("issued by", naive.issued_by, slip.issued_by.text()),
                   differ("voided by", naive.annulled_by, slip.voided_by.text()),
                   differ("paid by", naive.paid_by, slip.paid_by.text()),
                   differ("note", naive.note, slip.void_note)});
}

Difference difference_of_act(const Verdict& expected, const Fact& fact) {
  return std::visit(DifferAct{expected}, fact);
}

Difference difference_of_claim(const NaiveClaim& naive, const Claim& claim) {
  const NaiveAward& award = naive.award;
  if (naive.source != claim.source) return "another source";
  if (naive.reject_reason != claim.reject_reason) return "another reason";
  if (naive.validated_at != claim.validated_at || naive.paid_at != claim.paid_at ||
      (!naive.rejected_by_table && naive.rejected_at != claim.rejected_at) ||
      naive.countersigned_at != claim.countersigned_at) {
    return "another moment";
  }
  if (naive.slips.size() != claim.slips.size()) return "other slips";
  for (std::size_t at = 0; at < naive.slips.size(); ++at) {
    if (naive.slips[at] != claim.slips[at].value()) return "other slips";
  }
  return first_of(
      {differ("entry", naive.entry, claim.entry.value()),
       differ("link", naive.link, claim.link.value()),
       differ("table", naive.table, claim.table.value()),
       differ("round", naive.round, claim.round.text()),
       differ("seat", award.seat, claim.seat.value()),
       differ("line", award.line, claim.line.text()),
       differ("on the dealer", award.on_dealer, claim.on_dealer),
       differ("level", award.level, claim.level ? claim.level->value() : -1),
       differ_money("amount", award.amount, claim.amount),
       differ("state", step_name(naive.step), name(claim.state)),
       differ("call", naive.call, claim.hit),
       differ("whole meter", award.whole, claim.whole_meter),
       differ_money("reseeded", naive.reseeded, claim.reseeded),
       differ_money("stood", naive.meter_before, claim.meter_before),
       differ_money("from the reserve", naive.from_reserve, claim.from_reserve),
       differ_money("overflowed", naive.overflowed, claim.overflowed),
       differ("deferred", naive.put_off, claim.deferred),
       differ("validated by", naive.validated_by, claim.validated_by.text()),
       differ("paid by", naive.paid_by, claim.paid_by.text()),
       differ("rejected by", naive.rejected_by, claim.rejected_by.text()),
       differ("countersigned by", naive.countersigned_by, claim.countersigned_by.text()),
       differ_money("wager", naive.wager, claim.wager),
       differ("keyed", naive.keyed, claim.keyed.text()),
       differ("was blocked", naive.was_blocked, claim.count_differed),
       differ("corrected by", naive.corrected_by, claim.corrected_by.text()),
       differ("holder", award.holder, claim.holder ? claim.holder->value() : -1),
       differ_money("uncut", award.uncut, claim.uncut.value_or(Amount())),
       differ("envy", naive.envy.size(), claim.envy.size()),
       differ("envy paid", naive.envy_paid, claim.envy_paid),
       differ("note", naive.reject_note, claim.reject_note)});
}

Difference difference_of_people(const NaiveModel& model, const State& state) {
  if (Difference no = differ("people", model.people().size(), state.people().size())) return no;
  for (const auto& [badge, person] : model.people()) {
    const Person* found = state.find_person(Badge(badge));
    if (found == nullptr) return badge + " is not there";
    Difference no = within([&badge = badge] { return badge; }, differ_person(person, *found));
    if (no) return no;
  }
  if (Difference no = differ("slips", model.slips().size(), state.slips().size())) return no;
  for (const NaiveSlip& slip : model.slips()) {
    Difference no = within([&slip] { return "slip " + std::to_string(slip.number); },
                           difference_of_slip(slip, *state.find_slip(SlipNumber(slip.number))));
    if (no) return no;
  }
  if (Difference no = differ("keys", model.keys().size(), state.enrolments().all().size())) {
    return no;
  }
  for (const auto& [name, key] : model.keys()) {
    const Enrolment* found = state.enrolments().find(name.first, name.second);
    if (found == nullptr || found->key != key || state.enrolments().find_key(key) != found) {
      return "the key of " + name.second;
    }
  }
  if (Difference no =
          differ("last proposal", model.last_proposal(), state.last_proposal().value())) {
    return no;
  }
  const auto& open = model.proposals();
  if (Difference no = differ("proposals", open.size(), state.proposals().size())) return no;
  for (const auto& [number, proposal] : open) {
    const Proposal* found = state.find_proposal(ProposalNumber(number));
    if (found == nullptr) return "proposal " + std::to_string(number) + " is not there";
    Difference no = within([number = number] { return "proposal " + std::to_string(number); },
                           differ_proposal(proposal, *found));
    if (no) return no;
  }
  return std::nullopt;
}

}  // namespace linkmeter
