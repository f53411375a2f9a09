#include "controller/odds/odds_options.h"

#include <algorithm>
#include <string>

#include "meters/values/invariant.h"
#include "proto/host/fault.h"

namespace linkmeter::odds {

namespace {

[[noreturn]] void refuse(const LevelRule& rule, const std::string& says) {
  throw Fault("level " + rule.id.text() + ": " + says + " (" + rule.section + ")");
}

// The minimum of the rules for seed and reseed, if there is one.
std::optional<Amount> least_seed(const LevelRule& rule, Amount unit) {
  std::optional<Amount> least = rule.seed_min;
  if (rule.seed_for_one_min) {
    least = std::max(least.value_or(Amount()), unit.times(*rule.seed_for_one_min));
  }
  return least;
}

// The stated figure, if the rules leave it to the house; else the fixed or minimum figure.
template <class Figure>
std::optional<Figure> settled(const LevelRule& rule, const std::string& what,
                              std::optional<Figure> stated, std::optional<Figure> fixed,
                              std::optional<Figure> least, std::string (*in_words)(Figure)) {
  if (fixed) {
    if (stated && *stated != *fixed) {
      refuse(rule, "the chapter fixes the " + what + " at " + in_words(*fixed));
    }
    return fixed;
  }
  if (stated && least && *stated < *least) {
    refuse(rule, "the " + what + " is at least " + in_words(*least));
  }
  return stated ? stated : least;
}

std::string in_words(Rate rate) { return text(rate); }
std::string in_words(Amount amount) { return "$" + text_cents(amount); }

Level level_of(const LevelRule& rule, const StatedLevel& stated, Amount unit) {
  const auto times_unit = [unit](std::optional<std::int64_t> multiple) {
    return multiple ? std::optional(unit.times(*multiple)) : std::nullopt;
  };
  Level level;
  level.id = rule.id;
  const std::optional<Amount> least = least_seed(rule, unit);
  level.seed =
      settled<Amount>(rule, "seed", stated.seed, times_unit(rule.seed_for_one), least, in_words);
  std::optional<Amount> fixed_reseed = times_unit(rule.reseed_for_one);
  if (!fixed_reseed) fixed_reseed = times_unit(rule.seed_for_one);
  level.reseed = settled<Amount>(rule, "reseed", stated.reseed, fixed_reseed, least, in_words);
  if (!stated.reseed && !fixed_reseed) level.reseed = level.seed;
  level.rate = settled<Rate>(rule, "rate", stated.rate, rule.rate, rule.rate_min, in_words);
  level.meter = stated.meter ? stated.meter : level.seed;
  return level;
}

// Whether several winners may share one award of a meter.
bool is_shared(const WagerRules& wager) {
  return wager.sharing == Sharing::equal || wager.sharing == Sharing::proportional ||
         wager.decided_by == DecidedBy::either_hand;
}

}  // namespace

OddsInputs odds_inputs_of(const WagerRules& wager, const Paytable& paytable, const Stated& stated) {
  INVARIANT(stated.levels.size() == paytable.levels.size());
  OddsInputs terms{stated.unit,      {},           Rate(),      stated.winners,
                   stated.draw_rate, stated.seats, stated.decks};
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    terms.levels.push_back(level_of(paytable.levels[place], stated.levels[place], stated.unit));
  }
  if (stated.reserve_rate && paytable.levels.empty()) {
    throw Fault(wager.id.text() + " has no meter, and so no reserve (" + paytable.section + ")");
  }
  if (stated.reserve_rate && paytable.reserve_rate &&
      *stated.reserve_rate != *paytable.reserve_rate) {
    throw Fault("the chapter fixes the reserve's rate at " + text(*paytable.reserve_rate) + " (" +
                paytable.section + ")");
  }
  terms.reserve_rate = paytable.reserve_rate.value_or(stated.reserve_rate.value_or(Rate()));
  std::int64_t ppm = terms.reserve_rate.ppm();
  for (const Level& level : terms.levels) ppm += level.rate.value_or(Rate()).ppm();
  if (ppm > Rate::ppm_whole) throw Fault("the rates add up to more than 100% of the wager");
  if (stated.winners > 1 && !is_shared(wager)) {
    throw Fault("several winners of " + wager.id.text() +
                " do not share a meter; each is paid in turn (" + wager.section + ")");
  }
  return terms;
}

Paytable without_options(Paytable paytable) {
  std::erase_if(paytable.lines, [](const Line& line) { return line.option.has_value(); });
  return paytable;
}

}  // namespace linkmeter::odds
