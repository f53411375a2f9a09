// Rules comparison: what another chapter, paytable or option makes of one link, or of a game: a
// line for each thing that decides or pays (L8), whatever the paytable is called. Lines, envy and
// levels are compared by their names. Nothing is left out: a rule that none of these lines can tell
// gets a line that says so.
#pragma once

#include <string>
#include <vector>

#include "meters/floor/floor.h"

namespace linkmeter {

// "PG-FORTUNE straight pays 2 to 1 -> 700 to 1". Both as rules_alone() leaves them.
void compare_rules(std::vector<std::string>& lines, const std::string& link, LinkRules before,
                   const LinkRules& after);
// "crazy-4 joker false -> true". Likewise.
void compare_rules(std::vector<std::string>& lines, const std::string& game, GameRules before,
                   const GameRules& after);

}  // namespace linkmeter
