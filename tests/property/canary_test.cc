// Who judges the judge: mistakes planted between the core and the trial. Each must be reported,
// and at the very first message that it touches.

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/property/floors.h"
#include "tests/property/trial.h"

#include <doctest/doctest.h>

namespace linkmeter {
namespace {

using Alter = std::function<bool(Entry&)>;  // true: the entry is another now

std::vector<Award>* awards_of(Entry& entry) {
  if (auto* shown = std::get_if<HandsShown>(&entry.fact)) return &shown->awards;
  if (auto* pot = std::get_if<PotPlayed>(&entry.fact)) return &pot->awards;
  return nullptr;
}

std::vector<MeterCall>* calls_of(Entry& entry) {
  if (auto* shown = std::get_if<HandsShown>(&entry.fact)) return &shown->calls;
  if (auto* pot = std::get_if<PotPlayed>(&entry.fact)) return &pot->calls;
  return nullptr;
}

Posting* find_posting(Entry& entry, Account account, bool positive) {
  for (Posting& posting : entry.postings) {
    if (posting.account == account && (posting.amount > Amount()) == positive) return &posting;
  }
  return nullptr;
}

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
  std::vector<Award>* awards = awards_of(entry);
  if (awards == nullptr || awards->empty() || awards->back().level) return false;
  awards->back().amount += Amount::cents(1);
  return true;
}

// With its postings in order, so that no law is broken.
bool meter_award_a_cent_more(Entry& entry) {
  std::vector<MeterCall>* calls = calls_of(entry);
  Posting* pending = find_posting(entry, Account::pending, true);
  Posting* meter = find_posting(entry, Account::meter, false);
  std::vector<Award>* awards = awards_of(entry);
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
  std::vector<Award>* awards = awards_of(entry);
  if (awards == nullptr) return false;
  for (Award& award : *awards) {
    if (award.kind != AwardKind::envy) continue;
    award.seat = *award.holder;
    return true;
  }
  return false;
}

bool envy_forgotten(Entry& entry) {
  std::vector<Award>* awards = awards_of(entry);
  return awards != nullptr && std::erase_if(*awards, [](const Award& award) {
                                return award.kind == AwardKind::envy;
                              }) > 0;
}

bool withheld_ignored(Entry& entry) {
  Posting* repaid = find_posting(entry, Account::withheld, true);
  if (repaid == nullptr) return false;
  repaid->account = repaid->pool.is_reserve() ? Account::reserve : Account::meter;
  return true;
}

bool void_lowers_the_meter(Entry& entry) {
  Posting* withheld = find_posting(entry, Account::withheld, false);
  if (withheld == nullptr) return false;
  withheld->account = withheld->pool.is_reserve() ? Account::reserve : Account::meter;
  return true;
}

// From the dealer's left.
bool wrong_order(Entry& entry) {
  std::vector<Award>* awards = awards_of(entry);
  if (awards == nullptr || awards->size() < 2) return false;
  if (awards->front().seat == awards->back().seat) return false;
  if (awards->front().link != awards->back().link) return false;
  const std::uint64_t first = first_claim(*awards);
  std::reverse(awards->begin(), awards->end());
  number_claims(*awards, first);
  return true;
}

bool odd_cent_to_the_last(Entry& entry) {
  std::vector<Award>* awards = awards_of(entry);
  const std::vector<MeterCall>* calls = calls_of(entry);
  if (awards == nullptr || calls == nullptr) return false;
  if (awards->size() < 2 || calls->size() != 1) return false;
  Award& first = awards->front();
  Award& last = awards->back();
  if (!first.level || !last.level || first.amount == last.amount) return false;
  std::swap(first.amount, last.amount);
  return true;
}

bool claim_forgotten(Entry& entry) {
  std::vector<Award>* awards = awards_of(entry);
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

bool hit_counted_as_partial(Entry& entry) {
  std::vector<MeterCall>* calls = calls_of(entry);
  if (calls == nullptr || calls->empty() || !calls->front().whole) return false;
  calls->front().whole = false;
  return true;
}

bool reserve_kept_at_reseed(Entry& entry) {
  Posting* reserve = find_posting(entry, Account::reserve, false);
  Posting* reseeded = find_posting(entry, Account::meter, true);
  if (calls_of(entry) == nullptr || reserve == nullptr || reseeded == nullptr) return false;
  if (reserve->link != reseeded->link || reseeded->amount + reserve->amount <= Amount()) {
    return false;
  }
  reseeded->amount += reserve->amount;
  reserve->amount = Amount();
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

// A mistake of the core: it decides something else than what was said. nullopt: nothing to get
// wrong.
using Mishear = std::function<std::optional<TableMessage>(const State&, TableMessage)>;

std::optional<TableMessage> repeat_taken_for_new(const State& state, TableMessage message) {
  const auto table = state.floor().find_table(message.table);
  if (!table || message.number > state.desk(*table).last_number()) return std::nullopt;
  message.number = state.desk(*table).last_number().next();
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

// What the first alteration led to: the trial must have stopped there.
template <class Mistake>
void expect_caught(const std::string& name, const Mistake& plant) {
  CAPTURE(name);
  std::size_t altered = 0;
  std::optional<std::string> divergence;
  for (std::uint64_t seed = 1; seed <= 50 && altered == 0; ++seed) {
    const FloorFile file = test_floor(seed % test_floor_count);
    const Decide decide = plant(altered);
    divergence = run_trial(file, seed, 1'500, decide).divergence;
  }
  CHECK(altered == 1);
  CHECK(divergence.has_value());
}

void expect_caught(const std::string& name, const Alter& alter) {
  expect_caught(name, [&alter](std::size_t& altered) -> Decide {
    return [&](const State& state, const FloorRules& rules, const TableMessage& message) {
      Decision decision = core_decides(state, rules, message);
      if (auto* entry = std::get_if<Entry>(&decision)) altered += alter(*entry) ? 1U : 0U;
      return decision;
    };
  });
}

// Only what makes the core say something else is a mistake.
void expect_caught(const std::string& name, const Mishear& mishear) {
  expect_caught(name, [&mishear](std::size_t& altered) -> Decide {
    return [&](const State& state, const FloorRules& rules, const TableMessage& message) {
      const auto other = mishear(state, message);
      Decision decision = core_decides(state, rules, message);
      if (!other) return decision;
      Decision misheard = core_decides(state, rules, *other);
      const auto* entry = std::get_if<Entry>(&misheard);
      const auto* right = std::get_if<Entry>(&decision);
      if (entry == nullptr) return decision;
      const bool same = right != nullptr && entry->postings == right->postings &&
                        entry->fact.index() == right->fact.index();
      if (same) return decision;
      ++altered;
      return misheard;
    };
  });
}

TEST_CASE("the judge sees a planted mistake at the first message it touches") {
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
  expect_caught("another refusal", Alter(other_refusal));
  expect_caught("a good close refused", Alter(refuses_a_good_close));
  expect_caught("a repeat taken for new", Mishear(repeat_taken_for_new));
  expect_caught("a fold overlooked", Mishear(fold_overlooked));
  expect_caught("chips not counted", Mishear(chips_not_counted));
}

}  // namespace
}  // namespace linkmeter
