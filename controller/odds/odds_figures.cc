#include "controller/odds/odds_figures.h"

#include <algorithm>

#include "meters/game/hand.h"
#include "meters/values/invariant.h"

namespace linkmeter::odds {

namespace {

// What $1 on a fixed line returns when the line is hit.
Rational brings(const WagerRules& wager, const Pays& pays) {
  const bool stake_returns = pays.kind == Pays::Kind::to_one && !is_bonus_on_base_wager(wager);
  return Rational(static_cast<long>(pays.multiple + (stake_returns ? 1 : 0)));
}

LevelFigures slopes_of(const Paytable& paytable, const std::vector<Rational>& chances,
                       std::size_t level) {
  LevelFigures figures;
  for (std::size_t place = 0; place < paytable.lines.size(); ++place) {
    const Pays& pays = paytable.lines[place].pays;
    if (pays.kind != Pays::Kind::meter || pays.level.value() != level) continue;
    if (pays.share.is_whole()) figures.whole += chances[place];
    figures.slope += chances[place] * fraction(pays.share);
  }
  return figures;
}

// The part of the reserve that opens this level's next meter.
Rational reserve_share(const std::vector<LevelFigures>& levels, const LevelFigures& own) {
  Rational whole;
  for (const LevelFigures& level : levels) whole += level.whole;
  return sgn(whole) == 0 ? Rational() : Rational(own.whole / whole);
}

class Reckoning {
 public:
  Reckoning(const Paytable& paytable, const OddsInputs& terms, Figures& figures)
      : paytable_(paytable),
        terms_(terms),
        figures_(figures),
        wagers_(in_dollars(terms.unit) * terms.winners) {}

  // Lines on a meter, after all slopes are known.
  void at_meter(const std::vector<Rational>& chances) {
    Rational sum = figures_.fixed;
    bool is_open = false;
    for (std::size_t place = 0; place < paytable_.lines.size(); ++place) {
      const Pays& pays = paytable_.lines[place].pays;
      if (pays.kind != Pays::Kind::meter) continue;
      const Level& level = terms_.levels[pays.level.value()];
      if (!level.meter) {
        is_open = true;
        continue;
      }
      const Rational part =
          chances[place] * fraction(pays.share) * in_dollars(*level.meter) / wagers_;
      figures_.per_line[place] = part;
      sum += part;
    }
    if (!is_open) figures_.at_meter = sum;
  }

  void of_level(std::size_t place) {
    const Level& level = terms_.levels[place];
    LevelFigures& figures = figures_.levels[place];
    if (sgn(figures.slope) == 0) return;
    if (figures_.at_meter) {
      const Rational others =
          *figures_.at_meter - figures.slope * in_dollars(*level.meter) / wagers_;
      figures.break_even = Rational((1 - others) * wagers_ / figures.slope);
    }
    if (!level.reseed) return;
    const Rational reseeds = figures.whole * in_dollars(*level.reseed);
    figures.house_funded = Rational(reseeds / wagers_);
    if (!level.rate) return;
    const Rational rate = fraction(*level.rate);
    figures.mean_meter = Rational((rate * wagers_ + reseeds) / figures.slope);
    if (terms_.reserve_rate == Rate()) return;
    const Rational rates =
        rate + fraction(terms_.reserve_rate) * reserve_share(figures_.levels, figures);
    figures.mean_meter_with_reserve = Rational((rates * wagers_ + reseeds) / figures.slope);
  }

  void in_the_long_run() {
    Rational sum = figures_.fixed;
    if (!paytable_.levels.empty()) sum += fraction(terms_.reserve_rate);
    for (std::size_t place = 0; place < terms_.levels.size(); ++place) {
      const Level& level = terms_.levels[place];
      if (!level.rate || !figures_.levels[place].house_funded) return;
      sum += fraction(*level.rate) + *figures_.levels[place].house_funded;
    }
    figures_.long_run = sum;
    figures_.hold = Rational(1 - sum);
  }

 private:
  const Paytable& paytable_;
  const OddsInputs& terms_;
  Figures& figures_;
  const Rational wagers_;  // of all who share an award
};

}  // namespace

Figures figures_of(const WagerRules& wager, const Paytable& paytable,
                   const std::vector<Rational>& chances, const OddsInputs& terms) {
  INVARIANT(chances.size() == paytable.lines.size() &&
            terms.levels.size() == paytable.levels.size());
  Figures figures;
  figures.per_line.resize(paytable.lines.size());
  for (std::size_t place = 0; place < paytable.lines.size(); ++place) {
    const Pays& pays = paytable.lines[place].pays;
    if (pays.kind == Pays::Kind::meter) continue;
    figures.per_line[place] = Rational(chances[place] * brings(wager, pays));
    figures.fixed += *figures.per_line[place];
  }
  for (std::size_t level = 0; level < paytable.levels.size(); ++level) {
    figures.levels.push_back(slopes_of(paytable, chances, level));
  }
  Reckoning reckoning(paytable, terms, figures);
  reckoning.at_meter(chances);
  for (std::size_t level = 0; level < paytable.levels.size(); ++level) reckoning.of_level(level);
  if (!is_bonus_on_base_wager(wager)) reckoning.in_the_long_run();
  return figures;
}

bool is_bonus_on_base_wager(const WagerRules& wager) {
  return wager.hand == HandKind::three_card_beaten;
}

std::vector<EnvyReturn> envy_returns(const Paytable& paytable,
                                     const std::vector<Rational>& chances) {
  INVARIANT(chances.size() == paytable.lines.size());
  std::vector<EnvyReturn> returns;
  for (std::size_t place = 0; place < paytable.lines.size(); ++place) {
    const EnvyLine* envy = paytable.envy_for(paytable.lines[place].id);
    if (envy == nullptr) continue;
    for (const EnvyStep& step : envy->by_wager) {
      auto found = std::find_if(returns.begin(), returns.end(), [&](const EnvyReturn& other) {
        return other.wager == step.wager && other.or_more == step.or_more;
      });
      if (found == returns.end()) {
        found = returns.insert(returns.end(), {step.wager, step.or_more, Rational()});
      }
      found->per_player += chances[place] * in_dollars(step.amount) / in_dollars(step.wager);
    }
  }
  std::sort(returns.begin(), returns.end(), [](const EnvyReturn& left, const EnvyReturn& right) {
    return left.wager < right.wager;
  });
  return returns;
}

std::vector<BonusReturn> bonus_returns(const WagerRules& wager, const Paytable& paytable,
                                       const OddsInputs& terms) {
  std::vector<BonusReturn> returns;
  for (const Bonus& bonus : paytable.bonuses) {
    BonusReturn added{bonus.kind, 0, 0};
    if (bonus.kind == Bonus::Kind::magic_card) {
      // 1 minus the probability that no card is a copy of the drawn one.
      std::size_t cards = std::max<std::size_t>(bonus.first_cards, 1);
      while (bonus.first_cards == 0 && !card_count_fits(wager.hand, cards)) ++cards;
      Rational none = 1;
      for (int taken = 0; taken < static_cast<int>(cards); ++taken) {
        const int left = Card::per_deck * terms.decks - taken;
        none *=
            ratio(static_cast<std::uint64_t>(left - terms.decks), static_cast<std::uint64_t>(left));
      }
      added.chance = 1 - none;
    } else {
      const int places = terms.seats + (wager.decided_by == DecidedBy::either_hand ? 1 : 0);
      added.chance = ratio(1, static_cast<std::uint64_t>(places));
    }
    added.chance *= fraction(terms.draw_rate);
    added.returns = added.chance * Rational(static_cast<long>(bonus.multiple));
    returns.push_back(added);
  }
  return returns;
}

}  // namespace linkmeter::odds
