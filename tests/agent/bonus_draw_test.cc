#include "table-agent/round/bonus_draw.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proto/host/fault.h"
#include "tests/support/games_floor.h"

#include <doctest/doctest.h>

namespace linkmeter::bonus_draw_test {
namespace {

// Returns these numbers, eight bytes each, at most `portion` bytes at a time; then it fails.
SecureRandom::Source source_of(const std::vector<std::uint64_t>& numbers, std::size_t portion = 8) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(std::uint64_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return [bytes, portion, given = std::size_t{0}](std::span<std::byte> asked) mutable {
    const std::size_t count = std::min({asked.size(), portion, bytes.size() - given});
    if (count != 0) std::memcpy(asked.data(), bytes.data() + given, count);
    given += count;
    return count;
  };
}

constexpr std::uint64_t highest = ~std::uint64_t{0};

BonusDraw drawing_of(const BonusDraw::Terms& terms) { return BonusDraw(terms, SecureRandom()); }

BonusDraw::Terms terms_of(const std::string& links, const std::string& table_key = "") {
  const std::string text = R"(
[house]
name = "Drawing House"
[[table]]
id = "C4-01"
game = "crazy-4"
seats = 5
)" + table_key + R"(
[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
)" + links;
  const auto parsed = parse_with_catalogue(text);
  if (const auto* violations = std::get_if<Violations>(&parsed)) {
    for (const Violation& violation : *violations) FAIL_CHECK(violation.text());
    FAIL("the floor of this test is not a floor");
  }
  const auto& file = std::get<FloorFile>(parsed);
  const std::string table = links.find("BJ-01") == std::string::npos ? "C4-01" : "BJ-01";
  return BonusDraw::terms_at(file.floor, file.rules, *file.floor.find_table(TableId(table)));
}

std::string hand_bonus(const std::string& options) {
  return R"(
[[link]]
id = "BONUS"
wager = "crazy-4/five-card-hand-bonus"
unit = "1.00"
tables = ["C4-01"]
)" + options;
}

std::string bad_beat(const std::string& options) {
  return R"(
[[link]]
id = "BEAT"
wager = "blackjack/bad-beat"
minimum = "1.00"
maximum = "25.00"
seed = "5000.00"
rates = { main = "12%" }
tables = ["BJ-01"]
)" + options;
}

}  // namespace

TEST_CASE("a number that would bias the draw is discarded and drawn again") {
  // 2^64 mod 3 is 1 and 2^64 mod 52 is 16: that many of the lowest numbers are discarded.
  CHECK(SecureRandom(source_of({0, 4})).below(3) == 1);
  CHECK(SecureRandom(source_of({1})).below(3) == 1);
  CHECK(SecureRandom(source_of({15, 0, 16})).below(52) == 16);
  CHECK(SecureRandom(source_of({15, highest})).below(52) == 15);
  CHECK(SecureRandom(source_of({0})).below(1) == 0);
  CHECK(SecureRandom(source_of({0})).below(64) == 0);  // 64 divides 2^64: nothing is discarded
}

TEST_CASE("the random source may return its bytes in portions") {
  for (const std::size_t portion : {1U, 3U, 7U}) {
    CAPTURE(portion);
    CHECK(SecureRandom(source_of({highest}, portion)).below(52) == 15);
  }
}

TEST_CASE("a random generator that fails is a fault, even in the middle of a number or a draw") {
  CHECK_THROWS_AS(SecureRandom(source_of({})).below(52), Fault);
  CHECK_THROWS_AS(SecureRandom(source_of({0})).below(52), Fault);
  SecureRandom::Source broken = [](std::span<std::byte>) -> std::size_t {
    throw Fault("the system's random generator failed: no such device");
  };
  CHECK_THROWS_AS(SecureRandom(broken).below(2), Fault);
  const BonusDraw::Terms both{true, true, true, 6, Rate::from_ppm(Rate::ppm_whole)};
  CHECK_THROWS_AS((void)BonusDraw(both, SecureRandom(source_of({highest, 100}))).draw(), Fault);
}

TEST_CASE("the system's random numbers are uniform, and no two streams are equal") {
  SecureRandom chance;
  std::map<std::uint64_t, int> seen;
  for (int count = 0; count < 52'000; ++count) ++seen[chance.below(52)];
  REQUIRE(seen.size() == 52);
  for (const auto& [number, count] : seen) {
    CHECK(count > 700);  // 1,000 expected; ten standard deviations are 313
    CHECK(count < 1'320);
  }
  SecureRandom other;
  std::set<std::uint64_t> numbers;
  for (int count = 0; count < 8; ++count) {
    numbers.insert(chance.below(highest));
    numbers.insert(other.below(highest));
  }
  CHECK(numbers.size() == 16);
}

TEST_CASE("a table draws what its links offer") {
  CHECK(terms_of(hand_bonus("")) ==
        BonusDraw::Terms{false, false, false, 5, Rate::from_ppm(Rate::ppm_whole)});
  CHECK_FALSE(drawing_of(terms_of(hand_bonus(""))).draw().has_value());

  const auto magic = drawing_of(terms_of(hand_bonus("magic_card = true\n"))).draw();
  REQUIRE(magic.has_value());
  CHECK(magic->magic.has_value());
  CHECK_FALSE(magic->seat.has_value());

  const auto lucky = drawing_of(terms_of(hand_bonus("lucky_bonus = true\n"))).draw();
  REQUIRE(lucky.has_value());
  CHECK_FALSE(lucky->magic.has_value());
  CHECK(lucky->seat.has_value());

  const auto both =
      drawing_of(terms_of(bad_beat("magic_card = true\nlucky_bonus = true\n"))).draw();
  REQUIRE(both.has_value());
  CHECK(both->magic.has_value());
  CHECK(both->seat.has_value());
}

TEST_CASE("every card of a deck and every position may be drawn, and nothing else") {
  struct Case {
    std::string links;
    std::set<std::uint8_t> positions;
  };
  const std::string options = "magic_card = true\nlucky_bonus = true\n";
  for (const Case& one : {Case{hand_bonus(options), {0, 1, 2, 3, 4, 5}},  // 0: the dealer's hand
                          Case{bad_beat(options), {1, 2, 3, 4, 5, 6, 7}}}) {
    BonusDraw drawing = drawing_of(terms_of(one.links));
    std::set<std::uint8_t> cards, positions;
    for (int count = 0; count < 3'000; ++count) {
      const auto draw = drawing.draw();
      REQUIRE(draw.has_value());
      cards.insert(draw->magic->index());
      positions.insert(draw->seat->value());
    }
    CHECK(cards.size() == Card::joker_index);
    CHECK(*cards.rbegin() < Card::joker_index);
    CHECK(positions == one.positions);
  }
}

TEST_CASE("a table draws as often as its draw_rate says") {
  const std::string options = hand_bonus("magic_card = true\n");
  BonusDraw seldom = drawing_of(terms_of(options, "draw_rate = \"10%\""));
  BonusDraw never = drawing_of(terms_of(options, "draw_rate = \"0%\""));
  int draws = 0;
  for (int count = 0; count < 10'000; ++count) {
    draws += seldom.draw() ? 1 : 0;
    CHECK_FALSE(never.draw().has_value());
  }
  CHECK(draws > 700);  // 1,000 expected; ten standard deviations are 300
  CHECK(draws < 1'300);
  // To the millionth: 99,999 of a million draws; 100,000 does not draw.
  const BonusDraw::Terms terms = terms_of(options, "draw_rate = \"10%\"");
  constexpr std::uint64_t whole = highest / Rate::ppm_whole * Rate::ppm_whole;
  CHECK(BonusDraw(terms, SecureRandom(source_of({whole - 900'001, highest}))).draw());
  CHECK_FALSE(BonusDraw(terms, SecureRandom(source_of({whole - 900'000}))).draw());
}

TEST_CASE("a table that offers a draw makes one per round, with the first show") {
  for (const std::string& table : games_tables) {
    CAPTURE(table);
    const bool offers_card = table == "C4-01" || table == "BJ-01";
    DealDriver play = deal_at(table, {7, 300, 0}, "");
    bool is_first = false;
    int second_shows = 0;
    while (const auto step = play.next()) {
      const auto& command = std::get<TableCommand>(step->event);
      const auto* show = std::get_if<ShowHands>(&command);
      if (show == nullptr) {
        is_first = true;
        continue;
      }
      second_shows += is_first ? 0 : 1;
      CHECK(show->draw.has_value() == (offers_card && is_first));
      if (show->draw) {
        CHECK(show->draw->magic.has_value());
        CHECK(show->draw->seat.has_value() == (table == "C4-01"));
      }
      is_first = false;
    }
    if (table == "C4-01") CHECK(second_shows > 50);
  }
}

TEST_CASE("a seed repeats the cards, never the draws") {
  const auto play_all = [] {
    DealDriver play = deal_at("C4-01", {7, 40, 0}, "");
    std::vector<TableCommand> cards;
    std::vector<Draw> draws;
    while (const auto step = play.next()) {
      cards.push_back(std::get<TableCommand>(step->event));
      auto* show = std::get_if<ShowHands>(&cards.back());
      if (show == nullptr || !show->draw) continue;
      draws.push_back(*show->draw);
      show->draw.reset();
    }
    return std::pair{cards, draws};
  };
  const auto [first_cards, first_draws] = play_all();
  const auto [second_cards, second_draws] = play_all();
  CHECK(first_cards == second_cards);
  CHECK(first_draws.size() == second_draws.size());
  CHECK(first_draws != second_draws);
}

TEST_CASE(
    "a round that is interrupted after its first show keeps that draw: the second show has none") {
  DealDriver whole = deal_at("C4-01", {7, 100, 0}, "");
  int cuts = 0;
  std::optional<Step> before;
  while (auto step = whole.next()) {
    const auto is_show = [](const Step& one) {
      return std::holds_alternative<ShowHands>(std::get<TableCommand>(one.event));
    };
    if (before && is_show(*before) && is_show(*step)) {
      ++cuts;
      DealDriver rest = deal_at("C4-01", {7, 1, 0}, before->position.place);
      const auto next = rest.next();
      REQUIRE(next.has_value());
      CHECK(std::get<TableCommand>(next->event) == std::get<TableCommand>(step->event));
      CHECK_FALSE(std::get<ShowHands>(std::get<TableCommand>(next->event)).draw.has_value());
    }
    before = std::move(step);
  }
  CHECK(cuts > 10);
}

}  // namespace linkmeter::bonus_draw_test
