#include "controller/view/rounds_json.h"

#include <algorithm>

#include "controller/view/claim_json.h"

namespace linkmeter {
namespace {

// The claims of these awards that stand.
Json claims_of(const State& state, const std::vector<Award>& awards) {
  Json claims = Json::array();
  for (const Award& award : awards) {
    const Claim* claim = award.claim ? state.find_claim(*award.claim) : nullptr;
    if (claim != nullptr && claim->state != ClaimState::rejected) {
      claims.push_back(claim->number.value());
    }
  }
  return claims;
}

Json hand_json(const ShownHand& hand) {
  return Json{
      {"seat", hand.seat.value()}, {"cards", cards_json(hand.cards)}, {"folded", hand.folded}};
}

Json shown_json(const State& state, const Round& round, const SeatShown& shown) {
  Json told = hand_json(shown.hand);
  told["entry"] = shown.entry.value();
  told["claims"] = claims_of(state, shown.awards);
  told["void"] = round.is_void(shown.hand.seat);
  return told;
}

// What lies on the dealer's side, and the claims that hang on it; null: nothing yet.
Json dealer_json(const State& state, const Round& round) {
  const DealerShown& dealer = round.dealer;
  if (dealer.entry == EntryNumber()) return nullptr;
  const std::optional<Draw>& draw = round.draw;
  return Json{{"cards", cards_json(dealer.cards)},
              {"board", cards_json(dealer.board)},
              {"magic", draw && draw->magic ? Json(text(*draw->magic)) : Json()},
              {"lucky", draw && draw->seat ? Json(draw->seat->value()) : Json()},
              {"entry", dealer.entry.value()},
              {"claims", claims_of(state, round.awards)}};
}

Json seats_json(const std::vector<Seat>& seats) {
  Json list = Json::array();
  for (const Seat seat : seats) list.push_back(seat.value());
  return list;
}

}  // namespace

Json pots_json(const State& state, TableIndex table, std::size_t most) {
  std::vector<const PlayedPot*> newest;
  for (const PlayedPot& pot : state.desk(table).pots()) newest.push_back(&pot);
  // Of two corrected ones the one that was put right last.
  std::sort(newest.begin(), newest.end(),
            [](const PlayedPot* one, const PlayedPot* other) { return one->entry > other->entry; });
  if (newest.size() > most) newest.resize(most);
  Json list = Json::array();
  for (const PlayedPot* pot : newest) {
    Json hands = Json::array();
    for (const ShownHand& hand : pot->hands) hands.push_back(hand_json(hand));
    list.push_back(Json{{"pot", pot->id.text()},
                        {"amount", text_cents(pot->pot)},
                        {"board", cards_json(pot->board)},
                        {"showdown", pot->showdown},
                        {"hands", std::move(hands)},
                        {"entry", pot->entry.value()},
                        {"claims", claims_of(state, pot->awards)}});
  }
  return list;
}

Json rounds_json(const State& state, TableIndex table, std::size_t most) {
  Json list = Json::array();
  const std::vector<Round>& rounds = state.desk(table).rounds();
  std::vector<const Round*> newest;
  newest.reserve(rounds.size());
  for (const Round& round : rounds) newest.push_back(&round);
  const auto last_entry = [](const Round* round) {
    EntryNumber last = round->dealer.entry;
    for (const SeatShown& shown : round->shown) last = std::max(last, shown.entry);
    return last;
  };
  std::stable_sort(newest.begin(), newest.end(), [&](const Round* one, const Round* other) {
    return last_entry(one) > last_entry(other);
  });
  if (newest.size() > most) newest.resize(most);
  for (const Round* round : newest) {
    Json hands = Json::array();
    for (const SeatShown& shown : round->shown) {
      hands.push_back(shown_json(state, *round, shown));
    }
    list.push_back(Json{{"round", round->id.text()},
                        {"blocked", round->blocked},
                        {"dealer_shown", round->dealer_shown},
                        {"dealer", dealer_json(state, *round)},
                        {"void", seats_json(round->voided)},
                        {"hands", std::move(hands)}});
  }
  return list;
}

}  // namespace linkmeter
