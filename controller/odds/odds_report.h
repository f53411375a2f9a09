// OddsReport: all computed odds of one paytable, ready to print.
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

struct OddsReport {
  Paytable paytable;  // only the lines in the report
  OddsInputs terms;
  std::optional<std::uint64_t> total;  // number of hands, if they can be counted
  std::vector<std::uint64_t> hands;    // by line, out of `total`
  std::vector<Rational> chances;       // by line
  std::optional<Figures> figures;      // nullopt if only the dealer's side is known
  std::vector<EnvyReturn> envy;
  std::vector<BonusReturn> bonuses;
};

// Whether only the probability of a line's dealer side is known. A Blackjack player's hand depends
// on the player's strategy.
bool is_dealer_side_only(const WagerRules& wager);

// REQUIRES: is_countable(wager.hand), and the counts are of that kind.
OddsReport counted_report(const WagerRules& wager, const Paytable& paytable,
                          const OddsInputs& terms, const HandCounts& counts);
// REQUIRES: depends_on_draw(wager.hand). The shoe has terms.decks decks.
OddsReport drawn_report(const WagerRules& wager, const Paytable& paytable, const OddsInputs& terms);

}  // namespace linkmeter::odds
