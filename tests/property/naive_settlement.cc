#include "tests/property/naive_settlement.h"

#include <algorithm>
#include <map>

#include "tests/property/naive_hand.h"

namespace linkmeter {

namespace {

const NaiveLine* line_of(const NaiveTerms& terms, const std::vector<Card>& cards) {
  for (const NaiveLine& line : terms.rules.lines) {
    if (naive_line_fits(terms.wager, line.line, cards)) return &line;
  }
  return nullptr;
}

// M7: whole cents by weight; odd cents to the largest remainders, ties to the earlier.
std::vector<Exact> divide(Exact amount, const std::vector<Exact>& weights) {
  const Exact cents = amount / exact_cent;
  Exact whole = 0;
  for (const Exact weight : weights) whole += weight;
  std::vector<Exact> parts, remainders;
  Exact left = cents;
  for (const Exact weight : weights) {
    parts.push_back(cents * weight / whole);
    remainders.push_back(cents * weight % whole);
    left -= parts.back();
  }
  for (; left > 0; --left) {
    std::size_t largest = 0;
    for (std::size_t place = 0; place < remainders.size(); ++place) {
      if (remainders[place] > remainders[largest]) largest = place;
    }
    parts[largest] += 1;
    remainders[largest] = -1;
  }
  for (Exact& part : parts) part *= exact_cent;
  return parts;
}

// The kinds of seats that a Bad Beat tells apart.
enum class Part : std::uint8_t { winner, loser, other };

}  // namespace

// Highest seat first (M6).
std::vector<NaiveWager> NaiveSettlement::bettors(const NaiveRound& round,
                                                 std::uint32_t link) const {
  std::vector<NaiveWager> found;
  for (int seat = 255; seat >= 1; --seat) {
    for (const NaiveWager& wager : round.wagers) {
      if (wager.seat == seat && wager.link == link) found.push_back(wager);
    }
  }
  return found;
}

void NaiveSettlement::settle(const NaiveRound& round, const ShowHands& show) {
  for (std::uint32_t link = 0; link < terms.size(); ++link) {
    if (terms[link].is_at(table) && terms[link].rules.on_dealer && !show.dealer.empty()) {
      settle_dealer(link, round, show.dealer);
    }
  }
  for (int seat = 255; seat >= 1; --seat) {
    for (const ShownHand& hand : show.hands) {
      if (hand.seat.value() != seat || hand.cards.empty()) continue;
      for (std::uint32_t link = 0; link < terms.size(); ++link) {
        if (terms[link].is_at(table) && !terms[link].rules.on_dealer) {
          settle_seat(link, round, hand);
        }
      }
    }
  }
}

void NaiveSettlement::settle_dealer(std::uint32_t link, const NaiveRound& round,
                                    const std::vector<Card>& dealer) {
  const std::vector<NaiveWager> all = bettors(round, link);
  const NaiveLine* line = line_of(terms[link], dealer);
  if (line == nullptr || all.empty()) return;
  if (line->level.empty()) {
    for (const NaiveWager& one : all) {
      award(link, one.seat, *line, Exact{one.cents} * exact_cent * line->for_one);
    }
    return;
  }
  const Exact total = call(link, line->level, line->percent);
  const std::vector<Exact> parts = divide(total, std::vector<Exact>(all.size(), 1));
  for (std::size_t place = 0; place < all.size(); ++place) {
    award(link, all[place].seat, *line, parts[place]);
  }
}

void NaiveSettlement::settle_seat(std::uint32_t link, const NaiveRound& round,
                                  const ShownHand& hand) {
  const NaiveTerms& here = terms[link];
  const NaiveLine* line = line_of(here, hand.cards);
  if (line == nullptr) return;
  const int seat = hand.seat.value();
  bool has_bet_the_progressive = false;  // any unit of it
  for (const NaiveWager& wager : round.wagers) {
    if (wager.seat == seat && terms[wager.link].wager == here.wager) has_bet_the_progressive = true;
    if (wager.seat != seat || wager.link != link) continue;
    if (hand.folded && here.rules.fold_forfeits) continue;
    const Exact amount = line->level.empty() ? Exact{wager.cents} * exact_cent * line->for_one
                                             : call(link, line->level, line->percent);
    award(link, seat, *line, amount);
  }
  if (!hand.folded || (here.rules.folded_bettor_gives_envy && has_bet_the_progressive)) {
    give_envy(link, round, seat, line->line);
  }
}

void NaiveSettlement::give_envy(std::uint32_t link, const NaiveRound& round, int holder,
                                const std::string& line) {
  for (const NaiveEnvy& envy : terms[link].rules.envy) {
    if (envy.line != line) continue;
    for (const NaiveWager& receiver : bettors(round, link)) {
      if (receiver.seat == holder) continue;
      const std::int64_t dollars = receiver.cents == 100   ? envy.one_dollar
                                   : receiver.cents == 500 ? envy.five_dollar
                                                           : 0;
      if (dollars == 0) continue;
      NaiveAward given;
      given.is_envy = true;
      given.link = link;
      given.seat = receiver.seat;
      given.holder = holder;
      given.line = line;
      given.amount = Exact{dollars} * 100 * exact_cent;
      verdict.awards.push_back(given);
    }
  }
}

Exact NaiveSettlement::call(std::uint32_t link, const std::string& level, std::int64_t percent) {
  const int place = terms[link].level(level);
  const Exact amount = books[link].win(terms[link], place, percent);
  verdict.calls.push_back({link, place, percent == 100, amount});
  return amount;
}

void NaiveSettlement::award(std::uint32_t link, int seat, const NaiveLine& line, Exact amount) {
  NaiveAward won;
  won.link = link;
  won.seat = seat;
  won.line = line.line;
  won.amount = amount;
  const bool off_a_meter = !line.level.empty();
  if (off_a_meter) {
    won.level = terms[link].level(line.level);
    won.whole = line.percent == 100;
  }
  if (off_a_meter || line.for_one >= terms[link].rules.claim_from) {
    won.claim = claims_before + 1;
    for (const NaiveAward& earlier : verdict.awards) won.claim += earlier.claim != 0 ? 1 : 0;
  }
  verdict.awards.push_back(won);
}

// § 553.20.
void NaiveSettlement::settle(std::uint32_t link, const PlayPot& pot) {
  if (!pot.showdown) return;
  std::map<int, std::vector<int>> live;
  for (const ShownHand& hand : pot.hands) {
    if (hand.folded) continue;
    std::vector<Card> seven = hand.cards;
    seven.insert(seven.end(), pot.board.begin(), pot.board.end());
    live[hand.seat.value()] = naive_poker_strength(seven);
  }
  std::vector<int> best, beaten;
  for (const auto& [seat, strength] : live) best = std::max(best, strength);
  for (const auto& [seat, strength] : live) {
    if (strength != best) beaten = std::max(beaten, strength);
  }
  if (beaten.empty()) return;
  const std::vector<std::string>& names = naive_poker_names();
  const std::string beaten_name = names[static_cast<std::size_t>(beaten.front())];
  const auto asked = std::find(names.begin(), names.end(), terms[link].qualifying);
  if (beaten.front() < asked - names.begin()) return;

  std::vector<std::pair<int, Part>> seats;  // highest first
  std::map<Part, std::int64_t> counts{{Part::winner, 0}, {Part::loser, 0}, {Part::other, 0}};
  for (int seat = 255; seat >= 1; --seat) {
    for (const ShownHand& hand : pot.hands) {
      if (hand.seat.value() != seat) continue;
      Part part = Part::other;
      if (!hand.folded && live[seat] == best) part = Part::winner;
      if (!hand.folded && live[seat] == beaten) part = Part::loser;
      seats.emplace_back(seat, part);
      ++counts[part];
    }
  }
  // Each kind's part is divided equally: over all three counts, every seat has a whole weight.
  const NaiveSplit& split = terms[link].split;
  const std::map<Part, std::int64_t> ppm{{Part::winner, split.winning_ppm},
                                         {Part::loser, split.losing_ppm},
                                         {Part::other, split.table_ppm}};
  Exact all = 1;
  for (const auto& [part, count] : counts) all *= count == 0 ? 1 : count;
  std::vector<int> paid;
  std::vector<Exact> weights;
  for (const auto& [seat, part] : seats) {
    if (ppm.at(part) == 0) continue;
    paid.push_back(seat);
    weights.push_back(all * ppm.at(part) / counts.at(part));
  }
  const NaiveLine line{beaten_name, "main", 100, 0};
  const std::vector<Exact> parts = divide(call(link, "main", 100), weights);
  for (std::size_t place = 0; place < paid.size(); ++place) {
    award(link, paid[place], line, parts[place]);
  }
}

}  // namespace linkmeter
