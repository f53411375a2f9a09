// Naive hand: the names of hands, found by trying all possibilities, without code of
// meters/game/hand.h: every suit, every run, every rank, every five of seven, every card for a
// joker. It is slow and simple.
#pragma once

#include <string>
#include <vector>

#include "meters/game/card.h"

namespace linkmeter {

// Whether the line of this wager fits the cards, and the dealer's cards if both count. A line that
// the wager does not have fits nothing.
bool naive_line_fits(const std::string& wager, const std::string& line,
                     const std::vector<Card>& cards, const std::vector<Card>& dealer);

// The best five of five to seven cards: first the index of its name in naive_poker_names(), then
// the ranks in order of importance. Greater is better; equal hands are equal.
std::vector<int> naive_poker_strength(const std::vector<Card>& cards);

// Lowest first: high_card ... royal_flush.
const std::vector<std::string>& naive_poker_names();

}  // namespace linkmeter
