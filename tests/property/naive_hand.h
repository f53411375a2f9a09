// Naive hand: what cards are called, tried one possibility after the other, with nothing shared
// with meters/hand: every suit, every run, every rank, every five of seven, every card that a joker
// might be. Slow, and easy to see.
#pragma once

#include <string>
#include <vector>

#include "meters/game/card.h"

namespace linkmeter {

// Does the line of this wager fit the cards, and the dealer's where both count? A line that the
// wager does not have fits nothing.
bool naive_line_fits(const std::string& wager, const std::string& line,
                     const std::vector<Card>& cards, const std::vector<Card>& dealer);

// The best five of five to seven cards: first the place of its name among naive_poker_names(), then
// the ranks in order of importance. Greater is better; equal hands are equal.
std::vector<int> naive_poker_strength(const std::vector<Card>& cards);

// Lowest first: high_card ... royal_flush.
const std::vector<std::string>& naive_poker_names();

}  // namespace linkmeter
