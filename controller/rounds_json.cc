#include "controller/rounds_json.h"

#include <algorithm>

#include "controller/claim_json.h"

namespace linkmeter {
namespace {

Json hand_json(const State& state, const SeatShown& shown) {
  Json cards = Json::array();
  for (const Card card : shown.hand.cards) cards.push_back(text(card));
  Json claims = Json::array();
  for (const Award& award : shown.awards) {
    const Claim* claim = award.claim ? state.find_claim(*award.claim) : nullptr;
    if (claim != nullptr && claim->state != ClaimState::rejected) {
      claims.push_back(claim->number.value());
    }
  }
  return Json{{"seat", shown.hand.seat.value()},
              {"cards", std::move(cards)},
              {"folded", shown.hand.folded},
              {"entry", shown.entry.value()},
              {"claims", std::move(claims)}};
}

}  // namespace

Json rounds_json(const State& state, TablePlace table, std::size_t most) {
  Json list = Json::array();
  const std::vector<Round>& rounds = state.desk(table).rounds();
  std::vector<const Round*> newest;
  newest.reserve(rounds.size());
  for (const Round& round : rounds) newest.push_back(&round);
  const auto last_entry = [](const Round* round) {
    EntryNumber last;
    for (const SeatShown& shown : round->shown) last = std::max(last, shown.entry);
    return last;
  };
  std::stable_sort(newest.begin(), newest.end(), [&](const Round* one, const Round* other) {
    return last_entry(one) > last_entry(other);
  });
  if (newest.size() > most) newest.resize(most);
  for (const Round* round : newest) {
    Json hands = Json::array();
    for (const SeatShown& shown : round->shown) hands.push_back(hand_json(state, shown));
    list.push_back(Json{{"round", round->id.text()},
                        {"blocked", round->blocked},
                        {"dealer_shown", round->dealer_shown},
                        {"hands", std::move(hands)}});
  }
  return list;
}

}  // namespace linkmeter
