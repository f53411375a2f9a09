// Dealer draw: every hand that a Blackjack dealer can end with, and its exact probability. The
// dealer has a full shoe, takes two cards, draws to 17 and stands on all 17s, soft ones too; the
// dealer completes the hand whatever the players hold, and a Blackjack ends it at once.
//
// No player's card is seen, so all cards except the dealer's remain in the shoe. Each drawn card
// changes the shoe for the next one (composition-dependent); no card is put back.
#pragma once

#include <vector>

#include "controller/odds/rational.h"
#include "meters/game/card.h"
#include "meters/game/game_rules.h"

namespace linkmeter::odds {

// Order does not matter. Suits are arbitrary.
struct DealerHand {
  std::vector<Card> cards;
  Rational probability;
};

// REQUIRES: at least one deck.
std::vector<DealerHand> dealer_hands(int decks);

// Whether the dealer's hand decides the wager, or a part of it.
bool depends_on_draw(HandKind kind);

// For each line, the probability that the dealer's hand qualifies. If the line also needs a
// player's 20, this is the dealer's side alone. REQUIRES: depends_on_draw(kind).
std::vector<Rational> dealer_chances(HandKind kind, const Paytable& paytable,
                                     const std::vector<DealerHand>& hands);

}  // namespace linkmeter::odds
