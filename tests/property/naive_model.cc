#include "tests/property/naive_model.h"

#include <algorithm>

#include "tests/property/naive_settlement.h"

namespace linkmeter {

namespace {

bool is_name(const std::string& text) {
  const std::string allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/+-";
  return !text.empty() && text.size() <= 64 && text.find_first_not_of(allowed) == std::string::npos;
}

// Words of people and tables: any language, no control characters.
bool is_text(const std::string& text, std::size_t longest) {
  for (const char letter : text) {
    const int code = static_cast<unsigned char>(letter);
    if (code < 32 || code == 127) return false;
  }
  return !text.empty() && text.size() <= longest;
}

// How many cards each hand of the game has.
struct Counts {
  std::size_t player_least, player_most, dealer_least, dealer_most, board_most;
};

Counts counts_of(const std::string& game) {
  if (game == "raise-it-up") return {3, 3, 0, 3, 3};
  if (game == "crazy-4") return {5, 5, 5, 5, 1};
  if (game == "blackjack") return {0, 24, 2, 24, 0};
  return {2, 2, 0, 0, 5};
}

}  // namespace

bool NaiveRound::has_wager(int seat) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [seat](const NaiveWager& wager) { return wager.seat == seat; });
}

bool NaiveTable::has_ended(const std::string& round) const { return ended_ids.count(round) != 0; }

void NaiveTable::end(const std::string& round) {
  rounds.erase(round);
  ended.push_back(round);
  ended_ids.insert(round);
  if (ended.size() > 8192) {
    ended_ids.erase(ended.front());
    ended.pop_front();
  }
  ++ended_count;
}

// All reasons to refuse are gathered first; the one with the lowest number is given (refusal.h).
struct NaiveModel::Hearing {
  NaiveModel& model;
  std::uint32_t place;
  NaiveTable& table;
  std::set<Refusal> no;
  Verdict verdict;

  void check_new_round(const RoundId& id, const Badge& by) {
    if (!is_text(id.text(), 64) || (!by.empty() && !is_name(by.text()))) {
      no.insert(Refusal::name_malformed);
    }
    if (table.rounds.count(id.text()) != 0 || table.has_ended(id.text())) {
      no.insert(Refusal::round_id_used);
    }
    if (table.rounds.size() >= 4096) no.insert(Refusal::too_many_open_rounds);
  }

  // nullptr: there is none, and that is a reason.
  NaiveRound* check_known_round(const RoundId& id, const Badge& by) {
    if (!is_text(id.text(), 64) || (!by.empty() && !is_name(by.text()))) {
      no.insert(Refusal::name_malformed);
    }
    const auto found = table.rounds.find(id.text());
    if (found != table.rounds.end()) return &found->second;
    no.insert(table.has_ended(id.text()) ? Refusal::round_closed : Refusal::round_unknown);
    return nullptr;
  }

  // M10; the wagers with their links, as far as they have one.
  std::vector<NaiveWager> check_wagers(const std::vector<AskedWager>& asked) {
    std::vector<NaiveWager> placed;
    std::set<std::pair<int, std::string>> seen;
    if (asked.size() > 64) no.insert(Refusal::too_many_wagers);
    for (const AskedWager& one : asked) {
      const int seat = one.seat.value();
      if (seat < 1 || seat > table.seats) no.insert(Refusal::seat_unknown);
      if (!seen.insert({seat, one.wager.text()}).second) no.insert(Refusal::seat_wagered_twice);
      const bool whole = one.amount.units() % exact_cent == 0;
      const std::int64_t cents = one.amount.units() / exact_cent;
      bool offered = false, taken = false;
      for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
        const NaiveTerms& terms = model.terms_[link];
        if (terms.wager != one.wager.text() || !terms.is_at(place)) continue;
        offered = true;
        if (!whole || !terms.takes(cents)) continue;
        taken = true;
        placed.push_back({seat, link, cents});
      }
      if (!offered) {
        no.insert(Refusal::wager_not_offered);
      } else if (!taken) {
        no.insert(Refusal::wager_not_a_unit);
      }
    }
    return placed;
  }

  // A hand that need not be seen may come without cards.
  void check_hand(const ShownHand& hand, bool must_be_seen, const Counts& counts,
                  std::set<int>& seats) {
    const int seat = hand.seat.value();
    if (seat < 1 || seat > table.seats) no.insert(Refusal::seat_unknown);
    if (!seats.insert(seat).second) no.insert(Refusal::seat_already_shown);
    const std::size_t count = hand.cards.size();
    if (!must_be_seen && count == 0) return;
    if (count < counts.player_least || count > counts.player_most) {
      no.insert(Refusal::wrong_card_count);
    }
  }

  void check_cards(std::map<int, int>& seen, const std::vector<Card>& cards) {
    for (const Card card : cards) {
      if (card.index() >= 52) no.insert(Refusal::card_malformed);
      if (++seen[card.index()] > table.decks) no.insert(Refusal::card_already_shown);
    }
  }

  void check_all_cards(std::map<int, int>& seen, const std::vector<ShownHand>& hands,
                       const std::vector<Card>& dealer, const std::vector<Card>& board) {
    for (const ShownHand& hand : hands) check_cards(seen, hand.cards);
    check_cards(seen, dealer);
    check_cards(seen, board);
  }

  void count(const std::vector<NaiveWager>& wagers, bool back) {
    for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
      if (!model.terms_[link].is_at(place)) continue;
      NaiveCount& counts = model.books_[link].count(place);
      counts.rounds += back ? -1ULL : 1ULL;
      for (const NaiveWager& wager : wagers) {
        if (wager.link != link) continue;
        counts.wagers += back ? -1ULL : 1ULL;
        counts.handle += (back ? -1 : 1) * Exact{wager.cents} * exact_cent;
      }
    }
  }

  void accrue(const std::vector<NaiveWager>& wagers) {
    for (const NaiveWager& wager : wagers) {
      model.books_[wager.link].contribute(model.terms_[wager.link], wager.cents);
    }
    count(wagers, false);
  }

  [[nodiscard]] bool is_too_full() const {
    return std::any_of(model.books_.begin(), model.books_.end(),
                       [](const NaiveBook& book) { return book.is_too_full(); });
  }

  void done(const std::string& fact, const RoundId& round) {
    verdict.fact = fact;
    verdict.round = round.text();
  }

  void operator()(const LockRound& lock) {
    check_new_round(lock.round, lock.by);
    if (table.game == "poker") no.insert(Refusal::wrong_game);
    const std::vector<NaiveWager> placed = check_wagers(lock.wagers);
    if (!no.empty()) return;
    NaiveRound round;
    round.wagers = verdict.wagers = placed;
    // Every wager that is no pot's is placed by a chip.
    round.blocked = lock.chips && *lock.chips != placed.size();
    if (!round.blocked) accrue(placed);
    if (is_too_full()) {
      no.insert(Refusal::meter_full);
      return;
    }
    done(round.blocked ? "count_differed" : "round_locked", lock.round);
    table.rounds[lock.round.text()] = round;
  }

  void operator()(const ResolveCount& resolve) {
    NaiveRound* round = check_known_round(resolve.round, resolve.by);
    if (round != nullptr && !round->blocked) no.insert(Refusal::round_not_blocked);
    const std::vector<NaiveWager> placed = check_wagers(resolve.wagers);
    if (!no.empty()) return;
    accrue(placed);
    if (is_too_full()) {
      no.insert(Refusal::meter_full);
      return;
    }
    done("count_resolved", resolve.round);
    round->blocked = false;
    round->wagers = verdict.wagers = placed;
  }

  void operator()(const ShowHands& show) {
    NaiveRound* round = check_known_round(show.round, show.by);
    if (round == nullptr) return;
    if (round->blocked) no.insert(Refusal::round_blocked);
    const Counts counts = counts_of(table.game);
    std::set<int> seats = round->shown;
    for (const ShownHand& hand : show.hands) {
      check_hand(hand, !hand.folded, counts, seats);
      if (hand.folded && !round->has_wager(hand.seat.value())) {
        no.insert(Refusal::fold_without_wager);
      }
    }
    if (!show.dealer.empty()) {
      const std::size_t dealer = show.dealer.size();
      if (dealer < counts.dealer_least || dealer > counts.dealer_most) {
        no.insert(Refusal::wrong_card_count);
      }
      if (round->dealer_shown) no.insert(Refusal::dealer_already_shown);
    }
    if (show.board.size() > counts.board_most) no.insert(Refusal::wrong_card_count);
    std::map<int, int> seen = round->cards;
    check_all_cards(seen, show.hands, show.dealer, show.board);
    if (!no.empty()) return;
    done("hands_shown", show.round);
    NaiveSettlement{model.terms_, model.books_, place, model.claims_.size(), verdict}.settle(*round,
                                                                                             show);
    if (is_too_full()) {
      no.insert(Refusal::meter_full);
      return;
    }
    round->cards = seen;
    round->shown = seats;
    if (!show.dealer.empty()) round->dealer_shown = true;
    raise_claims();
    for (const NaiveAward& award : verdict.awards) {
      if (award.claim != 0) round->claim_raised = true;
    }
  }

  void operator()(const CloseRound& close) {
    const NaiveRound* round = check_known_round(close.round, close.by);
    if (round != nullptr && round->blocked) no.insert(Refusal::round_blocked);
    if (!no.empty()) return;
    done("round_closed", close.round);
    table.end(close.round.text());
  }

  void operator()(const VoidRound& request) {
    if (!is_text(request.reason, 200)) no.insert(Refusal::name_malformed);
    const NaiveRound* round = check_known_round(request.round, request.by);
    if (round != nullptr && round->claim_raised) no.insert(Refusal::claim_exists);
    if (!no.empty()) return;
    if (!round->blocked) {  // while blocked, nothing had accrued
      for (const NaiveWager& wager : round->wagers) {
        model.books_[wager.link].give_back(model.terms_[wager.link], wager.cents);
      }
      verdict.wagers = round->wagers;
      count(round->wagers, true);
    }
    if (is_too_full()) {
      no.insert(Refusal::meter_full);
      return;
    }
    done("round_voided", request.round);
    table.end(request.round.text());
  }

  void operator()(const PlayPot& pot) {
    check_new_round(pot.round, pot.by);
    if (table.game != "poker") no.insert(Refusal::wrong_game);
    int link = -1;
    for (std::uint32_t other = 0; other < model.terms_.size(); ++other) {
      if (model.terms_[other].of_pots && model.terms_[other].is_at(place)) {
        link = static_cast<int>(other);
      }
    }
    if (link < 0) no.insert(Refusal::wager_not_offered);
    const Exact most = Exact{10'000'000} * 100 * exact_cent;
    const auto is_odd = [most](Amount amount, Exact least) {
      return amount.units() < least || amount.units() > most || amount.units() % exact_cent != 0;
    };
    if (is_odd(pot.pot, 1)) no.insert(Refusal::amount_out_of_range);
    std::set<int> seats;
    std::size_t live = 0;
    for (const ShownHand& hand : pot.hands) {
      // Who wins a pot uncontested need not show.
      check_hand(hand, !hand.folded && pot.showdown, counts_of("poker"), seats);
      if (is_odd(hand.won, 0)) no.insert(Refusal::amount_out_of_range);
      live += hand.folded ? 0 : 1;
    }
    if (pot.board.size() > 5) no.insert(Refusal::wrong_card_count);
    if (pot.showdown && (pot.board.size() != 5 || live < 2)) {
      no.insert(Refusal::showdown_incomplete);
    }
    std::map<int, int> seen;
    check_all_cards(seen, pot.hands, {}, pot.board);
    if (no.empty()) play(pot, static_cast<std::uint32_t>(link));
  }

  void play(const PlayPot& pot, std::uint32_t link) {
    const NaiveTerms& terms = model.terms_[link];
    if (pot.pot.units() / exact_cent >= terms.pot_least_cents) {
      verdict.wagers = {{0, link, terms.pot_share_cents}};
    }
    accrue(verdict.wagers);
    NaiveSettlement{model.terms_, model.books_, place, model.claims_.size(), verdict}.settle(link,
                                                                                             pot);
    if (is_too_full()) {
      no.insert(Refusal::meter_full);
      return;
    }
    done("pot_played", pot.round);
    raise_claims();
    table.end(pot.round.text());
  }

  void raise_claims() {
    for (const NaiveAward& award : verdict.awards) {
      if (award.claim == 0) continue;
      NaiveClaim claim;
      claim.entry = model.entries_ + 1;
      claim.link = award.link;
      claim.table = place;
      claim.round = verdict.round;
      claim.award = award;
      model.claims_.push_back(claim);
    }
  }
};

NaiveModel::NaiveModel(const Floor& floor) {
  for (const LinkTerms& link : floor.links) {
    terms_.push_back(NaiveTerms::of(link));
    books_.push_back(NaiveBook::opened(terms_.back()));
  }
  for (const TableTerms& terms : floor.tables) {
    NaiveTable table;
    table.id = terms.id.text();
    table.game = terms.game.text();
    table.seats = terms.seats;
    table.decks = terms.decks;
    tables_.push_back(table);
  }
}

Verdict NaiveModel::hear(const TableMessage& message) {
  Verdict away;
  away.kind = Verdict::Kind::turned_away;
  std::uint32_t place = 0;
  while (place < tables_.size() && tables_[place].id != message.table.text()) ++place;
  if (place == tables_.size()) {
    away.refusal = Refusal::table_unknown;
    return away;
  }
  NaiveTable& table = tables_[place];
  const std::uint64_t number = message.number.value();
  if (number <= table.last_number) {
    const auto known = table.heard.find(number);
    if (known == table.heard.end()) {
      away.refusal = Refusal::message_number_forgotten;
    } else if (known->second.first != message.digest) {
      away.refusal = Refusal::message_number_reused;
    } else {
      Verdict again = known->second.second;
      again.kind = Verdict::Kind::repeat;
      return again;
    }
    return away;
  }
  if (number != table.last_number + 1) {
    away.refusal = Refusal::message_out_of_order;
    return away;
  }
  Hearing hearing{*this, place, table, {}, {}};
  const std::vector<NaiveBook> before = books_;
  std::visit(hearing, message.command);
  if (!hearing.no.empty()) {
    books_ = before;
    hearing.verdict = {};
    hearing.verdict.fact = "message_refused";
    hearing.verdict.refusal = *hearing.no.begin();
  }
  hearing.verdict.entry = ++entries_;
  table.last_number = number;
  table.heard[number] = {message.digest, hearing.verdict};
  if (number > 1024) table.heard.erase(number - 1024);
  return hearing.verdict;
}

}  // namespace linkmeter
