#include "tests/property/naive_link.h"

#include <algorithm>

#include "tests/property/naive_hand.h"

namespace linkmeter {

namespace {

// A wager in cents times parts per million is an exact number of 10^-8 dollars.
Exact share_of(std::int64_t cents, std::int64_t ppm) { return Exact{cents} * ppm; }

// M8: the amount that was returned for a void is repaid first. Returns what is left for the pool.
Exact repay(NaivePool& pool, Exact gain) {
  const Exact repaid = gain < pool.withheld ? gain : pool.withheld;
  pool.withheld -= repaid;
  return gain - repaid;
}

// M9: how much more a level may hold.
Exact room(const NaivePool& pool, std::optional<Exact> limit, Exact gain) {
  if (!limit) return gain;
  if (pool.held >= *limit) return 0;
  return std::min(gain, *limit - pool.held);
}

void take_back(NaivePool& pool, Exact gain) {
  pool.contributed -= gain;
  pool.withheld += gain;
}

Exact dollars(std::int64_t count) { return Exact{count} * 100 * exact_cent; }

bool too_full(const NaivePool& pool) {
  const Exact most_held = dollars(10'000'000'000);
  const Exact most_ever = dollars(60'000'000'000);
  return pool.held > most_held || pool.withheld > most_held || pool.pending > most_ever ||
         pool.paid > most_ever || pool.contributed > most_ever || pool.seeded > most_ever ||
         pool.corrected > most_ever || pool.corrected < -most_ever ||
         pool.transferred > most_ever || pool.transferred < -most_ever;
}

std::string poker_name(HandCategory category) {
  const std::vector<HandCategory> order{HandCategory::high_card,      HandCategory::pair,
                                        HandCategory::two_pair,       HandCategory::three_of_a_kind,
                                        HandCategory::straight,       HandCategory::flush,
                                        HandCategory::full_house,     HandCategory::four_of_a_kind,
                                        HandCategory::straight_flush, HandCategory::royal_flush};
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (order[place] == category) return naive_poker_names()[place];
  }
  return "";
}

}  // namespace

std::string exact_text(Exact amount) {
  const bool negative = amount < 0;
  if (negative) amount = -amount;
  const Exact dollar = 100 * exact_cent;
  const std::string fraction = std::to_string(static_cast<std::int64_t>(amount % dollar));
  return (negative ? "-" : "") + std::to_string(static_cast<std::int64_t>(amount / dollar)) + "." +
         std::string(8 - fraction.size(), '0') + fraction;
}

NaiveTerms NaiveTerms::of(const LinkConfig& link, const std::string& floor_text,
                          const std::vector<std::string>& chapters) {
  NaiveTerms terms;
  terms.given = link;
  terms.id = link.id.text();
  terms.wager = link.wager.text();
  terms.rules = naive_rules(terms.wager, link.paytable.text(),
                            naive_choices(floor_text, link.id.text()), chapters);
  for (const TableIndex table : link.tables) terms.tables.push_back(table.value());
  if (link.unit) terms.least_cents = terms.most_cents = link.unit->units() / exact_cent;
  if (link.minimum) terms.least_cents = link.minimum->units() / exact_cent;
  if (link.maximum) terms.most_cents = link.maximum->units() / exact_cent;
  for (std::size_t place = 0; place < terms.rules.levels.size(); ++place) {
    const NaiveLevel& level = terms.rules.levels[place];
    const LevelConfig& given = link.levels.at(place);
    const bool fixed = level.seed_for_one != 0;
    const Exact seed = Exact{level.seed_for_one} * terms.least_cents * exact_cent;  // M3
    const Exact reseed = Exact{level.reseed_for_one} * terms.least_cents * exact_cent;
    terms.seeds.push_back(fixed ? seed : Exact{given.seed.units()});
    terms.reseeds.push_back(fixed ? reseed : Exact{given.reseed.units()});
    terms.rates_ppm.push_back(fixed ? level.rate_percent * 10'000 : given.rate.ppm());
    terms.limits.emplace_back();
    if (given.limit) terms.limits.back() = given.limit->units();
  }
  terms.reserve_ppm = terms.rules.needs_reserve_of_house ? link.reserve_rate.ppm()
                                                         : terms.rules.reserve_percent * 10'000;
  if (link.payout_limit) terms.payout_limit = link.payout_limit->units();
  if (link.pot) {
    terms.of_pots = true;
    terms.pot_least_cents = link.pot->minimum_pot.units() / exact_cent;
    terms.pot_share_cents = link.pot->contribution.units() / exact_cent;
    terms.qualifying = poker_name(link.pot->qualifying.category);
    terms.qualifying_ranks = link.pot->qualifying.ranks;
    terms.split = {link.pot->losing_hand.ppm(), link.pot->winning_hand.ppm(),
                   link.pot->table.ppm()};
  }
  return terms;
}

bool NaiveTerms::is_at(std::uint32_t table) const {
  return std::find(tables.begin(), tables.end(), table) != tables.end();
}

int NaiveTerms::level(const std::string& name) const {
  for (std::size_t place = 0; place < rules.levels.size(); ++place) {
    if (rules.levels[place].level == name) return static_cast<int>(place);
  }
  return -1;
}

NaiveBook NaiveBook::opened(const NaiveTerms& terms) {
  NaiveBook book;
  for (const Exact seed : terms.seeds) {
    NaivePool pool;
    pool.held = pool.seeded = seed;
    pool.opened = {seed};
    book.levels.push_back(pool);
  }
  for (const std::uint32_t table : terms.tables) book.counts.push_back({table, 0, 0, 0});
  return book;
}

NaiveCount& NaiveBook::count(std::uint32_t table) {
  std::size_t place = 0;
  while (counts.at(place).table != table) ++place;
  return counts[place];
}

void NaiveBook::contribute(const NaiveTerms& terms, std::int64_t cents) {
  for (std::size_t place = 0; place < levels.size(); ++place) {
    NaivePool& level = levels[place];
    const Exact gain = share_of(cents, terms.rates_ppm[place]);
    level.contributed += gain;
    const Exact left = repay(level, gain);
    const Exact enters = room(level, terms.limits[place], left);
    level.held += enters;
    // The amount above the limit goes to the reserve.
    level.overflowed += left - enters;
    reserve.overflowed -= left - enters;
    reserve.held += repay(reserve, left - enters);
  }
  const Exact gain = share_of(cents, terms.reserve_ppm);
  reserve.contributed += gain;
  reserve.held += repay(reserve, gain);
}

void NaiveBook::give_back(const NaiveTerms& terms, std::int64_t cents) {
  for (std::size_t place = 0; place < levels.size(); ++place) {
    take_back(levels[place], share_of(cents, terms.rates_ppm[place]));
  }
  take_back(reserve, share_of(cents, terms.reserve_ppm));
}

NaiveWin NaiveBook::win(const NaiveTerms& terms, int level, std::int64_t percent,
                        std::optional<Exact> most) {
  NaivePool& pool = levels[static_cast<std::size_t>(level)];
  Exact award = pool.held * percent / 100;
  award -= award % exact_cent;  // M2: whole cents, rounded down
  if (most && award > *most) award = *most;
  pool.held -= award;
  pool.pending += award;
  if (percent < 100) {  // M5: no reseed
    ++pool.partial_hits;
    return {award, 0, 0};
  }
  // M4: a kept amount is still held. M9: the reserve enters only up to the limit.
  const Exact reseed = terms.reseeds[static_cast<std::size_t>(level)];
  pool.opened.push_back(reseed);
  pool.held += reseed;
  pool.seeded += reseed;
  const Exact enters = room(pool, terms.limits[static_cast<std::size_t>(level)], reserve.held);
  pool.held += enters;
  reserve.held -= enters;
  ++pool.hits;
  return {award, reseed, enters};
}

void NaiveBook::take_over(const NaiveTerms& terms, int level, Exact amount, Exact empty) {
  NaivePool& pool = level < 0 ? reserve : levels[static_cast<std::size_t>(level)];
  pool.transferred += amount - empty;
  pool.withheld += empty;
  const Exact enters =
      level < 0 ? amount : room(pool, terms.limits[static_cast<std::size_t>(level)], amount);
  pool.held += enters;
  if (level < 0) return;
  pool.overflowed += amount - enters;
  reserve.overflowed -= amount - enters;
  reserve.held += repay(reserve, amount - enters);
}

Exact NaiveBook::of_house(const NaiveTerms& terms, int level) const {
  if (level < 0 || terms.of_pots) return 0;  // § 553.20(i): all of a fund is paid to patrons
  const NaivePool& pool = levels[static_cast<std::size_t>(level)];
  return std::min({terms.reseeds[static_cast<std::size_t>(level)], pool.opened.back(), pool.held});
}

bool NaiveBook::take_back_award(const NaiveTerms& terms, int level, Exact amount,
                                const NaiveWin& put, Exact kept_out, Exact meter_before) {
  NaivePool& pool = levels[static_cast<std::size_t>(level)];
  const std::optional<Exact> limit = terms.limits[static_cast<std::size_t>(level)];
  const Exact rise = amount - put.reseeded - put.from_reserve;
  // The meter may stand again where it was before the hit, even above the limit.
  const std::optional<Exact> most = limit ? std::optional(std::max(*limit, meter_before)) : limit;
  Exact comes_back = rise < 0 ? std::min(kept_out, -rise) : 0;
  if (most) comes_back = std::min(comes_back, std::max(Exact{0}, *most - (pool.held + rise)));
  if (pool.held + rise + comes_back < 0) return false;
  Exact enters = rise > 0 ? room(pool, most, rise) : rise + comes_back;
  if (most && rise < 0) enters = std::min(enters, *most - pool.held);
  const Exact goes_over = rise + comes_back - enters;
  pool.pending -= amount;
  pool.held += enters;
  pool.seeded -= put.reseeded;
  pool.overflowed += goes_over - comes_back;
  reserve.overflowed -= goes_over - comes_back;
  reserve.held += put.from_reserve;
  if (limit) {  // the reserve has its balance minus what it owes
    const Exact has = reserve.held - reserve.withheld + goes_over - comes_back;
    reserve.held = has > 0 ? has : 0;
    reserve.withheld = has < 0 ? -has : 0;
  } else {  // there was a limit before
    const Exact there = std::min(comes_back, reserve.held);
    reserve.held -= there;
    reserve.withheld += comes_back - there;
  }
  return true;
}

void NaiveBook::correct(const NaiveTerms& terms, int level, Exact amount) {
  NaivePool& pool = level < 0 ? reserve : levels[static_cast<std::size_t>(level)];
  pool.corrected += amount;
  Exact enters = amount;
  if (level >= 0 && amount > 0) {
    enters = room(pool, terms.limits[static_cast<std::size_t>(level)], amount);
  }
  pool.held += enters;
  if (enters == amount) return;
  pool.overflowed += amount - enters;
  reserve.overflowed -= amount - enters;
  reserve.held += repay(reserve, amount - enters);
}

bool NaiveBook::is_too_full() const {
  bool full = too_full(reserve);
  for (const NaivePool& pool : levels) full = full || too_full(pool);
  return full;
}

}  // namespace linkmeter
