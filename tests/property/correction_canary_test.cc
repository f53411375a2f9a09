// Tests the judge of corrected hands: wrong corrections, planted between the core and the trial.
// Each must be reported, and at the first message that it affects.

#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/property/expect_caught.h"
#include "tests/property/planted.h"

namespace linkmeter::correction_canary_test {
namespace {

bool old_award_not_reversed(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr || corrected->reversed.empty()) return false;
  corrected->reversed.pop_back();
  return true;
}

// Names the entry of the show, although the hand had been corrected since.
bool wrong_entry_linked(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr) return false;
  corrected->corrects = EntryNumber(corrected->corrects.value() - 1);
  return true;
}

bool old_cards_settled(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr || corrected->cards == corrected->old_cards) return false;
  corrected->cards = corrected->old_cards;
  return true;
}

bool corrected_award_forgotten(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr || corrected->awards.empty()) return false;
  corrected->hits.clear();
  corrected->awards.clear();
  entry.postings.clear();
  return true;
}

bool fold_forgotten(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr || !corrected->folded) return false;
  corrected->folded = false;
  return true;
}

bool corrected_for_another_reason(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr || corrected->reason == HandReason::misread_card) return false;
  corrected->reason = HandReason::misread_card;
  return true;
}

std::optional<TimedInput> anybody_corrects(const State& state, TimedInput heard) {
  auto* asked = std::get_if<PersonMessage>(&heard.said);
  if (asked == nullptr || !std::holds_alternative<CorrectHand>(asked->act)) return std::nullopt;
  for (const auto& [badge, person] : state.people()) {
    if (!person.has(Right::correct_hands)) continue;
    asked->by = badge;
    return heard;
  }
  return std::nullopt;
}

std::optional<TimedInput> corrected_and_validated_by_one(const State& state, TimedInput heard) {
  auto* asked = std::get_if<PersonMessage>(&heard.said);
  const auto* validate = asked == nullptr ? nullptr : std::get_if<ValidateClaim>(&asked->act);
  const Claim* claim = validate == nullptr ? nullptr : state.find_claim(validate->claim);
  if (claim == nullptr || asked->by != claim->corrected_by) return std::nullopt;
  for (const auto& [badge, person] : state.people()) {
    if (badge == claim->corrected_by || !person.has(Right::validate_claims)) continue;
    asked->by = badge;
    return heard;
  }
  return std::nullopt;
}

// Pays the last claim of the entry, if it is a fixed award and no Envy waits for it.
bool corrected_award_paid(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr) return false;
  std::vector<Award>& awards = corrected->awards;
  const auto last = std::find_if(awards.rbegin(), awards.rend(),
                                 [](const Award& award) { return award.claim.has_value(); });
  if (last == awards.rend() || last->level) return false;
  const bool is_awaited = std::any_of(awards.begin(), awards.end(), [&last](const Award& award) {
    return award.waits_for == last->claim;
  });
  if (is_awaited) return false;
  last->claim.reset();
  last->source = PaymentSource::table_inventory;
  return true;
}

// A dealer's void of a round with a pending claim, as if a floorperson had signed it.
std::optional<TableMessage> voided_by_dealer(const State& state, TableMessage message) {
  auto* request = std::get_if<VoidRound>(&message.command);
  const auto table = state.floor().find_table(message.table);
  if (request == nullptr || request->seat || !table) return std::nullopt;
  if (!request->by.empty() && state.find_person(request->by) != nullptr) return std::nullopt;
  if (state.session(*table).find_round(request->round) == nullptr) return std::nullopt;
  std::size_t pending = 0;
  for (const Claim& claim : state.claims()) {
    if (claim.table != *table || claim.round != request->round) continue;
    if (claim.state == ClaimState::validated || claim.state == ClaimState::paid) {
      return std::nullopt;
    }
    pending += claim.state == ClaimState::raised ? 1 : 0;
  }
  if (pending == 0) return std::nullopt;
  for (const auto& [badge, person] : state.people()) {
    if (!person.has(Right::validate_claims) || person.removed || person.pin_set_by_other) continue;
    request->by = badge;
    return message;
  }
  return std::nullopt;
}

// A hand that was cleared stays on the table with its old cards.
bool no_hand_kept(Entry& entry) {
  auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  if (corrected == nullptr || !corrected->is_no_hand()) return false;
  if (corrected->old_cards.empty()) return false;  // it had none: nothing is wrong
  corrected->cards = corrected->old_cards;
  return true;
}

TEST_CASE("the judge reports a planted mistake in a corrected hand") {
  expect_caught("an old award not reversed", Alter(old_award_not_reversed));
  expect_caught("another entry linked", Alter(wrong_entry_linked));
  expect_caught("the old cards kept", Alter(old_cards_settled));
  expect_caught("what the new hand wins forgotten", Alter(corrected_award_forgotten));
  expect_caught("a fold forgotten", Alter(fold_forgotten));
  expect_caught("corrected for another reason", Alter(corrected_for_another_reason));
  expect_caught("no hand, and it is left", Alter(no_hand_kept));
  expect_caught("a corrected award paid at once", Alter(corrected_award_paid));
  expect_caught("a pending claim rejected by a dealer", Mishear(voided_by_dealer));
  expect_caught("corrected by anybody", MishearPerson(anybody_corrects));
  expect_caught("validated by who corrected it", MishearPerson(corrected_and_validated_by_one));
}

}  // namespace
}  // namespace linkmeter::correction_canary_test
