// The figures of every paytable, written a second time from the regulations.
#include <doctest/doctest.h>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "config/reader/catalogue_file.h"

#include "tests/support/capture_binding.h"

namespace linkmeter::catalogue_paytables_test {
namespace {

const Paytable& paytable(const char* wager_id, const char* id) {
  static const Catalogue catalogue = [] {
    const auto texts = read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue");
    return std::get<Catalogue>(parse_catalogue(std::get<std::vector<CatalogueText>>(texts)));
  }();
  const WagerRules* const wager = catalogue.find_wager(WagerId(wager_id));
  REQUIRE(wager != nullptr);
  const Paytable* const found = wager->find_paytable(PaytableId(id));
  REQUIRE(found != nullptr);
  return *found;
}

// A line as the regulation prints it: "100% main", "500 for 1".
std::string printed(const Paytable& table, const Line& line) {
  const Pays& pays = line.pays;
  if (pays.kind == Pays::Kind::meter) {
    return text(pays.share) + " " + table.levels.at(pays.level.value()).id.text();
  }
  return std::to_string(pays.multiple) + (pays.kind == Pays::Kind::for_one ? " for 1" : " to 1");
}

struct PrintedLine {
  const char* line;
  const char* pays;
};

void check_lines(const Paytable& table, const std::vector<PrintedLine>& printed_lines) {
  REQUIRE_EQ(table.lines.size(), printed_lines.size());
  for (std::size_t place = 0; place < printed_lines.size(); ++place) {
    const Line& line = table.lines[place];
    CAPTURE(line.id.text());
    CHECK_EQ(line.id.text(), printed_lines[place].line);
    CHECK_EQ(name(line.category), printed_lines[place].line);
    CHECK_EQ(printed(table, line), printed_lines[place].pays);
    CHECK_EQ(line.section, table.section);
    CHECK_EQ(line.option.has_value(), line.id == LineId("player_20"));
  }
}

struct FixedLevel {
  const char* id;
  std::int64_t seed_for_one;
  std::int64_t percent;
};

void check_levels(const Paytable& table, const std::vector<FixedLevel>& levels,
                  std::int64_t reserve_percent) {
  REQUIRE_EQ(table.levels.size(), levels.size());
  for (std::size_t place = 0; place < levels.size(); ++place) {
    const LevelRule& rule = table.levels[place];
    CHECK_EQ(rule.id.text(), levels[place].id);
    CHECK_EQ(rule.seed_for_one, levels[place].seed_for_one);
    CHECK_EQ(rule.rate, Rate::from_ppm(levels[place].percent * 10'000));
    CHECK_FALSE(rule.seed_min.has_value());
    CHECK_FALSE(rule.seed_for_one_min.has_value());
    CHECK_FALSE(rule.rate_min.has_value());
  }
  CHECK_EQ(table.reserve_rate, Rate::from_ppm(reserve_percent * 10'000));
}

// One meter with a minimum seed, whose rate the house sets.
void check_open_level(const Paytable& table, std::int64_t seed_min) {
  REQUIRE_EQ(table.levels.size(), 1);
  const LevelRule& rule = table.levels[0];
  CHECK_EQ(rule.id.text(), "main");
  CHECK_EQ(rule.seed_min, Amount::dollars(seed_min));
  CHECK_FALSE(rule.seed_for_one.has_value());
  CHECK_FALSE(rule.seed_for_one_min.has_value());
  CHECK_FALSE(rule.rate.has_value());
  CHECK_FALSE(rule.rate_min.has_value());
  CHECK_FALSE(table.reserve_rate.has_value());
}

struct PrintedEnvy {
  const char* line;
  std::int64_t for_one_dollar;
  std::int64_t for_five_dollars;
};

void check_envy(const Paytable& table, const std::vector<PrintedEnvy>& schedule) {
  REQUIRE_EQ(table.envy.size(), schedule.size());
  for (std::size_t place = 0; place < schedule.size(); ++place) {
    const PrintedEnvy& row = schedule[place];
    CHECK_EQ(table.envy[place].line.text(), row.line);
    CHECK(
        table.envy[place].by_wager ==
        std::vector<EnvyStep>{{Amount::dollars(1), Amount::dollars(row.for_one_dollar), false},
                              {Amount::dollars(5), Amount::dollars(row.for_five_dollars), false}});
    CHECK_FALSE(table.envy[place].section.empty());
  }
}

// A paytable of Pai Gow Poker's side wagers: odds "to 1" of the seven best hands, and their Envy
// Bonuses in dollars for a wager of $5 or more. The other lines are the same in all of them.
void check_side_wager(const Paytable& table, const std::string& second_line,
                      const std::vector<std::int64_t>& odds,
                      const std::vector<std::int64_t>& envies) {
  const std::vector<std::string> names{"seven_card_straight_flush_no_joker",
                                       second_line,
                                       "seven_card_straight_flush_with_joker",
                                       "five_aces",
                                       "royal_flush",
                                       "straight_flush",
                                       "four_of_a_kind"};
  std::vector<std::string> pays;
  for (const std::int64_t multiple : odds) pays.push_back(std::to_string(multiple) + " to 1");
  std::vector<PrintedLine> lines;
  for (std::size_t place = 0; place < names.size(); ++place) {
    lines.push_back({names[place].c_str(), pays.at(place).c_str()});
  }
  for (const PrintedLine& line :
       {PrintedLine{"full_house", "5 to 1"}, PrintedLine{"flush", "4 to 1"},
        PrintedLine{"three_of_a_kind", "3 to 1"}, PrintedLine{"straight", "2 to 1"}}) {
    lines.push_back(line);
  }
  check_lines(table, lines);
  CHECK(table.levels.empty());
  CHECK_FALSE(table.reserve_rate.has_value());
  REQUIRE_EQ(table.envy.size(), envies.size());
  for (std::size_t place = 0; place < envies.size(); ++place) {
    CHECK_EQ(table.envy[place].line.text(), names[place]);
    CHECK(table.envy[place].by_wager ==
          std::vector<EnvyStep>{{Amount::dollars(5), Amount::dollars(envies[place]), true}});
  }
}

}  // namespace

TEST_CASE("§ 669a.12(e): the Raise It Up progressive") {
  const Paytable& table = paytable("raise-it-up/progressive", "");
  CHECK_EQ(table.section, "§ 669a.12(e)(1)");
  check_lines(table, {{"akq_spades", "100% main"},
                      {"akq_other", "500 for 1"},
                      {"straight_flush", "70 for 1"},
                      {"three_of_a_kind", "60 for 1"},
                      {"straight", "6 for 1"}});
  REQUIRE_EQ(table.levels.size(), 1);
  const LevelRule& rule = table.levels[0];
  CHECK_EQ(rule.id.text(), "main");
  CHECK_EQ(rule.seed_min, Amount::dollars(1'000));
  CHECK_EQ(rule.seed_for_one_min, 1'000);
  CHECK_EQ(rule.rate_min, Rate::from_ppm(140'000));
  CHECK_FALSE(rule.seed_for_one.has_value());
  CHECK_FALSE(rule.rate.has_value());
  CHECK_FALSE(table.reserve_rate.has_value());
  check_envy(table, {{"akq_spades", 100, 500}, {"akq_other", 25, 125}});
}

TEST_CASE("§ 657a.12(d): the Crazy 4 four-card progressive") {
  const Paytable& a = paytable("crazy-4/four-card", "A");
  CHECK_EQ(a.section, "§ 657a.12(d)(1)");
  check_lines(a, {{"four_aces", "100% main"},
                  {"four_of_a_kind", "300 for 1"},
                  {"straight_flush", "100 for 1"},
                  {"three_of_a_kind", "9 for 1"}});
  check_levels(a, {{"main", 5'000, 29}}, 0);
  check_envy(a, {{"four_aces", 100, 500}, {"four_of_a_kind", 10, 50}, {"straight_flush", 5, 25}});

  const Paytable& b = paytable("crazy-4/four-card", "B");
  check_lines(b, {{"four_aces", "100% main"},
                  {"four_of_a_kind", "300 for 1"},
                  {"straight_flush", "100 for 1"},
                  {"three_of_a_kind", "15 for 1"}});
  check_levels(b, {{"main", 1'000, 25}}, 5);
  // A straight flush is a line of B, but its schedule has no envy for it.
  check_envy(b, {{"four_aces", 100, 500}, {"four_of_a_kind", 25, 125}});
}

TEST_CASE("§ 657a.12(e): the Crazy 4 five-card progressive") {
  const auto check = [](const char* id, const std::vector<PrintedLine>& best,
                        const char* three_of_a_kind, const std::vector<FixedLevel>& levels) {
    CAPTURE(id);
    const Paytable& table = paytable("crazy-4/five-card", id);
    CHECK_EQ(table.section, "§ 657a.12(e)(1)");
    std::vector<PrintedLine> lines = best;
    for (const PrintedLine& line :
         {PrintedLine{"full_house", "50 for 1"}, PrintedLine{"flush", "40 for 1"},
          PrintedLine{"straight", "30 for 1"}, PrintedLine{"three_of_a_kind", three_of_a_kind}}) {
      lines.push_back(line);
    }
    check_lines(table, lines);
    check_levels(table, levels, 0);
    CHECK_FALSE(table.levels[0].reseed_for_one.has_value());
    check_envy(table, {{"royal_flush", 1'000, 5'000}, {"straight_flush", 300, 1'500}});
    CHECK_EQ(table.envy[0].section, "§ 657a.12(e)(5)");
  };
  check("A",
        {{"royal_flush", "100% main"},
         {"straight_flush", "10% main"},
         {"four_of_a_kind", "300 for 1"}},
        "9 for 1", {{"main", 10'000, 21}});
  check("B",
        {{"royal_flush", "100% mega"},
         {"straight_flush", "100% major"},
         {"four_of_a_kind", "300 for 1"}},
        "9 for 1", {{"mega", 10'000, 11}, {"major", 1'000, 10}});
  const std::vector<PrintedLine> three_meters{{"royal_flush", "100% mega"},
                                              {"straight_flush", "100% major"},
                                              {"four_of_a_kind", "100% minor"}};
  check("C", three_meters, "10 for 1",
        {{"mega", 10'000, 9}, {"major", 1'000, 7}, {"minor", 250, 3}});
  check("D", three_meters, "9 for 1",
        {{"mega", 10'000, 10}, {"major", 1'000, 8}, {"minor", 250, 3}});
}

TEST_CASE("§ 657a.12(f): the Five Card Hand Bonus") {
  const Paytable& table = paytable("crazy-4/five-card-hand-bonus", "");
  check_lines(table, {{"royal_flush", "100% main"},
                      {"straight_flush", "10% main"},
                      {"four_of_a_kind", "500 for 1"},
                      {"full_house", "100 for 1"},
                      {"flush", "50 for 1"}});
  check_levels(table, {{"main", 10'000, 13}}, 8);
  CHECK_EQ(table.levels[0].reseed_for_one, 0);
  CHECK(table.envy.empty());
  REQUIRE_EQ(table.bonuses.size(), 2);
  CHECK(table.bonuses[0].kind == Bonus::Kind::magic_card);
  CHECK_EQ(table.bonuses[0].multiple, 20);
  CHECK_EQ(table.bonuses[0].first_cards, 0);
  CHECK(table.bonuses[1].kind == Bonus::Kind::lucky_bonus);
  CHECK_EQ(table.bonuses[1].multiple, 5);
}

TEST_CASE("§ 633a.13(j), (l): the Blackjack progressives") {
  const Paytable& bad_beat = paytable("blackjack/bad-beat", "");
  CHECK_EQ(bad_beat.section, "§ 633a.13(j)(1)");
  check_lines(bad_beat, {{"21_with_seven_or_more_cards", "100% main"},
                         {"21_with_six_cards", "1000 for 1"},
                         {"21_with_five_cards", "100 for 1"},
                         {"21_with_four_cards", "50 for 1"},
                         {"21_with_three_cards", "25 for 1"},
                         {"blackjack", "10 for 1"},
                         {"player_20", "1 for 1"}});
  check_open_level(bad_beat, 5'000);
  CHECK(bad_beat.envy.empty());
  REQUIRE_EQ(bad_beat.bonuses.size(), 2);
  CHECK(bad_beat.bonuses[0].kind == Bonus::Kind::magic_card);
  CHECK_EQ(bad_beat.bonuses[0].multiple, 20);
  CHECK_EQ(bad_beat.bonuses[0].first_cards, 2);
  CHECK(bad_beat.bonuses[1].kind == Bonus::Kind::lucky_bonus);
  CHECK_EQ(bad_beat.bonuses[1].multiple, 5);

  const Paytable& hit_and_run = paytable("blackjack/hit-and-run", "");
  CHECK_EQ(hit_and_run.section, "§ 633a.13(l)(1)");
  check_lines(hit_and_run, {{"eight_or_more_cards", "100% main"},
                            {"seven_cards", "100 for 1"},
                            {"six_cards", "25 for 1"},
                            {"five_cards", "7 for 1"},
                            {"blackjack", "4 for 1"}});
  check_open_level(hit_and_run, 1'000);
  CHECK(hit_and_run.envy.empty());
  CHECK(hit_and_run.bonuses.empty());
}

TEST_CASE("§ 645a.13(e): the Pai Gow Poker progressive") {
  const Paytable& table = paytable("pai-gow-poker/progressive", "");
  check_lines(table, {{"seven_card_straight_flush", "100% main"},
                      {"five_aces", "10% main"},
                      {"royal_flush", "500 for 1"},
                      {"straight_flush", "100 for 1"},
                      {"four_of_a_kind", "75 for 1"},
                      {"full_house", "4 for 1"}});
  check_open_level(table, 2'000);
  CHECK(table.envy.empty());
}

TEST_CASE("§ 645a.13(b), (c): Fortune Bonus and Emperor's Treasure have the same figures") {
  const std::initializer_list<std::pair<const char*, const char*>> wagers{
      {"pai-gow-poker/fortune-bonus", "royal_flush_and_royal_match"},
      {"pai-gow-poker/emperors-treasure", "royal_flush_and_ace_king_suited"}};
  for (const auto& [wager, second_line] : wagers) {
    CAPTURE_BINDING(wager);
    check_side_wager(paytable(wager, "A"), second_line, {8'000, 2'000, 1'000, 400, 150, 50, 25},
                     {5'000, 1'000, 500, 250, 50, 20, 5});
    check_side_wager(paytable(wager, "B"), second_line, {5'000, 2'000, 1'000, 400, 150, 50, 25},
                     {3'000, 1'000, 500, 250, 50, 20, 5});
    check_side_wager(paytable(wager, "C"), second_line, {5'000, 1'000, 750, 250, 100, 50, 20},
                     {1'000, 250, 100, 50, 25, 10, 5});
    check_side_wager(paytable(wager, "D"), second_line, {2'500, 1'000, 750, 250, 125, 50, 25},
                     {1'000, 750, 250, 100, 50, 20, 5});
  }
}

TEST_CASE("§ 679a.12(c): the Three Card Prime Bad Beat Bonus") {
  const Paytable& a = paytable("three-card-prime/bad-beat-bonus", "A");
  check_lines(
      a, {{"straight_flush", "12 to 1"}, {"three_of_a_kind", "10 to 1"}, {"straight", "4 to 1"}});
  const Paytable& b = paytable("three-card-prime/bad-beat-bonus", "B");
  check_lines(
      b, {{"straight_flush", "6 to 1"}, {"three_of_a_kind", "5 to 1"}, {"straight", "2 to 1"}});
  CHECK(a.levels.empty());
  CHECK(b.levels.empty());
  CHECK(a.envy.empty());
}

TEST_CASE("§ 553.20: the Poker Bad Beat leaves every amount to the house") {
  const Paytable& table = paytable("poker/bad-beat", "");
  CHECK(table.lines.empty());
  CHECK(table.envy.empty());
  REQUIRE_EQ(table.levels.size(), 1);
  const LevelRule& rule = table.levels[0];
  CHECK_EQ(rule.id.text(), "main");
  CHECK_FALSE(rule.seed_for_one.has_value());
  CHECK_FALSE(rule.seed_min.has_value());
  CHECK_FALSE(rule.rate.has_value());
  CHECK_FALSE(rule.rate_min.has_value());
}

}  // namespace linkmeter::catalogue_paytables_test
