#include "tests/simulation/spoiled_entry.h"

#include <algorithm>
#include <vector>

#include "tests/property/entry_parts.h"

namespace linkmeter {

namespace {

// M1, balanced.
bool accrual_a_unit_more(Entry& entry) {
  Posting* meter = posting_of(entry, Account::meter, true);
  Posting* wagers = posting_of(entry, Account::wagers, false);
  if (meter == nullptr || wagers == nullptr) return false;
  meter->amount += Amount::from_units(1);
  wagers->amount -= Amount::from_units(1);
  return true;
}

// M2: the award is a cent more than the meter's whole cents, balanced.
bool meter_rounded_up(Entry& entry) {
  std::vector<JackpotHit>* hits = calls_in(entry);
  std::vector<Award>* awards = awards_in(entry);
  Posting* pending = posting_of(entry, Account::pending, true);
  Posting* meter = posting_of(entry, Account::meter, false);
  if (hits == nullptr || hits->size() != 1 || awards == nullptr) return false;
  if (pending == nullptr || meter == nullptr) return false;
  for (Award& award : *awards) {
    if (!award.level) continue;
    award.amount += Amount::cents(1);
    hits->front().amount += Amount::cents(1);
    pending->amount += Amount::cents(1);
    meter->amount -= Amount::cents(1);
    return true;
  }
  return false;
}

// M3: a seed that no seed account paid.
bool seed_from_corrections(Entry& entry) {
  Posting* seed = posting_of(entry, Account::seed_funding, false);
  if (seed == nullptr) return false;
  seed->account = Account::corrections;
  return true;
}

// M4: the reserve does not open the next meter.
bool reserve_kept_at_reseed(Entry& entry) {
  Posting* reserve = posting_of(entry, Account::reserve, false);
  Posting* reseeded = posting_of(entry, Account::meter, true);
  if (calls_in(entry) == nullptr || reserve == nullptr || reseeded == nullptr) return false;
  if (reserve->link != reseeded->link || reseeded->amount + reserve->amount <= Amount()) {
    return false;
  }
  reseeded->amount += reserve->amount;
  reserve->amount = Amount();
  return true;
}

// M5: a part of a meter is followed by a reseed.
bool part_of_meter_reseeds(Entry& entry) {
  const std::vector<JackpotHit>* hits = calls_in(entry);
  if (hits == nullptr || hits->empty() || hits->front().whole) return false;
  const Pool pool = Pool::level(hits->front().level);
  const LinkIndex link = hits->front().link;
  entry.postings.push_back({Account::meter, link, pool, Amount::dollars(10'000)});
  entry.postings.push_back({Account::seed_funding, link, pool, Amount::dollars(-10'000)});
  return true;
}

// M6: from the dealer's left.
bool lowest_seat_first(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr || awards->size() < 2) return false;
  if (awards->front().seat == awards->back().seat) return false;
  for (const Award& award : *awards) {
    if (award.claim) return false;
  }
  std::reverse(awards->begin(), awards->end());
  return true;
}

// M7: two seats' shares of one hit, exchanged.
bool odd_cent_to_the_last(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  for (std::size_t at = 1; at < awards->size(); ++at) {
    Award& one = (*awards)[at - 1];
    Award& other = (*awards)[at];
    if (one.hit == 0 || one.hit != other.hit || one.amount == other.amount) continue;
    std::swap(one.amount, other.amount);
    return true;
  }
  return false;
}

// M8: the meter is lowered.
bool void_lowers_the_meter(Entry& entry) {
  Posting* withheld = posting_of(entry, Account::withheld, false);
  if (withheld == nullptr) return false;
  withheld->account = withheld->pool.is_reserve() ? Account::reserve : Account::meter;
  return true;
}

// M9: the meter takes the amount above its limit.
bool limit_passed(Entry& entry) {
  Posting* given = posting_of(entry, Account::overflow, true);
  Posting* received = posting_of(entry, Account::overflow, false);
  Posting* reserve = posting_of(entry, Account::reserve, true);
  if (given == nullptr || received == nullptr || reserve == nullptr) return false;
  if (given->link != received->link || reserve->link != given->link) return false;
  if (given->amount != -received->amount || reserve->amount < given->amount) return false;
  reserve->amount -= given->amount;
  given->account = Account::meter;
  received->amount = Amount();
  return true;
}

// M10: refused, but not for the actual mistake.
bool refused_for_another_reason(Entry& entry) {
  auto* refused = std::get_if<MessageRefused>(&entry.fact);
  if (refused == nullptr) return false;
  const bool is_chips = refused->refusal == Refusal::round_unknown;
  refused->refusal = is_chips ? Refusal::round_closed : Refusal::round_unknown;
  return true;
}

// M10: a valid message is refused.
bool refused_as_closed(Entry& entry) {
  if (!std::holds_alternative<RoundClosed>(entry.fact)) return false;
  entry.fact = MessageRefused{Refusal::round_closed};
  return true;
}

// M11.
bool rejection_restores_otherwise(Entry& entry) {
  auto* rejected = std::get_if<ClaimRejected>(&entry.fact);
  if (rejected == nullptr) return false;
  rejected->restored = !rejected->restored;
  return true;
}

// M12.
bool correction_for_another_reason(Entry& entry) {
  auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  auto* correct = confirmed == nullptr ? nullptr : std::get_if<CorrectMeter>(&confirmed->act);
  if (correct == nullptr) return false;
  const bool is_order = correct->reason == CorrectionReason::regulator_order;
  correct->reason = is_order ? CorrectionReason::mispaid_award : CorrectionReason::regulator_order;
  return true;
}

// M13: fixed awards are paid from a meter.
bool envy_off_a_meter(Entry& entry) {
  const std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  for (const Award& award : *awards) {
    if (award.level || award.amount == Amount() || entry.postings.size() > 100) continue;
    const Pool pool = Pool::level(LevelIndex(0));
    entry.postings.push_back({Account::meter, award.link, pool, -award.amount});
    entry.postings.push_back({Account::paid, award.link, pool, award.amount});
    return true;
  }
  return false;
}

// M14.
bool postings_do_not_balance(Entry& entry) {
  if (entry.number == EntryNumber(1) || entry.postings.empty()) return false;
  entry.postings.front().amount += Amount::from_units(1);
  return true;
}

// The reading for accounting at a day's end.
bool reading_a_cent_off(Entry& entry) {
  auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended == nullptr) return false;
  for (LinkReading& link : ended->reading) {
    if (link.book.levels.empty()) continue;
    link.book.levels.front().pool.held += Amount::cents(1);
    return true;
  }
  return false;
}

bool suspension_without_a_reason(Entry& entry) {
  auto* suspended = std::get_if<LinkSuspended>(&entry.fact);
  if (suspended == nullptr) return false;
  suspended->note.clear();
  return true;
}

// L11: the proposer has confirmed his own proposal.
bool person_both_halves(Entry& entry) {
  auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  if (confirmed == nullptr) return false;
  confirmed->by = confirmed->proposed_by;
  return true;
}

// A claim that nobody has validated is paid.
bool claim_paid_unvalidated(Entry& entry) {
  const auto* validated = std::get_if<ClaimValidated>(&entry.fact);
  if (validated == nullptr) return false;
  entry.fact = ClaimPaid{validated->claim, PaymentSource::hand_pay, validated->by, SlipNumber(1)};
  return true;
}

// L6: chips that raise no meter.
bool wagers_raise_nothing(Entry& entry) {
  return std::holds_alternative<RoundLocked>(entry.fact) &&
         std::erase_if(
             entry.postings,
             [](const Posting& posting) { return posting.account != Account::withheld; }) > 0 &&
         posting_of(entry, Account::withheld, true) == nullptr;
}

// L7: the later of two wins comes first.
bool wins_in_another_order(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  Award* first = nullptr;
  for (Award& award : *awards) {
    if (!award.claim) continue;
    if (first != nullptr && first->claim != award.claim) {
      std::swap(first->claim, award.claim);
      return true;
    }
    first = &award;
  }
  return false;
}

bool day_ended_twice(Entry& entry) {
  auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended == nullptr) return false;
  ended->day = ended->day.previous();
  return true;
}

}  // namespace

Spoil spoil_of(Plant plant) {
  switch (plant) {
    case Plant::accrual_a_unit_more: return accrual_a_unit_more;
    case Plant::meter_rounded_up: return meter_rounded_up;
    case Plant::seed_from_corrections: return seed_from_corrections;
    case Plant::reserve_kept_at_reseed: return reserve_kept_at_reseed;
    case Plant::part_of_meter_reseeds: return part_of_meter_reseeds;
    case Plant::lowest_seat_first: return lowest_seat_first;
    case Plant::odd_cent_to_the_last: return odd_cent_to_the_last;
    case Plant::void_lowers_the_meter: return void_lowers_the_meter;
    case Plant::limit_passed: return limit_passed;
    case Plant::refused_for_another_reason: return refused_for_another_reason;
    case Plant::refused_as_closed: return refused_as_closed;
    case Plant::rejection_restores_otherwise: return rejection_restores_otherwise;
    case Plant::correction_for_another_reason: return correction_for_another_reason;
    case Plant::envy_off_a_meter: return envy_off_a_meter;
    case Plant::postings_do_not_balance: return postings_do_not_balance;
    case Plant::reading_a_cent_off: return reading_a_cent_off;
    case Plant::suspension_without_a_reason: return suspension_without_a_reason;
    case Plant::person_both_halves: return person_both_halves;
    case Plant::claim_paid_unvalidated: return claim_paid_unvalidated;
    case Plant::wagers_raise_nothing: return wagers_raise_nothing;
    case Plant::wins_in_another_order: return wins_in_another_order;
    case Plant::hit_not_counted: return hit_counted_as_partial;
    case Plant::day_ended_twice: return day_ended_twice;
    default: return nullptr;
  }
}

}  // namespace linkmeter
