// Every game as the simulator deals it, on a floor that offers all its wagers.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "table-agent/simulator/blackjack_deal.h"
#include "table-agent/simulator/deal_driver.h"
#include "tests/support/games_floor.h"

#include <doctest/doctest.h>

namespace linkmeter::deal_games_test {
namespace {

constexpr std::uint64_t rounds = 1'500;

// One round: its lock, and its show if it was not voided.
struct Dealt {
  LockRound lock;
  std::vector<ShowHands> shows;

  [[nodiscard]] bool has_bet(Seat seat) const {
    return std::any_of(lock.wagers.begin(), lock.wagers.end(),
                       [seat](const AskedWager& wager) { return wager.seat == seat; });
  }
  [[nodiscard]] std::vector<ShownHand> hands() const {
    std::vector<ShownHand> all;
    for (const ShowHands& show : shows) {
      all.insert(all.end(), show.hands.begin(), show.hands.end());
    }
    return all;
  }
};

std::vector<Dealt> deal_rounds(const std::string& table, std::uint64_t seed = 5) {
  const DealDriver play = deal_at(table, {seed, std::nullopt, 0}, "");
  std::vector<Dealt> all;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    Dealt dealt;
    for (const TableCommand& command : play.deal(round)) {
      if (const auto* lock = std::get_if<LockRound>(&command)) dealt.lock = *lock;
      if (const auto* show = std::get_if<ShowHands>(&command)) dealt.shows.push_back(*show);
    }
    if (!dealt.shows.empty()) all.push_back(std::move(dealt));
  }
  CHECK(all.size() > rounds * 9 / 10);  // a few are misdeals
  return all;
}

bool is_wager(const AskedWager& wager, std::string_view id) { return wager.wager.text() == id; }

}  // namespace

// The controller itself is the judge: it accepts every message of every round.
TEST_CASE("the controller refuses nothing of a game dealt with every wager") {
  const FloorFile& file = games_floor();
  State state;
  state.apply(open_floor({file.floor, file.text, file.catalogue_texts}, Timestamp()));
  for (const std::string& table : games_tables) {
    CAPTURE(table);
    DealDriver play = deal_at(table, {3, rounds, 0}, "");
    std::set<std::string> wagers;
    MessageNumber number;
    while (const auto step = play.next()) {
      number = number.next();
      const TableMessage submitted{
          TableId(table), number, {}, Timestamp(), std::get<TableCommand>(step->event)};
      const auto decoded = decode_from_table(encode(submitted));
      REQUIRE(decoded);
      const auto& message = std::get<TableMessage>(*decoded);
      REQUIRE(message.command == submitted.command);
      const Decision decision = decide(state, file.rules, message, Timestamp());
      REQUIRE(std::holds_alternative<Entry>(decision));
      const Entry& entry = std::get<Entry>(decision);
      REQUIRE(answer_of(entry).refusal == Refusal::none);
      REQUIRE_FALSE(std::holds_alternative<CountMismatched>(entry.fact));
      if (const auto* lock = std::get_if<LockRound>(&message.command)) {
        for (const AskedWager& wager : lock->wagers) wagers.insert(wager.wager.text());
      }
      state.apply(entry);
    }
    // Every wager of the table is bet on.
    for (const LinkConfig& link : file.floor.links) {
      const TableIndex place = file.floor.find_table(TableId(table)).value();
      if (link.has_table(place)) CHECK(wagers.contains(link.wager.text()));
    }
  }
}

TEST_CASE("a seat bets one unit of a progressive, and only chips are counted") {
  std::set<std::int64_t> five_card_cents;
  for (const Dealt& dealt : deal_rounds("C4-01")) {
    std::set<std::tuple<Seat, std::string, bool>> seen;
    std::uint32_t chips = 0;
    for (const AskedWager& wager : dealt.lock.wagers) {
      CHECK(seen.emplace(wager.seat, wager.wager.text(), wager.on_dealer).second);
      if (is_wager(wager, "crazy-4/five-card")) five_card_cents.insert(wager.amount.in_cents());
      if (!is_wager(wager, "crazy-4/five-card-hand-bonus")) ++chips;
    }
    CHECK(dealt.lock.chips == chips);
  }
  CHECK(five_card_cents == std::set<std::int64_t>{100, 500});
  // Bad Beat is electronic, Hit and Run is a chip; no sensor counts wagers on the layout.
  for (const auto& [table, chip] :
       {std::pair{"BJ-01", "blackjack/hit-and-run"}, {"PG-01", "pai-gow-poker/progressive"}}) {
    for (const Dealt& dealt : deal_rounds(table)) {
      const auto& wagers = dealt.lock.wagers;
      CHECK(dealt.lock.chips ==
            std::count_if(wagers.begin(), wagers.end(),
                          [&chip = chip](const auto& one) { return is_wager(one, chip); }));
    }
  }
}

TEST_CASE("Crazy 4: the Hand Bonus on one's own hand, on the dealer's, and on both; folds seen") {
  int own = 0, dealers = 0, both = 0, folded_seen = 0, folded_unseen = 0;
  for (const Dealt& dealt : deal_rounds("C4-01")) {
    CHECK(dealt.shows.front().dealer.size() == 5);
    CHECK(dealt.shows.front().names_dealer);
    std::map<Seat, std::set<bool>> bets;
    for (const AskedWager& wager : dealt.lock.wagers) {
      CHECK((!wager.on_dealer || is_wager(wager, "crazy-4/five-card-hand-bonus")));
      if (is_wager(wager, "crazy-4/five-card-hand-bonus")) bets[wager.seat].insert(wager.on_dealer);
    }
    for (const auto& [seat, hands] : bets) {
      ++(hands.size() == 2 ? both : *hands.begin() ? dealers : own);
    }
    for (const ShownHand& hand : dealt.hands()) {
      if (!hand.folded || !bets.contains(hand.seat) || !bets[hand.seat].contains(false)) continue;
      ++(hand.cards.empty() ? folded_unseen : folded_seen);
    }
  }
  for (const int count : {own, dealers, both}) CHECK(count > 500);  // about 900 each
  CHECK(folded_seen > 50);
  CHECK(folded_unseen > 50);
}

TEST_CASE("Raise It Up: three community cards, no dealer's hand; a folded bettor stays in view") {
  int folds = 0;
  for (const Dealt& dealt : deal_rounds("RIU-01")) {
    CHECK(dealt.shows.front().board.size() == 3);
    for (const ShowHands& show : dealt.shows) CHECK(show.dealer.empty());
    for (const ShownHand& hand : dealt.hands()) {
      CHECK(hand.cards.size() == 3);
      folds += hand.folded ? 1 : 0;
    }
  }
  CHECK(folds > 100);
}

TEST_CASE("Blackjack: the dealer completes his hand if a wager depends on it") {
  int surrenders = 0, needless = 0;
  for (const Dealt& dealt : deal_rounds("BJ-01")) {
    REQUIRE(dealt.shows.size() == 1);
    const ShowHands& show = dealt.shows.front();
    // Every wager at this table depends on the dealer's cards.
    CHECK(blackjack_total(show.dealer).points >= 17);
    bool is_played = false;
    for (const ShownHand& hand : show.hands) {
      const int points = blackjack_total(hand.cards).points;
      const bool is_natural = points == 21 && hand.cards.size() == 2;
      is_played = is_played || (!hand.folded && points <= 21 && !is_natural);
      if (!hand.folded) continue;
      ++surrenders;
      CHECK(hand.cards.size() == 2);
      CHECK(dealt.has_bet(hand.seat));
      CHECK(points < 21);
    }
    needless += !is_played && show.dealer.size() > 2 ? 1 : 0;
    // Every bettor is shown: a Bad Beat counts only beside the dealer's hand.
    for (const AskedWager& wager : dealt.lock.wagers) {
      CHECK(std::any_of(show.hands.begin(), show.hands.end(),
                        [&](const ShownHand& hand) { return hand.seat == wager.seat; }));
    }
  }
  CHECK(surrenders > 50);
  CHECK(needless > 0);  // drawn for the wagers only
}

TEST_CASE("Pai Gow Poker: seven cards of 53, no folds, hands of others where there is envy") {
  int jokers = 0, shown_of_others = 0, qualifying = 0, smaller = 0, without_envy = 0;
  for (const Dealt& dealt : deal_rounds("PG-01")) {
    CHECK(dealt.shows.front().dealer.size() == 7);
    std::set<Seat> receivers;
    for (const AskedWager& wager : dealt.lock.wagers) {
      if (is_wager(wager, "pai-gow-poker/progressive")) continue;
      const bool is_qualifying = wager.amount >= Amount::dollars(5);
      ++(is_qualifying ? qualifying : smaller);
      if (is_qualifying) receivers.insert(wager.seat);
    }
    without_envy += receivers.empty() ? 1 : 0;
    for (const ShownHand& hand : dealt.hands()) {
      CHECK_FALSE(hand.folded);
      CHECK(hand.cards.size() == 7);
      for (const Card card : hand.cards) jokers += card.is_joker() ? 1 : 0;
      if (dealt.has_bet(hand.seat)) continue;
      ++shown_of_others;
      CHECK_FALSE(receivers.empty());
    }
  }
  CHECK(jokers > 500);  // 7 in 53 for every hand
  CHECK(shown_of_others > 50);
  CHECK(qualifying > 500);
  CHECK(smaller > 100);
  CHECK(without_envy > 10);
}

TEST_CASE("Three Card Prime: all hands with a Play Wager are shown with the dealer's") {
  for (const Dealt& dealt : deal_rounds("TCP-01")) {
    REQUIRE(dealt.shows.size() == 1);
    CHECK(dealt.shows.front().dealer.size() == 3);
    CHECK(dealt.lock.chips == 0U);
    std::set<Seat> bettors, shown;
    for (const AskedWager& wager : dealt.lock.wagers) bettors.insert(wager.seat);
    for (const ShownHand& hand : dealt.shows.front().hands) {
      shown.insert(hand.seat);
      CHECK_FALSE(hand.folded);
      CHECK(hand.cards.size() == 3);
    }
    CHECK(shown == bettors);
  }
}

TEST_CASE("a fold is shown only for a seat whose wager was counted") {
  ShowHands show;
  show.hands = {
      {Seat(1), {}, true, Amount()}, {Seat(2), {}, true, Amount()}, {Seat(3), {}, false, Amount()}};
  leave_out_idle_folds(show, {{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)}});
  REQUIRE_EQ(show.hands.size(), 2);
  CHECK_EQ(show.hands[0].seat, Seat(2));
  CHECK_EQ(show.hands[1].seat, Seat(3));
}

}  // namespace linkmeter::deal_games_test
