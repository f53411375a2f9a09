#include "tests/property/naive_settlement.h"

#include <algorithm>
#include <map>

#include "tests/property/naive_hand.h"

namespace linkmeter {

namespace {

const NaiveLine* line_of(const NaiveTerms& terms, const std::vector<Card>& cards,
                         const std::vector<Card>& dealer) {
  if (cards.empty()) return nullptr;  // a hand that nobody saw
  for (const NaiveLine& line : terms.rules.lines) {
    if (naive_line_fits(terms.wager, line.line, cards, dealer)) return &line;
  }
  return nullptr;
}

// M7: whole cents by weight; odd cents go to the largest remainders, ties to the earlier seat.
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

// The kinds of seats that a Bad Beat distinguishes.
enum class Part : std::uint8_t { winner, loser, other };

// For two hands with one name the first rank that differs decides; a rank that is not required may
// be any.
bool reaches(const std::vector<int>& strength, const std::string& asked) {
  for (std::size_t at = 0; at < asked.size(); ++at) {
    const int wanted = static_cast<int>(std::string("23456789TJQKA").find(asked[at])) + 2;
    if (strength.at(at + 1) != wanted) return strength.at(at + 1) > wanted;
  }
  return true;
}

}  // namespace

// Highest seat first (M6).
std::vector<NaiveWager> NaiveSettlement::bettors(const NaiveRound& round, std::uint32_t link,
                                                 bool on_dealer) const {
  std::vector<NaiveWager> found;
  for (int seat = 255; seat >= 1; --seat) {
    for (const NaiveWager& wager : round.wagers) {
      if (wager.seat == seat && wager.link == link && wager.on_dealer == on_dealer) {
        found.push_back(wager);
      }
    }
  }
  return found;
}

// § 645a.11(h)(1)-(4), § 657a.11(e), (f), § 633a.7(o)(1), (2): one wager after the other.
std::vector<std::uint32_t> NaiveSettlement::links_by_turn() const {
  const std::vector<std::string> turns{
      "pai-gow-poker/fortune-bonus", "pai-gow-poker/emperors-treasure",
      "pai-gow-poker/progressive",   "crazy-4/four-card",
      "crazy-4/five-card",           "crazy-4/five-card-hand-bonus",
      "blackjack/bad-beat",          "blackjack/hit-and-run",
      "raise-it-up/progressive",     "three-card-prime/bad-beat-bonus"};
  std::vector<std::uint32_t> links;
  for (const std::string& wager : turns) {
    for (std::uint32_t link = 0; link < terms_.size(); ++link) {
      if (terms_[link].wager == wager && terms_[link].is_at(table_)) links.push_back(link);
    }
  }
  return links;
}

void NaiveSettlement::settle(const NaiveRound& round, const ShowHands& show) {
  settle_dealers(round, show, false);
  const std::vector<std::uint32_t> links = links_by_turn();
  for (int seat = 255; seat >= 1; --seat) {
    for (const ShownHand& hand : show.hands) {
      if (hand.seat.value() != seat) continue;
      for (const std::uint32_t link : links) {
        const NaiveHand decides = terms_[link].rules.hand;
        const bool own = decides == NaiveHand::own || decides == NaiveHand::chosen;
        if (own) settle_seat(link, round, hand);
      }
      owe_envy(seat);
    }
  }
  number_claims();
}

// Envy for a hand is owed until the claim of that hand's line on the same progressive is validated.
// A holder who did not bet, or who folded, has no such claim; if his line would have needed
// validation, each Envy for it is a claim.
void NaiveSettlement::owe_envy(int holder) {
  for (NaiveAward& envy : verdict_.awards) {
    if (envy.kind != NaiveAward::Kind::envy || envy.holder != holder) continue;
    for (const NaiveAward& line : verdict_.awards) {
      const bool is_its = line.kind == NaiveAward::Kind::line && line.seat == holder &&
                          !line.on_dealer && line.claim != 0;
      if (is_its && terms_[line.link].wager == terms_[envy.link].wager) {
        envy.waits_for = line.claim;
      }
    }
    if (envy.waits_for != 0 || envy.claim != 0 || !is_looked_at(envy.link, envy.line)) continue;
    envy.claim = next_claim();
    envy.from = 0;
  }
}

bool NaiveSettlement::is_looked_at(std::uint32_t link, const std::string& line) const {
  const NaiveRules& rules = terms_[link].rules;
  for (const NaiveLine& one : rules.lines) {
    if (one.line != line) continue;
    if (!one.level.empty() || (rules.claim_from && one.times >= *rules.claim_from)) return true;
  }
  return false;
}

std::uint64_t NaiveSettlement::next_claim() const {
  std::uint64_t next = claims_before_ + 1;
  for (const NaiveAward& earlier : verdict_.awards) next += earlier.claim != 0 ? 1 : 0;
  return next;
}

void NaiveSettlement::number_claims() {
  std::map<std::uint64_t, std::uint64_t> now{{0, 0}};
  for (NaiveAward& award : verdict_.awards) {
    if (award.claim == 0) continue;
    const std::uint64_t number = claims_before_ + now.size();
    now[award.claim] = number;
    award.claim = number;
  }
  for (NaiveAward& award : verdict_.awards) award.waits_for = now.at(award.waits_for);
}

void NaiveSettlement::pay_nothing(std::vector<NaiveAward>& paid) {
  std::vector<NaiveAward>& awards = verdict_.awards;
  for (std::size_t at = 0; at < paid.size();) {
    NaiveAward same = paid[at];
    const auto again = std::find_if(awards.begin(), awards.end(), [&same](const NaiveAward& won) {
      NaiveAward bare = won;
      bare.claim = bare.waits_for = 0;
      bare.from = same.from;
      return bare == same;
    });
    if (again == awards.end()) {
      ++at;
      continue;
    }
    awards.erase(again);
    paid.erase(paid.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (NaiveAward& award : awards) {
    award.waits_for = 0;
    award.claim = 0;
    if (award.kind == NaiveAward::Kind::envy) {
      award.from = terms_[award.link].rules.to_account ? 2 : 1;
    }
  }
  for (NaiveAward& award : awards) {
    if (award.kind != NaiveAward::Kind::envy) {
      award.claim = next_claim();
      award.from = 0;
    }
  }
  for (NaiveAward& envy : awards) {
    if (envy.kind == NaiveAward::Kind::envy) owe_envy(envy.holder);
  }
  for (NaiveAward& envy : awards) {
    if (envy.claim != 0 || envy.waits_for != 0) continue;
    envy.claim = next_claim();
    envy.from = 0;
  }
  number_claims();
}

void NaiveSettlement::settle_dealers(const NaiveRound& round, const ShowHands& show,
                                     bool only_against) {
  if (show.dealer.empty()) return;
  for (const std::uint32_t link : links_by_turn()) {
    const NaiveHand hand = terms_[link].rules.hand;
    const bool on_it = hand == NaiveHand::dealers || hand == NaiveHand::chosen;
    if (on_it && !only_against) settle_dealer(link, round, show.dealer);
    if (hand == NaiveHand::against) settle_against(link, round, show);
  }
}

// All who bet on the dealer's hand, shown or not.
void NaiveSettlement::settle_dealer(std::uint32_t link, const NaiveRound& round,
                                    const std::vector<Card>& dealer) {
  const bool chosen = terms_[link].rules.hand == NaiveHand::chosen;
  const NaiveLine* line = bonuses_only ? nullptr : line_of(terms_[link], dealer, dealer);
  std::vector<Bet> bets;
  for (const NaiveWager& wager : bettors(round, link, chosen)) {
    bets.push_back({wager, dealer, line});
  }
  settle_together(link, round, bets);
}

// The seats that the dealer's message names.
void NaiveSettlement::settle_against(std::uint32_t link, const NaiveRound& round,
                                     const ShowHands& show) {
  std::vector<Bet> bets;
  for (const NaiveWager& wager : bettors(round, link, false)) {
    for (const ShownHand& hand : show.hands) {
      if (hand.seat.value() != wager.seat) continue;
      if (hand.folded && terms_[link].rules.fold_forfeits) continue;
      bets.push_back({wager, hand.cards,
                      bonuses_only ? nullptr : line_of(terms_[link], hand.cards, show.dealer)});
    }
  }
  settle_together(link, round, bets);
}

// A meter is hit once, for all who have its line (M7); a dealer's hand has one such line.
void NaiveSettlement::settle_together(std::uint32_t link, const NaiveRound& round,
                                      const std::vector<Bet>& bets) {
  std::vector<Exact> weights;
  const NaiveLine* of_meter = nullptr;
  for (const Bet& bet : bets) {
    if (bet.line == nullptr || bet.line->level.empty()) continue;
    of_meter = bet.line;
    weights.emplace_back(terms_[link].rules.by_weight ? bet.wager.cents : 1);
  }
  std::vector<Exact> parts;
  if (of_meter != nullptr) {
    parts = divide(call(link, of_meter->level, of_meter->percent, std::nullopt), weights);
  }
  std::size_t part = 0;
  for (const Bet& bet : bets) {
    if (bet.line != nullptr && bet.line->level.empty()) award_fixed(bet.wager, *bet.line);
    if (bet.line != nullptr && !bet.line->level.empty()) {
      award(bet.wager, *bet.line, parts[part++]);
    }
    give_bonuses(round, bet.wager, bet.cards);
  }
}

void NaiveSettlement::settle_seat(std::uint32_t link, const NaiveRound& round,
                                  const ShownHand& hand) {
  const NaiveTerms& here = terms_[link];
  const NaiveLine* line = bonuses_only ? nullptr : line_of(here, hand.cards, {});
  const int seat = hand.seat.value();
  // Nobody folds at Pai Gow Poker, whatever the message says.
  const bool folded = hand.folded && !here.wager.starts_with("pai-gow-poker/");
  bool has_bet_the_wager = false;  // any unit of it
  for (const NaiveWager& wager : round.wagers) {
    if (wager.seat == seat && terms_[wager.link].wager == here.wager) has_bet_the_wager = true;
    if (wager.seat != seat || wager.link != link || wager.on_dealer) continue;
    if (folded && here.rules.fold_forfeits) continue;
    if (line != nullptr && line->level.empty()) award_fixed(wager, *line);
    if (line != nullptr && !line->level.empty()) {
      std::optional<Exact> most;
      if (here.payout_limit && here.rules.limit_caps_meter) most = left_of_limit(link, seat);
      const Exact held =
          books_[link].levels[static_cast<std::size_t>(here.level(line->level))].held;
      const Exact whole = held * line->percent / 100 / exact_cent * exact_cent;
      const Exact amount = call(link, line->level, line->percent, most);
      award(wager, *line, amount);
      if (most && amount < whole) verdict_.awards.back().uncut = whole;
      if (most && amount == *most) ++verdict_.capped_meters;
    }
    give_bonuses(round, wager, hand.cards);
  }
  if (line == nullptr) return;
  if (folded && !(here.rules.folded_bettor_gives_envy && has_bet_the_wager)) return;
  if (!has_bet_the_wager && !here.rules.non_bettor_gives_envy) return;
  give_envy(link, round, seat, line->line);
}

void NaiveSettlement::give_bonuses(const NaiveRound& round, const NaiveWager& wager,
                                   const std::vector<Card>& cards) {
  if (!round.draw) return;
  for (const NaiveBonus& bonus : terms_[wager.link].rules.bonuses) {
    bool won = false;
    if (bonus.is_magic && round.draw->magic) {
      for (std::size_t place = 0; place < cards.size() && place < bonus.first_cards; ++place) {
        won = won || cards[place].index() == round.draw->magic->index();
      }
    }
    if (!bonus.is_magic && round.draw->seat) {
      won = round.draw->seat->value() == (wager.on_dealer ? 0 : wager.seat);
    }
    if (!won) continue;
    NaiveAward given;
    given.kind = bonus.is_magic ? NaiveAward::Kind::magic : NaiveAward::Kind::lucky;
    given.link = wager.link;
    given.seat = wager.seat;
    given.line = bonus.is_magic ? "magic_card" : "lucky_bonus";
    given.amount = Exact{wager.cents} * exact_cent * bonus.times;
    given.on_dealer = wager.on_dealer;
    // A bonus is a fixed award: it needs validation like any other, if the chapter's threshold is
    // that low.
    const auto& from = terms_[wager.link].rules.claim_from;
    const bool is_drawn_by_person = !round.draw_by.empty();
    if (is_drawn_by_person || (from && bonus.times >= *from)) given.claim = next_claim();
    give(given);
  }
}

void NaiveSettlement::give_envy(std::uint32_t link, const NaiveRound& round, int holder,
                                const std::string& line) {
  for (const NaiveEnvy& envy : terms_[link].rules.envy) {
    if (envy.line != line) continue;
    for (const NaiveWager& receiver : bettors(round, link, false)) {
      if (receiver.seat == holder) continue;
      const bool five = envy.five_or_more ? receiver.cents >= 500 : receiver.cents == 500;
      const std::int64_t dollars = receiver.cents == 100 ? envy.one_dollar
                                   : five                ? envy.five_dollars
                                                         : 0;
      if (dollars == 0) continue;
      NaiveAward given;
      given.kind = NaiveAward::Kind::envy;
      given.link = link;
      given.seat = receiver.seat;
      given.holder = holder;
      given.line = line;
      given.amount = Exact{dollars} * 100 * exact_cent;
      give(given);
    }
  }
}

Exact NaiveSettlement::call(std::uint32_t link, const std::string& level, std::int64_t percent,
                            std::optional<Exact> most) {
  const int place = terms_[link].level(level);
  const Exact meter_before = books_[link].levels[static_cast<std::size_t>(place)].held;
  const NaiveWin won = books_[link].win(terms_[link], place, percent, most);
  verdict_.calls.push_back(
      {link, place, percent == 100, won.amount, won.reseeded, won.from_reserve, meter_before});
  return won.amount;
}

// What the link's payout limit still allows a seat in this message.
Exact NaiveSettlement::left_of_limit(std::uint32_t link, int seat) const {
  const auto had = limited_.find(seat);
  const Exact left = *terms_[link].payout_limit - (had == limited_.end() ? 0 : had->second);
  return left < 0 ? 0 : left;
}

void NaiveSettlement::award_fixed(const NaiveWager& wager, const NaiveLine& line) {
  const Exact whole = Exact{wager.cents} * exact_cent * line.times;
  Exact amount = whole;
  if (terms_[wager.link].payout_limit && left_of_limit(wager.link, wager.seat) < amount) {
    amount = left_of_limit(wager.link, wager.seat);
    ++verdict_.capped;
  }
  award(wager, line, amount);
  if (amount < whole) verdict_.awards.back().uncut = whole;
}

void NaiveSettlement::award(const NaiveWager& wager, const NaiveLine& line, Exact amount) {
  const NaiveTerms& here = terms_[wager.link];
  NaiveAward won;
  won.link = wager.link;
  won.seat = wager.seat;
  won.line = line.line;
  won.amount = amount;
  won.on_dealer = wager.on_dealer;
  const bool off_a_meter = !line.level.empty();
  if (off_a_meter) {
    won.level = here.level(line.level);
    won.whole = line.percent == 100;
    won.call = verdict_.calls.size();  // it was made just before
  }
  if (off_a_meter || (here.rules.claim_from && line.times >= *here.rules.claim_from)) {
    won.claim = next_claim();
  }
  // A meter that the limit does not cap does not count towards it.
  const bool under_limit = !off_a_meter || here.rules.limit_caps_meter;
  if (here.payout_limit && under_limit) limited_[wager.seat] += amount;
  give(won);
}

void NaiveSettlement::give(NaiveAward award) {
  if (award.claim == 0) award.from = terms_[award.link].rules.to_account ? 2 : 1;
  verdict_.awards.push_back(award);
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
  const auto asked = std::find(names.begin(), names.end(), terms_[link].qualifying);
  if (beaten.front() < asked - names.begin()) return;
  if (beaten.front() == asked - names.begin() && !reaches(beaten, terms_[link].qualifying_ranks)) {
    return;
  }

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
  // Each kind's part is divided equally: over the product of all three counts, every seat has a
  // whole weight.
  const NaiveSplit& split = terms_[link].split;
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
  const std::vector<Exact> parts = divide(call(link, "main", 100, std::nullopt), weights);
  for (std::size_t place = 0; place < paid.size(); ++place) {
    award({paid[place], link, 0, false}, line, parts[place]);
  }
}

}  // namespace linkmeter
