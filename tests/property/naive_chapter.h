// Alterations of a floor's chapters in a trial. The naive rules do not read the catalogue. So code
// that alters a chapter's text for a trial adds a note at the end of the text, and only the notes
// alter the naive rules. A note that does not match the text causes a difference.
//
//   # altered: pai-gow-poker/fortune-bonus|B|pays|straight|700
#pragma once

#include <string>
#include <vector>

#include "tests/property/dice.h"
#include "tests/property/naive_rules.h"

namespace linkmeter {

// The game of the chapter.
std::string chapter_game(const std::string& chapter);

// Makes one change in the wager's paytable, and notes it: what a line pays, an envy, the amount
// from which a person verifies, a line removed or moved to the end. False: there is nothing to
// alter.
bool alter_chapter(std::vector<std::string>& chapters, const std::string& wager,
                   const std::string& paytable, const NaiveRules& rules, Dice& dice);

// Applies all notes, in their order.
void apply_notes(const std::vector<std::string>& chapters, const std::string& wager,
                 const std::string& paytable, NaiveRules& rules);

}  // namespace linkmeter
