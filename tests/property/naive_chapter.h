// Naive chapter: what a trial altered in the chapters of a floor. The naive rules are no reading of
// the catalogue; so whoever alters a chapter's text for a trial also notes it at the text's end,
// and the naive rules are altered by the notes alone. A note that does not say what the text now
// says is a difference.
//
//   # altered: pai-gow-poker/fortune-bonus|B|pays|straight|700
#pragma once

#include <string>
#include <vector>

#include "tests/property/dice.h"
#include "tests/property/naive_rules.h"

namespace linkmeter {

// The game that the chapter is of.
std::string chapter_game(const std::string& chapter);

// Alters one thing of the wager's paytable, and notes it: what a line pays, an envy, from where on
// a person verifies, a line taken away or put last. False: there is nothing of it to alter.
bool alter_chapter(std::vector<std::string>& chapters, const std::string& wager,
                   const std::string& paytable, const NaiveRules& rules, Dice& dice);

// By all notes, in their order.
void apply_notes(const std::vector<std::string>& chapters, const std::string& wager,
                 const std::string& paytable, NaiveRules& rules);

}  // namespace linkmeter
