// Hand line: one hand in JSON, as `linkmeter hand` is given it: the cards, those of the dealer or
// the board, and the line of the paytable that they are.
#pragma once

#include <string>

#include "meters/game/game_rules.h"

namespace linkmeter::cli {

// The line that pays, or "" for none. A wager's paytables differ in what they pay, not in their
// lines; a line that the house may leave out is told too. A pot-funded wager has no lines: the
// category is told. Throws Fault in words if the text is no hand of the wager.
std::string hand_line(const WagerRules& wager, const GameRules& game, const std::string& text);

}  // namespace linkmeter::cli
