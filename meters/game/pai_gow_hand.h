// Pai Gow hand: what seven cards, one of them perhaps the joker, hold for the wagers of Ch. 645a.
//
// The joker is an ace, or any card that completes a straight, a flush, a straight flush or a royal
// flush (§ 645a.6(a)): never a king beside kings, nor a second card of a pair. The set holds what
// every such use gives, so the order of a paytable's lines decides which of them pays. Every hand
// of the deck goes through here when odds are counted: what pays is what was counted, and it is
// fast.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "meters/game/card.h"
#include "meters/game/hand.h"

namespace linkmeter {

// Seven cards by suit (clubs, diamonds, hearts, spades): bit 0 is the deuce, bit 12 the ace.
struct SevenCards {
  std::array<std::uint16_t, 4> suits{};
  bool joker = false;
  friend bool operator==(const SevenCards&, const SevenCards&) = default;
};

SevenCards seven_cards(std::span<const Card> cards);

// REQUIRES: seven cards, no bit above the ace's.
CategorySet pai_gow_categories(const SevenCards& hand);

}  // namespace linkmeter
