// Dealer draw: every hand that a Blackjack dealer can end with, and how likely it is, exactly. The
// dealer has a full shoe before him, takes two cards, draws to 17 and stands on all 17s, soft ones
// too; he completes the hand whatever the players hold, and a Blackjack ends it at once.
//
// No player's card is seen, so every card that is not the dealer's stands in the shoe. Each card
// drawn changes the shoe for the next (composition-dependent); nothing is put back.
#pragma once

#include <vector>

#include "controller/odds/rational.h"
#include "meters/game/card.h"
#include "meters/game/game_rules.h"

namespace linkmeter::odds {

// The same cards in another order are the same hand. The suits stand for any.
struct DealerHand {
  std::vector<Card> cards;
  Exact probability;
};

// REQUIRES: at least one deck.
std::vector<DealerHand> dealer_hands(int decks);

// Does the dealer's hand decide the wager, or its part of it?
bool hangs_on_draw(HandKind kind);

// For each line how likely the dealer's hand is one that the line asks for. Where a player's 20 is
// asked for too, this is the dealer's side alone. REQUIRES: hangs_on_draw(kind).
std::vector<Exact> dealer_chances(HandKind kind, const Paytable& paytable,
                                  const std::vector<DealerHand>& hands);

}  // namespace linkmeter::odds
