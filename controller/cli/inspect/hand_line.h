// Hand line: one hand in JSON, as `linkmeter hand` reads it: the cards, those of the dealer or the
// board. The result is the paytable line that it makes.
#pragma once

#include <string>

#include "meters/game/game_rules.h"

namespace linkmeter::cli {

// The line that pays, or "" for none. A wager's paytables differ in what they pay, not in their
// lines; lines that the house may leave out count too. A pot-funded wager has no lines: returns the
// hand's category. Throws Fault if the text is not a hand of the wager.
std::string hand_line(const WagerRules& wager, const GameRules& game, const std::string& text);

}  // namespace linkmeter::cli
