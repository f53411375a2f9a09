#include "table-agent/simulator/deal_driver.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "meters/game/hand.h"
#include "proto/host/fault.h"
#include "table-agent/simulator/blackjack_deal.h"
#include "table-agent/simulator/shuffle.h"
#include "tests/support/mixed_floor.h"

#include <doctest/doctest.h>

namespace linkmeter::deal_driver_test {
namespace {

// The mixed floor, with a second unit of the progressive at C4-01.
const FloorFile& floor_file() {
  static const FloorFile file = [] {
    auto parsed = parse_with_catalogue(std::string(mixed_floor_text) + R"(
[[link]]
id = "C4-ONE"
wager = "crazy-4/five-card"
paytable = "B"
unit = "1.00"
tables = ["C4-01"]
)");
    if (const auto* violations = std::get_if<Violations>(&parsed)) {
      for (const Violation& violation : *violations) FAIL_CHECK(violation.text());
      FAIL("the floor of this test is not a floor");
    }
    return std::get<FloorFile>(std::move(parsed));
  }();
  return file;
}

const std::vector<std::string> tables{"RIU-01", "C4-01", "BJ-01", "P-01"};

TableOffers deal_table(const std::string& table) {
  const auto place = floor_file().floor.find_table(TableId(table));
  REQUIRE(place);
  return TableOffers::at(floor_file().floor, floor_file().rules, *place);
}

// No table of this floor offers a draw.
DealDriver deal_play(const std::string& table, const DealDriver::Plan& plan,
                     std::string_view place) {
  return DealDriver(deal_table(table), plan, place, BonusDraw({}, SecureRandom()));
}

std::vector<TableCommand> deal(const std::string& table, std::uint64_t seed, std::uint64_t round) {
  return deal_play(table, {seed, std::nullopt, 0}, "").deal(round);
}

template <class Command>
const Command* find(const std::vector<TableCommand>& commands) {
  for (const TableCommand& command : commands) {
    if (const auto* found = std::get_if<Command>(&command)) return found;
  }
  return nullptr;
}

std::vector<TableCommand> play_to_end(DealDriver& play) {
  std::vector<TableCommand> commands;
  while (const auto step = play.next()) commands.push_back(std::get<TableCommand>(step->event));
  return commands;
}

}  // namespace

TEST_CASE("the same seed, table and round are the same round; any other is another") {
  for (const std::string& table : tables) {
    CAPTURE(table);
    CHECK(deal(table, 7, 123) == deal(table, 7, 123));
    CHECK(deal(table, 7, 123) != deal(table, 7, 124));
    // The cards differ too, not only the name.
    const auto cards = [&](std::uint64_t seed, std::uint64_t round) {
      std::string all;
      for (const TableCommand& command : deal(table, seed, round)) {
        const auto add = [&all](const std::vector<Card>& list) {
          for (const Card card : list) all += text(card);
        };
        if (const auto* show = std::get_if<ShowHands>(&command)) {
          for (const ShownHand& hand : show->hands) add(hand.cards);
        } else if (const auto* pot = std::get_if<PlayPot>(&command)) {
          for (const ShownHand& hand : pot->hands) add(hand.cards);
        }
      }
      return all;
    };
    CHECK(cards(1, 2) != cards(2, 1));
    CHECK(cards(7, 1) != cards(7, 2));
    CHECK(cards(7, 1) != cards(8, 1));
  }
  CHECK(std::get<LockRound>(deal("C4-01", 7, 123)[0]).round == RoundId("d7-000123"));
}

// The numbers of the published reference implementations of splitmix64 and xoshiro256**: a seed
// deals the same cards on every machine.
TEST_CASE("the simulator's random numbers are xoshiro256** seeded by splitmix64") {
  // splitmix64 from 0 gives e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f, f88bb8a8724c81ec;
  // the first output of xoshiro256** is rotl(s1 * 5, 7) * 9 of that state.
  const std::uint64_t second = 0x6e789e6aa1b965f4ULL * 5;
  CHECK(Prng(0).next() == (second << 7 | second >> 57) * 9);
  Prng chance(1);
  std::map<std::uint64_t, int> seen;
  for (int count = 0; count < 30'000; ++count) ++seen[chance.below(3)];
  REQUIRE(seen.size() == 3);
  for (const auto& [value, count] : seen) {
    CHECK(count > 9'500);  // six standard deviations are 490
    CHECK(count < 10'500);
  }
}

TEST_CASE("a shuffle holds every card as often as there are decks") {
  for (const int decks : {1, 8}) {
    Prng chance(5);
    Shuffle shuffle(decks, Shuffle::Joker::none, chance);
    CardCounts counts;
    while (shuffle.left() > 0) CHECK(counts.add(shuffle.draw(), decks));
    for (std::uint8_t index = 0; index < Card::joker_index; ++index) {
      CHECK(counts.count(Card::from_index(index)) == decks);
    }
    Shuffle with_joker(decks, Shuffle::Joker::one_with_each_deck, chance);
    CHECK(with_joker.left() == 53 * static_cast<std::size_t>(decks));
    int jokers = 0;
    while (with_joker.left() > 0) jokers += with_joker.draw().is_joker() ? 1 : 0;
    CHECK(jokers == decks);
  }
}

TEST_CASE("every place of the deck gets every card about equally often") {
  constexpr int shuffles = 5'200;
  std::map<std::pair<std::size_t, std::uint8_t>, int> seen;
  Prng chance(11);
  for (int count = 0; count < shuffles; ++count) {
    Shuffle shuffle(1, Shuffle::Joker::none, chance);
    for (const std::size_t place : {0U, 25U, 51U}) {
      while (shuffle.left() > 52 - place) shuffle.draw();
      ++seen[{place, shuffle.draw().index()}];
    }
  }
  CHECK(seen.size() == 3 * 52);
  for (const auto& [where, count] : seen) {
    CHECK(count > 40);  // 100 expected, ten is one standard deviation
    CHECK(count < 160);
  }
}

// The controller itself is the judge: it accepts every message of every round.
TEST_CASE("the controller refuses nothing of a dealt game") {
  State state;
  const FloorFile& file = floor_file();
  state.apply(open_floor({file.floor, file.text, file.catalogue_texts}, Timestamp()));
  for (const std::string& table : tables) {
    CAPTURE(table);
    DealDriver play = deal_play(table, {3, 1'500, 0}, "");
    MessageNumber number;
    for (const TableCommand& command : play_to_end(play)) {
      number = number.next();
      // Through the encoded bytes, as the controller receives it.
      const auto bytes = encode(TableMessage{TableId(table), number, {}, Timestamp(), command});
      const auto decoded = decode_from_table(bytes);
      REQUIRE(decoded);
      const auto& message = std::get<TableMessage>(*decoded);
      REQUIRE(message.command == command);
      const Decision decision = decide(state, file.rules, message, Timestamp());
      REQUIRE(std::holds_alternative<Entry>(decision));
      const Entry& entry = std::get<Entry>(decision);
      REQUIRE(answer_of(entry).refusal == Refusal::none);
      REQUIRE_FALSE(std::holds_alternative<CountMismatched>(entry.fact));
      state.apply(entry);
    }
    const auto place = file.floor.find_table(TableId(table));
    CHECK(state.session(*place).rounds().empty());
  }
}

TEST_CASE("rounds have variety: folds, misdeals, two shows, every seat") {
  int misdeals = 0, folds = 0, two_shows = 0;
  std::set<Seat> seats;
  for (std::uint64_t round = 1; round <= 2'000; ++round) {
    const auto commands = deal("C4-01", 9, round);
    const auto* show = find<ShowHands>(commands);
    CHECK((show == nullptr) == (find<VoidRound>(commands) != nullptr));
    if (show == nullptr) {
      ++misdeals;
      continue;
    }
    two_shows += commands.size() == 4 ? 1 : 0;
    for (const ShownHand& hand : show->hands) {
      folds += hand.folded ? 1 : 0;
      seats.insert(hand.seat);
    }
  }
  CHECK(misdeals > 0);  // ten expected
  CHECK(misdeals < 40);
  CHECK(folds > 0);
  CHECK(two_shows > 0);
  CHECK(seats.size() == 6);
}

TEST_CASE("Blackjack: aces count as they fit") {
  const auto total = [](const std::vector<std::string>& texts) {
    std::vector<Card> cards;
    for (const std::string& one : texts) cards.push_back(*parse_card(one));
    return blackjack_total(cards).points;
  };
  CHECK(total({"As", "Kd"}) == 21);
  CHECK(total({"As", "Ad"}) == 12);
  CHECK(total({"As", "6d", "Th"}) == 17);
  CHECK(total({"Ts", "Jd", "2h"}) == 22);
  CHECK(total({"As", "Ad", "9c"}) == 21);
}

TEST_CASE("Blackjack: every hand, including the dealer's, is drawn to 17 and no further") {
  for (std::uint64_t round = 1; round <= 500; ++round) {
    const auto commands = deal("BJ-01", 2, round);
    const auto* show = find<ShowHands>(commands);
    if (show == nullptr) continue;
    const auto points_before_last = [](std::vector<Card> cards) {
      cards.pop_back();
      return blackjack_total(cards).points;
    };
    // All wagers at this table are on the dealer's hand, so it is always complete.
    CHECK(blackjack_total(show->dealer).points >= 17);
    if (show->dealer.size() > 2) CHECK(points_before_last(show->dealer) < 17);
    const bool peeked = show->dealer.size() == 2 && blackjack_total(show->dealer).points == 21;
    for (const ShownHand& hand : show->hands) {
      const bool is_played = !peeked && !hand.folded;
      if (is_played) CHECK(blackjack_total(hand.cards).points >= 17);
      if (hand.cards.size() > 2) CHECK(points_before_last(hand.cards) < 17);
    }
  }
}

TEST_CASE("Hold'em: the best hand wins the pot, to the cent") {
  int showdowns = 0;
  std::set<std::size_t> boards;
  for (std::uint64_t round = 1; round <= 500; ++round) {
    const auto commands = deal("P-01", 4, round);
    REQUIRE(commands.size() == 1);
    const auto& pot = std::get<PlayPot>(commands[0]);
    boards.insert(pot.board.size());
    CHECK(pot.pot >= Amount::dollars(2));
    CHECK(pot.pot <= Amount::dollars(300));
    CHECK(pot.hands.size() >= 6);
    Amount won;
    PokerRank best;
    const auto rank = [&](const ShownHand& hand) {
      std::vector<Card> cards = hand.cards;
      cards.insert(cards.end(), pot.board.begin(), pot.board.end());
      return best_five(cards);
    };
    for (const ShownHand& hand : pot.hands) {
      won += hand.won;
      if (pot.showdown && !hand.folded) best = std::max(best, rank(hand));
    }
    CHECK(won == pot.pot - (pot.pot >= Amount::dollars(20) ? Amount::dollars(1) : Amount()));
    showdowns += pot.showdown ? 1 : 0;
    for (const ShownHand& hand : pot.hands) {
      const bool wins = !hand.folded && (!pot.showdown || rank(hand) == best);
      CHECK((hand.won > Amount()) == wins);
    }
  }
  CHECK(showdowns > 0);
  CHECK(boards == std::set<std::size_t>{0, 3, 4, 5});
}

TEST_CASE("a run that is interrupted at any step continues with exactly the next message") {
  for (const std::string& table : tables) {
    DealDriver whole = deal_play(table, {7, 3, 0}, "");
    std::vector<Step> steps;
    while (auto step = whole.next()) steps.push_back(std::move(*step));
    for (std::size_t cut = 0; cut < steps.size(); ++cut) {
      CHECK(steps[cut].position.play == DealDriver::name(7));
      DealDriver rest = deal_play(table, {7, std::nullopt, 0}, steps[cut].position.place);
      const auto next = rest.next();
      REQUIRE(next);
      if (cut + 1 < steps.size()) {
        CHECK(std::get<TableCommand>(next->event) == std::get<TableCommand>(steps[cut + 1].event));
        CHECK(next->position == steps[cut + 1].position);
      }
    }
  }
}

TEST_CASE(
    "the requested number of rounds counts new rounds; an unfinished round is finished in "
    "addition") {
  DealDriver first = deal_play("C4-01", {7, 2, 0}, "");
  const auto locked = first.next();
  REQUIRE(locked);
  DealDriver second = deal_play("C4-01", {7, 2, 0}, locked->position.place);
  std::vector<std::string> locks;
  for (const TableCommand& command : play_to_end(second)) {
    if (const auto* lock = std::get_if<LockRound>(&command)) locks.push_back(lock->round.text());
  }
  CHECK(locks == std::vector<std::string>{"d7-000002", "d7-000003"});

  DealDriver none = deal_play("C4-01", {7, 0, 0}, "");
  CHECK_FALSE(none.next().has_value());
}

TEST_CASE("a pace is a wait between two rounds, not before the first or inside one") {
  DealDriver play = deal_play("P-01", {7, 3, 250}, "");
  std::string shape;
  while (const auto step = play.next()) {
    const auto* wait = std::get_if<Wait>(&step->event);
    if (wait != nullptr) CHECK(wait->milliseconds == 250);
    shape += wait != nullptr ? 'w' : 'p';
  }
  CHECK(shape == "pwpwp");
}

TEST_CASE("a stored position that the deal driver never wrote is a fault") {
  for (const std::string place : {"x", "1", "1 ", " 1", "0 0", "1 99", "1 0 0", "-1 0"}) {
    CAPTURE(place);
    CHECK_THROWS_AS(deal_play("C4-01", {7, 1, 0}, place), Fault);
  }
}

TEST_CASE("a table without a wager to deal is a fault") {
  CHECK_THROWS_WITH_AS(deal_table("P-02"), doctest::Contains("P-02"), Fault);
}

}  // namespace linkmeter::deal_driver_test
