// Tests the judge: wrong entries and altered messages, planted between the core and the trial. Each
// must be reported, and at the first message that it affects.

#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/property/entry_parts.h"
#include "tests/property/expect_caught.h"
#include "tests/property/planted.h"

namespace linkmeter::canary_test {
namespace {

void number_claims(std::vector<Award>& awards, std::uint64_t first) {
  for (Award& award : awards) {
    if (award.claim) award.claim = ClaimNumber(first++);
  }
}

std::uint64_t first_claim(const std::vector<Award>& awards) {
  for (const Award& award : awards) {
    if (award.claim) return award.claim->value();
  }
  return 0;
}

bool fixed_award_a_cent_more(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr || awards->empty() || awards->back().level) return false;
  awards->back().amount += Amount::cents(1);
  return true;
}

// With adjusted postings, so that no law is broken.
bool meter_award_a_cent_more(Entry& entry) {
  std::vector<JackpotHit>* calls = calls_in(entry);
  Posting* pending = posting_of(entry, Account::pending, true);
  Posting* meter = posting_of(entry, Account::meter, false);
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr || calls == nullptr || calls->size() != 1) return false;
  if (pending == nullptr || meter == nullptr) return false;
  for (Award& award : *awards) {
    if (!award.level) continue;
    award.amount += Amount::cents(1);
    calls->front().amount += Amount::cents(1);
    pending->amount += Amount::cents(1);
    meter->amount -= Amount::cents(1);
    return true;
  }
  return false;
}

bool envy_to_own_seat(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  for (Award& award : *awards) {
    if (award.kind != AwardKind::envy) continue;
    award.seat = *award.holder;
    return true;
  }
  return false;
}

bool envy_forgotten(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  return awards != nullptr && std::erase_if(*awards, [](const Award& award) {
                                return award.kind == AwardKind::envy && !award.claim;
                              }) > 0;
}

bool withheld_ignored(Entry& entry) {
  Posting* repaid = posting_of(entry, Account::withheld, true);
  if (repaid == nullptr) return false;
  repaid->account = repaid->pool.is_reserve() ? Account::reserve : Account::meter;
  return true;
}

bool void_lowers_the_meter(Entry& entry) {
  Posting* withheld = posting_of(entry, Account::withheld, false);
  if (withheld == nullptr) return false;
  withheld->account = withheld->pool.is_reserve() ? Account::reserve : Account::meter;
  return true;
}

// Settled from the dealer's left.
bool wrong_order(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr || awards->size() < 2) return false;
  if (awards->front().seat == awards->back().seat) return false;
  if (awards->front().link != awards->back().link) return false;
  const std::uint64_t first = first_claim(*awards);
  std::reverse(awards->begin(), awards->end());
  number_claims(*awards, first);
  return true;
}

bool odd_cent_to_the_last(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  const std::vector<JackpotHit>* calls = calls_in(entry);
  if (awards == nullptr || calls == nullptr) return false;
  if (awards->size() < 2 || calls->size() != 1) return false;
  Award& first = awards->front();
  Award& last = awards->back();
  if (!first.level || !last.level || first.amount == last.amount) return false;
  std::swap(first.amount, last.amount);
  return true;
}

bool claim_forgotten(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  const std::uint64_t first = first_claim(*awards);
  for (Award& award : *awards) {
    if (!award.claim || award.level) continue;
    award.claim.reset();
    number_claims(*awards, first);
    return true;
  }
  return false;
}

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

// M9: the amount above the limit is lost.
bool overflow_lost(Entry& entry) {
  Posting* received = posting_of(entry, Account::overflow, false);
  Posting* reserve = posting_of(entry, Account::reserve, true);
  if (received == nullptr || reserve == nullptr || reserve->link != received->link) return false;
  if (reserve->amount < -received->amount) return false;
  reserve->amount += received->amount;
  received->amount = Amount();
  return true;
}

// M9: the meter takes it all the same.
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

// M7: a Bad Beat is shared in equal parts, not by weight.
bool weight_forgotten(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  std::vector<Award*> sharers;
  Amount sum;
  bool unequal = false;
  for (Award& award : *awards) {
    if (award.line != LineId("21_with_seven_or_more_cards")) continue;
    sharers.push_back(&award);
    sum += award.amount;
    unequal = unequal || award.amount - sharers.front()->amount > Amount::cents(1);
  }
  if (!unequal) return false;
  const std::int64_t part = sum.in_cents() / static_cast<std::int64_t>(sharers.size());
  for (Award* award : sharers) {
    award->amount = Amount::cents(part);
    sum -= award->amount;
  }
  sharers.front()->amount += sum;
  return true;
}

// M5: a 10% award is followed by a reseed.
bool part_of_meter_reseeds(Entry& entry) {
  const std::vector<JackpotHit>* calls = calls_in(entry);
  if (calls == nullptr || calls->empty() || calls->front().whole) return false;
  const Pool pool = Pool::level(calls->front().level);
  const LinkIndex link = calls->front().link;
  entry.postings.push_back({Account::meter, link, pool, Amount::dollars(10'000)});
  entry.postings.push_back({Account::seed_funding, link, pool, Amount::dollars(-10'000)});
  return true;
}

bool match_counts_twice(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  for (std::size_t place = 0; place < awards->size(); ++place) {
    if ((*awards)[place].kind != AwardKind::magic_card || (*awards)[place].claim) continue;
    awards->push_back((*awards)[place]);
    return true;
  }
  return false;
}

// The same awards and amounts in another order.
bool dealers_awards_last(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr || awards->empty()) return false;
  if (!awards->front().on_dealer || awards->back().on_dealer) return false;
  const std::uint64_t first = first_claim(*awards);
  std::stable_partition(awards->begin(), awards->end(),
                        [](const Award& award) { return !award.on_dealer; });
  number_claims(*awards, first);
  return true;
}

bool bonus_is_a_line(Entry& entry) {
  std::vector<Award>* awards = awards_in(entry);
  if (awards == nullptr) return false;
  for (Award& award : *awards) {
    if (award.kind != AwardKind::lucky_bonus) continue;
    award.kind = AwardKind::line;
    return true;
  }
  return false;
}

bool draw_not_kept(Entry& entry) {
  auto* shown = std::get_if<HandsShown>(&entry.fact);
  if (shown == nullptr || !shown->draw) return false;
  shown->draw.reset();
  return true;
}

bool other_refusal(Entry& entry) {
  auto* refused = std::get_if<MessageRefused>(&entry.fact);
  if (refused == nullptr || refused->refusal != Refusal::card_already_shown) return false;
  refused->refusal = Refusal::wrong_card_count;
  return true;
}

bool refuses_a_good_close(Entry& entry) {
  if (!std::holds_alternative<RoundClosed>(entry.fact)) return false;
  entry.fact = MessageRefused{Refusal::round_closed};
  return true;
}

std::optional<TableMessage> repeat_taken_for_new(const State& state, TableMessage message) {
  const auto table = state.floor().find_table(message.table);
  if (!table || message.number > state.session(*table).last_number()) return std::nullopt;
  message.number = state.session(*table).last_number().next();
  return message;
}

std::optional<TableMessage> fold_overlooked(const State&, TableMessage message) {
  auto* show = std::get_if<ShowHands>(&message.command);
  if (show == nullptr) return std::nullopt;
  bool overlooked = false;
  for (ShownHand& hand : show->hands) {
    overlooked = overlooked || (hand.folded && !hand.cards.empty());
    if (!hand.cards.empty()) hand.folded = false;
  }
  return overlooked ? std::optional(message) : std::nullopt;
}

std::optional<TableMessage> chips_not_counted(const State&, TableMessage message) {
  auto* lock = std::get_if<LockRound>(&message.command);
  if (lock == nullptr || !lock->chips || *lock->chips == lock->wagers.size()) return std::nullopt;
  lock->chips.reset();
  return message;
}

ShowHands* show_in(TableMessage& message) { return std::get_if<ShowHands>(&message.command); }

std::optional<TableMessage> missing_dealer_overlooked(const State&, TableMessage message) {
  ShowHands* show = show_in(message);
  if (show == nullptr || !show->names_dealer || !show->dealer.empty()) return std::nullopt;
  show->names_dealer = false;
  return message;
}

// The seat at the dealer's left instead of the dealer's position.
std::optional<TableMessage> dealers_position_missed(const State&, TableMessage message) {
  ShowHands* show = show_in(message);
  if (show == nullptr || !show->draw || show->draw->seat != Seat(0)) return std::nullopt;
  show->draw->seat = Seat(1);
  return message;
}

std::optional<TableMessage> dealers_bet_for_own(const State&, TableMessage message) {
  auto* lock = std::get_if<LockRound>(&message.command);
  if (lock == nullptr) return std::nullopt;
  for (AskedWager& one : lock->wagers) one.on_dealer = false;
  return message;
}

std::optional<TableMessage> second_draw_ignored(const State& state, TableMessage message) {
  ShowHands* show = show_in(message);
  const auto table = state.floor().find_table(message.table);
  if (show == nullptr || !show->draw || !table) return std::nullopt;
  const Round* round = state.session(*table).find_round(show->round);
  if (round == nullptr || !round->draw || round->draw == show->draw) return std::nullopt;
  show->draw.reset();
  return message;
}

TEST_CASE("the judge reports a planted mistake at the first message that it affects") {
  expect_caught("a fixed award of one cent more", Alter(fixed_award_a_cent_more));
  expect_caught("a meter's award of one cent more", Alter(meter_award_a_cent_more));
  expect_caught("envy to the own seat", Alter(envy_to_own_seat));
  expect_caught("envy forgotten", Alter(envy_forgotten));
  expect_caught("withheld ignored", Alter(withheld_ignored));
  expect_caught("a void lowers the meter", Alter(void_lowers_the_meter));
  expect_caught("settled from the dealer's left", Alter(wrong_order));
  expect_caught("the odd cent to the last", Alter(odd_cent_to_the_last));
  expect_caught("a claim forgotten", Alter(claim_forgotten));
  expect_caught("a hit counted as partial", Alter(hit_counted_as_partial));
  expect_caught("the reserve kept at a reseed", Alter(reserve_kept_at_reseed));
  expect_caught("overflow lost", Alter(overflow_lost));
  expect_caught("a limit passed", Alter(limit_passed));
  expect_caught("a Bad Beat shared equally", Alter(weight_forgotten), 2);
  expect_caught("a 10% award reseeds", Alter(part_of_meter_reseeds));
  expect_caught("a Magic Card counts twice", Alter(match_counts_twice));
  expect_caught("the dealer's hand settled last", Alter(dealers_awards_last));
  expect_caught("a bonus taken for a line", Alter(bonus_is_a_line));
  expect_caught("a draw not kept", Alter(draw_not_kept));
  expect_caught("another refusal", Alter(other_refusal));
  expect_caught("a good close refused", Alter(refuses_a_good_close));
  expect_caught("a repeat taken for new", Mishear(repeat_taken_for_new));
  expect_caught("a fold overlooked", Mishear(fold_overlooked));
  expect_caught("chips not counted", Mishear(chips_not_counted));
  expect_caught("a missing dealer's hand overlooked", Mishear(missing_dealer_overlooked));
  expect_caught("the dealer's position missed", Mishear(dealers_position_missed));
  expect_caught("a bet on the dealer taken for the own", Mishear(dealers_bet_for_own), 1);
  expect_caught("a second draw ignored", Mishear(second_draw_ignored));
}

}  // namespace
}  // namespace linkmeter::canary_test
