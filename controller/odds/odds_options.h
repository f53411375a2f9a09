// Odds options: the figures on which the return of a wager depends: unit, seeds, rates, the meter,
// how often the table draws. The game rules fix some figures, set a minimum for others and leave
// the rest to the house. A figure that is not stated stays open, and so does every result that
// depends on it.
#pragma once

#include <optional>
#include <vector>

#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter::odds {

// What the user states for one level.
struct StatedLevel {
  std::optional<Amount> seed;
  std::optional<Amount> reseed;
  std::optional<Amount> meter;
  std::optional<Rate> rate;
};

struct Stated {
  Amount unit = Amount::dollars(1);
  std::vector<StatedLevel> levels;  // as many as the paytable has
  std::optional<Rate> reserve_rate;
  int winners = 1;  // players with equal wagers who share one award of a meter
  Rate draw_rate = Rate::from_ppm(Rate::ppm_whole);
  int seats = 0;
  int decks = 1;
};

struct Level {
  LevelId id;
  std::optional<Amount> seed;
  std::optional<Amount> reseed;
  std::optional<Amount> meter;  // when the line is paid
  std::optional<Rate> rate;
};

struct OddsInputs {
  Amount unit;
  std::vector<Level> levels;
  Rate reserve_rate;
  int winners = 1;
  Rate draw_rate;
  int seats = 0;
  int decks = 1;
};

// A figure that is not stated is the minimum of the rules, if there is one; the meter is the seed.
// Throws Fault, with the section, if a stated figure violates the rules.
OddsInputs odds_inputs_of(const WagerRules& wager, const Paytable& paytable, const Stated& stated);

// The paytable without any optional line.
Paytable without_options(Paytable paytable);

}  // namespace linkmeter::odds
