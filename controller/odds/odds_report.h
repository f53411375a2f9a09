// Sheet: all that the odds say of one paytable, ready to be printed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "controller/odds/hand_counts.h"
#include "controller/odds/odds_figures.h"
#include "controller/odds/odds_options.h"
#include "controller/odds/rational.h"
#include "meters/game/game_rules.h"

namespace linkmeter::odds {

struct Sheet {
  Paytable paytable;  // with the lines that are looked at
  Terms terms;
  std::optional<std::uint64_t> total;  // hands, where they can be counted
  std::vector<std::uint64_t> hands;    // per line, beside total
  std::vector<Exact> chances;          // per line
  std::optional<Figures> figures;      // not where only the dealer's side is known
  std::vector<EnvyReturn> envy;
  std::vector<BonusReturn> bonuses;
};

// Is it only known how likely the dealer's side of a line is? What a player of Blackjack holds
// depends on how he plays.
bool is_dealer_side_only(const WagerRules& wager);

// REQUIRES: is_countable(wager.hand), and the counts are of that kind.
Sheet counted_sheet(const WagerRules& wager, const Paytable& paytable, const Terms& terms,
                    const HandCounts& counts);
// REQUIRES: hangs_on_draw(wager.hand). The shoe has terms.decks decks.
Sheet drawn_sheet(const WagerRules& wager, const Paytable& paytable, const Terms& terms);

}  // namespace linkmeter::odds
