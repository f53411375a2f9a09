#include "meters/codec/catalogue_file.h"

#include <iterator>
#include <string>
#include <vector>

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter {
namespace {

// The catalogue as it is shipped.
const Catalogue& shipped() {
  static const Catalogue catalogue = [] {
    const auto texts = read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue");
    return std::get<Catalogue>(parse_catalogue(std::get<std::vector<CatalogueText>>(texts)));
  }();
  return catalogue;
}

const WagerRules& wager(const char* id) {
  const WagerRules* const rules = shipped().find_wager(WagerId(id));
  REQUIRE(rules != nullptr);
  return *rules;
}

const Paytable& paytable(const char* wager_id, const char* id) {
  const Paytable* const found = wager(wager_id).find_paytable(PaytableId(id));
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
  }
}

struct FixedLevel {
  const char* id;
  std::int64_t seed_for_one;
  std::int64_t percent;
};

void check_five_card(const char* id, const std::vector<PrintedLine>& lines,
                     const std::vector<FixedLevel>& levels) {
  CAPTURE(id);
  const Paytable& table = paytable("crazy-4/five-card", id);
  CHECK_EQ(table.section, "§ 657a.12(e)(1)");
  check_lines(table, lines);
  REQUIRE_EQ(table.levels.size(), levels.size());
  for (std::size_t place = 0; place < levels.size(); ++place) {
    const LevelRule& rule = table.levels[place];
    CHECK_EQ(rule.id.text(), levels[place].id);
    CHECK_EQ(rule.seed_for_one, levels[place].seed_for_one);
    CHECK_EQ(rule.rate, Rate::from_ppm(levels[place].percent * 10'000));
    CHECK_FALSE(rule.reseed_for_one.has_value());
    CHECK_FALSE(rule.seed_min.has_value());
    CHECK_FALSE(rule.rate_min.has_value());
    CHECK_EQ(rule.section, "§ 657a.12(e)(3)");
  }
  CHECK_EQ(table.reserve_rate, Rate());
  REQUIRE_EQ(table.envy.size(), 2);
  using Schedule = std::vector<std::pair<Amount, Amount>>;
  CHECK_EQ(table.envy[0].line.text(), "royal_flush");
  CHECK(table.envy[0].by_wager == Schedule{{Amount::dollars(1), Amount::dollars(1'000)},
                                           {Amount::dollars(5), Amount::dollars(5'000)}});
  CHECK_EQ(table.envy[1].line.text(), "straight_flush");
  CHECK(table.envy[1].by_wager == Schedule{{Amount::dollars(1), Amount::dollars(300)},
                                           {Amount::dollars(5), Amount::dollars(1'500)}});
  CHECK_EQ(table.envy[0].section, "§ 657a.12(e)(5)");
}

}  // namespace

TEST_CASE("the shipped catalogue has these four chapters") {
  struct Chapter {
    const char* game;
    const char* chapter;
    const char* effective;
    const char* status;
    int seats_max;
    int decks;
    bool decks_vary;
    Dealing dealing;
  };
  const Chapter chapters[] = {
      {"raise-it-up", "669a", "2016-08-27", "final", 6, 1, false, Dealing::stud},
      {"crazy-4", "657a", "2019-08-31", "final", 6, 1, false, Dealing::stud},
      {"blackjack", "633a", "2012-05-19", "final", 7, 8, true, Dealing::blackjack},
      {"poker", "553", "2010-03-06", "temporary", 10, 1, false, Dealing::holdem},
  };
  CHECK_EQ(shipped().games.size(), std::size(chapters));
  for (const Chapter& chapter : chapters) {
    CAPTURE(chapter.game);
    const GameRules* const game = shipped().find_game(GameId(chapter.game));
    REQUIRE(game != nullptr);
    CHECK_EQ(game->chapter, chapter.chapter);
    CHECK_EQ(game->effective, chapter.effective);
    CHECK_EQ(game->status, chapter.status);
    CHECK_EQ(int{game->seats_max}, chapter.seats_max);
    CHECK_EQ(game->decks_default, chapter.decks);
    CHECK_EQ(game->decks_vary, chapter.decks_vary);
    CHECK(game->dealing == chapter.dealing);
    CHECK_FALSE(game->seats_section.empty());
  }
  CHECK(shipped().find_game(GameId("no-game")) == nullptr);
  CHECK(shipped().find_wager(WagerId("poker/no-wager")) == nullptr);
}

TEST_CASE("Ch. 669a: the Raise It Up progressive") {
  const WagerRules& rules = wager("raise-it-up/progressive");
  CHECK(rules.hand == HandKind::three_card);
  CHECK(rules.placement == Placement::chip);
  CHECK(rules.decided_by == DecidedBy::player_hand);
  CHECK(rules.sharing == Sharing::by_turn);
  CHECK(rules.fold_forfeits);
  CHECK(rules.folded_hand_gives_envy);
  CHECK_EQ(rules.verified_from, 0);
  CHECK(rules.meter_award_not_from == std::vector{PaymentSource::table_inventory});
  CHECK_FALSE(rules.may_be_linked);
  CHECK_EQ(rules.section, "§ 669a.7(d)(4)");
  REQUIRE_EQ(rules.paytables.size(), 1);

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
  using Schedule = std::vector<std::pair<Amount, Amount>>;
  REQUIRE_EQ(table.envy.size(), 2);
  CHECK_EQ(table.envy[0].line.text(), "akq_spades");
  CHECK(table.envy[0].by_wager == Schedule{{Amount::dollars(1), Amount::dollars(100)},
                                           {Amount::dollars(5), Amount::dollars(500)}});
  CHECK_EQ(table.envy[1].line.text(), "akq_other");
  CHECK(table.envy[1].by_wager == Schedule{{Amount::dollars(1), Amount::dollars(25)},
                                           {Amount::dollars(5), Amount::dollars(125)}});
  CHECK_EQ(table.envy[1].section, "§ 669a.12(e)(5)");
}

TEST_CASE("Ch. 657a: the Crazy 4 five-card progressive and its four paytables") {
  const WagerRules& rules = wager("crazy-4/five-card");
  CHECK(rules.hand == HandKind::five_card);
  CHECK(rules.placement == Placement::chip);
  CHECK(rules.decided_by == DecidedBy::player_hand);
  CHECK(rules.sharing == Sharing::by_turn);
  CHECK(rules.fold_forfeits);
  CHECK_FALSE(rules.folded_hand_gives_envy);
  CHECK_EQ(rules.verified_from, 0);
  CHECK(rules.meter_award_not_from == std::vector{PaymentSource::table_inventory});
  CHECK(rules.may_be_linked);
  CHECK_EQ(rules.paytables.size(), 4);

  check_five_card("A",
                  {{"royal_flush", "100% main"},
                   {"straight_flush", "10% main"},
                   {"four_of_a_kind", "300 for 1"},
                   {"full_house", "50 for 1"},
                   {"flush", "40 for 1"},
                   {"straight", "30 for 1"},
                   {"three_of_a_kind", "9 for 1"}},
                  {{"main", 10'000, 21}});
  check_five_card("B",
                  {{"royal_flush", "100% mega"},
                   {"straight_flush", "100% major"},
                   {"four_of_a_kind", "300 for 1"},
                   {"full_house", "50 for 1"},
                   {"flush", "40 for 1"},
                   {"straight", "30 for 1"},
                   {"three_of_a_kind", "9 for 1"}},
                  {{"mega", 10'000, 11}, {"major", 1'000, 10}});
  check_five_card("C",
                  {{"royal_flush", "100% mega"},
                   {"straight_flush", "100% major"},
                   {"four_of_a_kind", "100% minor"},
                   {"full_house", "50 for 1"},
                   {"flush", "40 for 1"},
                   {"straight", "30 for 1"},
                   {"three_of_a_kind", "10 for 1"}},
                  {{"mega", 10'000, 9}, {"major", 1'000, 7}, {"minor", 250, 3}});
  check_five_card("D",
                  {{"royal_flush", "100% mega"},
                   {"straight_flush", "100% major"},
                   {"four_of_a_kind", "100% minor"},
                   {"full_house", "50 for 1"},
                   {"flush", "40 for 1"},
                   {"straight", "30 for 1"},
                   {"three_of_a_kind", "9 for 1"}},
                  {{"mega", 10'000, 10}, {"major", 1'000, 8}, {"minor", 250, 3}});
}

TEST_CASE("Ch. 633a: the Blackjack Hit and Run progressive") {
  const WagerRules& rules = wager("blackjack/hit-and-run");
  CHECK(rules.hand == HandKind::dealer_cards);
  CHECK(rules.placement == Placement::chip);
  CHECK(rules.decided_by == DecidedBy::dealer_hand);
  CHECK(rules.sharing == Sharing::equal);
  CHECK_FALSE(rules.fold_forfeits);
  CHECK_EQ(rules.verified_from, 100);
  CHECK(rules.meter_award_not_from == std::vector{PaymentSource::table_inventory});
  CHECK_FALSE(rules.may_be_linked);

  const Paytable& table = paytable("blackjack/hit-and-run", "");
  CHECK_EQ(table.section, "§ 633a.13(l)(1)");
  check_lines(table, {{"eight_or_more_cards", "100% main"},
                      {"seven_cards", "100 for 1"},
                      {"six_cards", "25 for 1"},
                      {"five_cards", "7 for 1"},
                      {"blackjack", "4 for 1"}});
  REQUIRE_EQ(table.levels.size(), 1);
  CHECK_EQ(table.levels[0].seed_min, Amount::dollars(1'000));
  CHECK_FALSE(table.levels[0].seed_for_one_min.has_value());
  CHECK_FALSE(table.levels[0].rate.has_value());
  CHECK_FALSE(table.levels[0].rate_min.has_value());
  CHECK(table.envy.empty());
}

TEST_CASE("Ch. 553: the Poker Bad Beat leaves every amount to the house") {
  const WagerRules& rules = wager("poker/bad-beat");
  CHECK(rules.hand == HandKind::best_of_seven);
  CHECK(rules.placement == Placement::pot);
  CHECK(rules.decided_by == DecidedBy::pot);
  CHECK(rules.sharing == Sharing::split);
  CHECK(rules.may_be_linked);
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

TEST_CASE("the first line in paytable order that the hand satisfies pays") {
  const Paytable& table = paytable("crazy-4/five-card", "A");
  CategorySet royal;
  royal.add(HandCategory::flush).add(HandCategory::straight_flush).add(HandCategory::royal_flush);
  REQUIRE(table.line_for(royal) != nullptr);
  CHECK_EQ(table.line_for(royal)->id.text(), "royal_flush");
  CategorySet pair;
  pair.add(HandCategory::pair);
  CHECK(table.line_for(pair) == nullptr);
  CHECK(table.envy_for(LineId("straight_flush")) != nullptr);
  CHECK(table.envy_for(LineId("flush")) == nullptr);
}

}  // namespace linkmeter
