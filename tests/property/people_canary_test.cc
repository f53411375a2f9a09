// Tests the judge of people: wrong decisions about claims, meters and persons, planted between the
// core and the trial. Each must be reported, and at the first message that it affects.

#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <string>

#include "tests/property/entry_parts.h"
#include "tests/property/expect_caught.h"
#include "tests/property/planted.h"

namespace linkmeter::people_canary_test {
namespace {

// M11: the house's reseed stays on the meter, although the hit was undone.
bool reseed_kept_on_rejection(Entry& entry) {
  const auto* rejected = std::get_if<ClaimRejected>(&entry.fact);
  Posting* seeds = posting_of(entry, Account::seed_funding, true);
  if (rejected == nullptr || seeds == nullptr) return false;
  Posting kept = *seeds;
  std::erase_if(entry.postings,
                [](const Posting& one) { return one.account == Account::seed_funding; });
  kept.account = Account::meter;
  entry.postings.push_back(kept);
  return true;
}

bool reserve_kept_on_rejection(Entry& entry) {
  Posting* reserve = posting_of(entry, Account::reserve, true);
  if (!std::holds_alternative<ClaimRejected>(entry.fact) || reserve == nullptr) return false;
  for (Posting& posting : entry.postings) {
    if (posting.account != Account::meter) continue;
    posting.amount += reserve->amount;
    reserve->amount = Amount();
    return true;
  }
  return false;
}

// The amount is paid instead of going back.
bool rejected_amount_lost(Entry& entry) {
  Posting* meter = posting_of(entry, Account::meter, true);
  if (!std::holds_alternative<ClaimRejected>(entry.fact) || meter == nullptr) return false;
  meter->account = Account::paid;
  return true;
}

bool says_restored(Entry& entry) {
  auto* rejected = std::get_if<ClaimRejected>(&entry.fact);
  if (rejected == nullptr || rejected->restored || entry.postings.empty()) return false;
  rejected->restored = true;
  return true;
}

bool says_kept(Entry& entry) {
  auto* rejected = std::get_if<ClaimRejected>(&entry.fact);
  if (rejected == nullptr || !rejected->restored) return false;
  rejected->restored = false;
  return true;
}

bool other_reason(Entry& entry) {
  auto* rejected = std::get_if<ClaimRejected>(&entry.fact);
  if (rejected == nullptr || rejected->reason == RejectReason::hand_misread) return false;
  rejected->reason = RejectReason::hand_misread;
  return true;
}

bool correction_a_cent_more(Entry& entry) {
  Posting* source = posting_of(entry, Account::corrections, false);
  Posting* meter = posting_of(entry, Account::meter, true);
  if (source == nullptr || meter == nullptr) return false;
  source->amount -= Amount::cents(1);
  meter->amount += Amount::cents(1);
  return true;
}

bool correction_taken_for_transfer(Entry& entry) {
  bool found = false;
  for (Posting& posting : entry.postings) {
    if (posting.account != Account::corrections) continue;
    posting.account = Account::transfers;
    found = true;
  }
  return found;
}

bool correction_not_made(Entry& entry) {
  if (posting_of(entry, Account::corrections, true) == nullptr) return false;
  entry.postings.clear();
  return true;
}

bool confirmed_by_another(Entry& entry) {
  auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  if (confirmed == nullptr) return false;
  std::swap(confirmed->by, confirmed->proposed_by);
  return true;
}

bool person_refused(Entry& entry) {
  auto* proposed = std::get_if<ActProposed>(&entry.fact);
  if (proposed == nullptr || !std::holds_alternative<AddPerson>(proposed->act)) return false;
  entry.fact = CommandRejected{"propose", Refusal::person_exists, proposed->by};
  return true;
}

bool failed_sign_in_forgiven(Entry& entry) {
  const auto* failed = std::get_if<SignInFailed>(&entry.fact);
  if (failed == nullptr) return false;
  entry.fact = SignedIn{failed->badge};
  return true;
}

bool unlocked_by_a_good_pin(Entry& entry) {
  const auto* refused = std::get_if<CommandRejected>(&entry.fact);
  if (refused == nullptr || refused->act != "sign_in") return false;
  entry.fact = SignedIn{refused->by};
  return true;
}

bool suspended_for_another_reason(Entry& entry) {
  auto* suspended = std::get_if<LinkSuspended>(&entry.fact);
  if (suspended == nullptr) return false;
  suspended->note = "no reason";
  return true;
}

bool another_table_frozen(Entry& entry) {
  auto* frozen = std::get_if<TableFrozen>(&entry.fact);
  if (frozen == nullptr) return false;
  frozen->table = TableIndex(frozen->table.value() == 0 ? 1 : 0);
  return true;
}

bool frozen_for_another_reason(Entry& entry) {
  auto* frozen = std::get_if<TableFrozen>(&entry.fact);
  if (frozen == nullptr) return false;
  frozen->note = "no reason";
  return true;
}

bool frozen_table_overlooked(Entry& entry) {
  auto* refused = std::get_if<MessageRefused>(&entry.fact);
  if (refused == nullptr || refused->refusal != Refusal::table_frozen) return false;
  refused->refusal = Refusal::link_suspended;
  return true;
}

bool other_refusal(Entry& entry) {
  auto* refused = std::get_if<CommandRejected>(&entry.fact);
  if (refused == nullptr || refused->refusal != Refusal::right_missing) return false;
  refused->refusal = Refusal::claim_unknown;
  return true;
}

bool taxable_forgotten(Entry& entry) {
  auto* issued = std::get_if<SlipIssued>(&entry.fact);
  if (issued == nullptr || !issued->taxable) return false;
  issued->taxable = false;
  return true;
}

bool taxed_for_nothing(Entry& entry) {
  auto* issued = std::get_if<SlipIssued>(&entry.fact);
  if (issued == nullptr || issued->taxable || !issued->threshold) return false;
  issued->taxable = true;
  return true;
}

bool slip_without_its_wager(Entry& entry) {
  auto* issued = std::get_if<SlipIssued>(&entry.fact);
  if (issued == nullptr || issued->wager == Amount()) return false;
  issued->wager = Amount();
  return true;
}

bool slip_a_cent_less(Entry& entry) {
  auto* issued = std::get_if<SlipIssued>(&entry.fact);
  if (issued == nullptr || issued->amount == Amount()) return false;
  issued->amount -= Amount::cents(1);
  return true;
}

bool slip_from_elsewhere(Entry& entry) {
  auto* issued = std::get_if<SlipIssued>(&entry.fact);
  if (issued == nullptr || issued->source == PaymentSource::hand_pay) return false;
  issued->source = PaymentSource::hand_pay;
  return true;
}

bool voided_for_another_reason(Entry& entry) {
  auto* voided = std::get_if<SlipVoided>(&entry.fact);
  if (voided == nullptr || voided->reason == VoidReason::misprint) return false;
  voided->reason = VoidReason::misprint;
  return true;
}

bool notice_the_other_way(Entry& entry) {
  auto* notice = std::get_if<NoticePosted>(&entry.fact);
  if (notice == nullptr) return false;
  notice->posted = !notice->posted;
  return true;
}

bool paid_on_no_slip(Entry& entry) {
  auto* paid = std::get_if<ClaimPaid>(&entry.fact);
  if (paid == nullptr) return false;
  paid->slip = SlipNumber();
  return true;
}

PersonMessage* asked_in(TimedInput& heard) { return std::get_if<PersonMessage>(&heard.said); }

template <class Asked>
Asked* asked_in(TimedInput& heard) {
  PersonMessage* message = asked_in(heard);
  return message == nullptr ? nullptr : std::get_if<Asked>(&message->act);
}

const Proposal* proposal_in(const State& state, TimedInput& heard) {
  const Confirm* confirm = asked_in<Confirm>(heard);
  return confirm == nullptr ? nullptr : state.find_proposal(confirm->proposal);
}

// As if it had come in time.
std::optional<TimedInput> late_confirmation_overlooked(const State& state, TimedInput heard) {
  const Proposal* proposal = proposal_in(state, heard);
  if (proposal == nullptr) return std::nullopt;
  heard.now = proposal->at;
  return heard;
}

// As if it had come a microsecond later: the last time within the two minutes counts.
std::optional<TimedInput> two_minutes_less_one(const State& state, TimedInput heard) {
  if (proposal_in(state, heard) == nullptr) return std::nullopt;
  heard.now = Timestamp::from_microseconds(heard.now.microseconds() + 1);
  return heard;
}

// As if the other department's manager had confirmed.
std::optional<TimedInput> confirmed_by_one_person(const State& state, TimedInput heard) {
  const Proposal* proposal = proposal_in(state, heard);
  if (proposal == nullptr || asked_in(heard)->by != proposal->by) return std::nullopt;
  const Person* first = state.find_person(proposal->by);
  for (const auto& [badge, person] : state.people()) {
    if (person.department == first->department || !person.has(Right::alter)) continue;
    asked_in(heard)->by = badge;
    return heard;
  }
  return std::nullopt;
}

std::optional<TimedInput> summary_not_compared(const State& state, TimedInput heard) {
  const Proposal* proposal = proposal_in(state, heard);
  if (proposal == nullptr) return std::nullopt;
  asked_in<Confirm>(heard)->summary = summary(proposal->act);
  return heard;
}

std::optional<TimedInput> anybody_rejects(const State& state, TimedInput heard) {
  if (asked_in<RejectClaim>(heard) == nullptr) return std::nullopt;
  for (const auto& [badge, person] : state.people()) {
    if (!person.has(Right::validate_claims)) continue;
    asked_in(heard)->by = badge;
    return heard;
  }
  return std::nullopt;
}

// As if another person had signed.
std::optional<TimedInput> signed_twice_by_one(const State& state, TimedInput heard) {
  const CountersignClaim* countersign = asked_in<CountersignClaim>(heard);
  const Claim* claim = countersign == nullptr ? nullptr : state.find_claim(countersign->claim);
  if (claim == nullptr || asked_in(heard)->by != claim->validated_by) return std::nullopt;
  for (const auto& [badge, person] : state.people()) {
    if (badge == claim->validated_by || !person.has(Right::countersign_claims)) continue;
    asked_in(heard)->by = badge;
    return heard;
  }
  return std::nullopt;
}

// As if the payer had the right slip.
std::optional<TimedInput> any_slip_will_do(const State& state, TimedInput heard) {
  PayClaim* pay = asked_in<PayClaim>(heard);
  const Claim* claim = pay == nullptr ? nullptr : state.find_claim(pay->claim);
  const Slip* open = claim == nullptr ? nullptr : state.open_slip(*claim);
  if (open == nullptr || pay->slip == open->number) return std::nullopt;
  pay->slip = open->number;
  return heard;
}

std::optional<TimedInput> bad_pin_taken_for_good(const State&, TimedInput heard) {
  auto* sign_in = std::get_if<SignIn>(&heard.said);
  if (sign_in == nullptr || sign_in->is_good) return std::nullopt;
  sign_in->is_good = true;
  return heard;
}

TEST_CASE("the judge reports a planted mistake about people at the first message that it affects") {
  expect_caught("the reseed kept on a rejection", Alter(reseed_kept_on_rejection));
  expect_caught("the reserve kept on a rejection", Alter(reserve_kept_on_rejection));
  expect_caught("a rejected amount lost", Alter(rejected_amount_lost));
  expect_caught("restored although it must not be", Alter(says_restored));
  expect_caught("not restored although nothing forbids it", Alter(says_kept));
  expect_caught("another reason", Alter(other_reason));
  expect_caught("a correction of one cent more", Alter(correction_a_cent_more));
  expect_caught("a correction taken for a transfer", Alter(correction_taken_for_transfer));
  expect_caught("a correction not made", Alter(correction_not_made));
  expect_caught("the two persons exchanged", Alter(confirmed_by_another));
  expect_caught("a person not let in", Alter(person_refused));
  expect_caught("a failed sign-in forgiven", Alter(failed_sign_in_forgiven));
  expect_caught("a good PIN unlocks", Alter(unlocked_by_a_good_pin));
  expect_caught("suspended for another reason", Alter(suspended_for_another_reason));
  expect_caught("another table frozen", Alter(another_table_frozen), 1);
  expect_caught("frozen for another reason", Alter(frozen_for_another_reason));
  expect_caught("a frozen table overlooked", Alter(frozen_table_overlooked));
  expect_caught("another refusal", Alter(other_refusal));
  expect_caught("confirmed after two minutes", MishearPerson(late_confirmation_overlooked));
  expect_caught("two minutes are one microsecond less", MishearPerson(two_minutes_less_one));
  expect_caught("corrected by one person", MishearPerson(confirmed_by_one_person));
  expect_caught("the summary not compared", MishearPerson(summary_not_compared));
  expect_caught("rejected by anybody", MishearPerson(anybody_rejects));
  expect_caught("a bad PIN taken for a good one", MishearPerson(bad_pin_taken_for_good));
}

TEST_CASE("the judge reports a planted mistake about slips and signatures") {
  expect_caught("a taxable slip that does not say so", Alter(taxable_forgotten));
  expect_caught("a slip taxable by no threshold's rule", Alter(taxed_for_nothing));
  expect_caught("a slip without its wager", Alter(slip_without_its_wager));
  expect_caught("a slip of a cent less", Alter(slip_a_cent_less));
  expect_caught("a slip from elsewhere", Alter(slip_from_elsewhere));
  expect_caught("a slip void for another reason", Alter(voided_for_another_reason));
  expect_caught("paid on no slip", Alter(paid_on_no_slip));
  expect_caught("a notice the other way", Alter(notice_the_other_way));
  expect_caught("signed twice by one person", MishearPerson(signed_twice_by_one));
  expect_caught("paid on any slip", MishearPerson(any_slip_will_do));
}

}  // namespace
}  // namespace linkmeter::people_canary_test
