// Terms: the figures of a wager on which its return rests: unit, seeds, rates, the meter, how often
// the table draws. The chapter fixes some, sets a least for others and leaves the rest to the
// house; what nobody has stated stays open, and so does what follows from it.
#pragma once

#include <optional>
#include <vector>

#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter::odds {

// What the person at the keyboard states for one level.
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
  int winners = 1;  // of one award of a meter, with equal wagers, who share it
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

struct Terms {
  Amount unit;
  std::vector<Level> levels;
  Rate reserve_rate;
  int winners = 1;
  Rate draw_rate;
  int seats = 0;
  int decks = 1;
};

// Where the chapter has a least and nothing is stated, the least; the meter stands at its seed
// unless another is stated. Throws Fault, with the section, if what is stated contradicts the
// chapter.
Terms terms_of(const WagerRules& wager, const Paytable& paytable, const Stated& stated);

// The paytable as a house offers it that chooses no option.
Paytable without_options(Paytable paytable);

}  // namespace linkmeter::odds
