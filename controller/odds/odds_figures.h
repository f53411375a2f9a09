// Figures: what a gaming laboratory, an accountant or a buyer of games needs to know about a
// paytable. All figures are per $1 wagered and exact.
//
//   return      what $1 brings back on average. "N for 1" brings N, "N to 1" N + 1 (the stake comes
//               back); a bonus on a wager that the base game decides brings N alone
//   slope       how much of $1 on a meter one round pays on average: the chance of its 100% line,
//               and a tenth of the chance of a 10% line
//   at meter    fixed lines + slope x meter / wager
//   break-even  the meter at which the return is 1, all others as they are
//   long run    fixed lines + all rates, the reserve's too, + what the house adds at each reseed
//   mean meter  at payout: what the level's own rate and its reseeds bring in / slope; and the same
//               with the reserve, which opens the next meter (of several levels, where a 100% line
//               is won first)
//   hold        1 - long-run return
//
// An opening seed is paid only once, so it does not count in the long run; the reseed returns with
// every 100% award. Several winners with equal wagers share an award: all of their wagers feed it.
// A bonus on a wager of the base game has neither a long run nor a hold of its own. Players are
// assumed not to fold a hand that a line pays.
#pragma once

#include <optional>
#include <vector>

#include "controller/odds/odds_options.h"
#include "controller/odds/rational.h"
#include "meters/game/game_rules.h"

namespace linkmeter::odds {

// A hold above this gives a warning: 46 Pa.B. 5540 removed paytables for this reason.
inline constexpr Rate hold_warning = Rate::from_ppm(250'000);

struct LevelFigures {
  Rational whole;                      // the probability of its 100% line
  Rational slope;                      // dollars per dollar on the meter
  std::optional<Rational> break_even;  // dollars; below 0: the other lines alone return 1
  std::optional<Rational> mean_meter;  // dollars
  std::optional<Rational> mean_meter_with_reserve;  // dollars; only with a reserve
  std::optional<Rational> house_funded;             // per $1
};

struct Figures {
  std::vector<std::optional<Rational>> per_line;  // each line's part of `at_meter`
  Rational fixed;
  std::vector<LevelFigures> levels;
  std::optional<Rational> at_meter;
  std::optional<Rational> long_run;
  std::optional<Rational> hold;
};

// `chances`: one for each line of the paytable.
Figures figures_of(const WagerRules& wager, const Paytable& paytable,
                   const std::vector<Rational>& chances, const OddsInputs& terms);

// Whether the base game decides the wager, and the line pays only a bonus.
bool is_bonus_on_base_wager(const WagerRules& wager);

// What the hand of one other player at the table adds to the return of a player with this wager.
struct EnvyReturn {
  Amount wager;
  bool or_more = false;  // larger wagers return less: the amounts are fixed
  Rational per_player;
};
std::vector<EnvyReturn> envy_returns(const Paytable& paytable,
                                     const std::vector<Rational>& chances);

// What a draw adds, if the house offers it. The Magic Card is one of the deck's 52; the Lucky
// position is a seat or, if bets on the dealer's hand are allowed, the dealer's place.
struct BonusReturn {
  Bonus::Kind kind = Bonus::Kind::magic_card;
  Rational chance;  // for a bettor, in every round
  Rational returns;
};
std::vector<BonusReturn> bonus_returns(const WagerRules& wager, const Paytable& paytable,
                                       const OddsInputs& terms);

}  // namespace linkmeter::odds
