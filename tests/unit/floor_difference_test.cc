#include "controller/floor_difference.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/one_table_house.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter {

TEST_CASE("a floor does not differ from itself") {
  const Floor floor = one_table_floor().floor;
  CHECK_FALSE(floor_difference(floor, floor).has_value());
}

TEST_CASE("whatever differs is named, with its link or table") {
  using Change = std::function<void(Floor&)>;
  const auto of_link = [](const std::function<void(LinkTerms&)>& change) {
    return Change([change](Floor& floor) { change(floor.links.at(0)); });
  };
  const auto of_table = [](const std::function<void(TableTerms&)>& change) {
    return Change([change](Floor& floor) { change(floor.tables.at(0)); });
  };
  const std::vector<std::pair<std::string, Change>> changes = {
      {"link LINK: wager is game/wager", of_link([](auto& l) { l.wager = WagerId("other"); })},
      {"link LINK: paytable", of_link([](auto& l) { l.paytable = PaytableId("B"); })},
      {"link LINK: unit is 5.00000000", of_link([](auto& l) { l.unit = Amount::dollars(1); })},
      {"link LINK: minimum", of_link([](auto& l) { l.minimum = Amount::dollars(1); })},
      {"link LINK: maximum", of_link([](auto& l) { l.maximum = Amount::dollars(1); })},
      {"link LINK: the number of levels", of_link([](auto& l) { l.levels.clear(); })},
      {"link LINK: a level is main", of_link([](auto& l) { l.levels[0].id = LevelId("mega"); })},
      {"level main: seed", of_link([](auto& l) { l.levels[0].seed = Amount::dollars(1); })},
      {"level main: reseed", of_link([](auto& l) { l.levels[0].reseed = Amount::dollars(1); })},
      {"level main: rate", of_link([](auto& l) { l.levels[0].rate = Rate::from_ppm(1); })},
      {"link LINK: reserve rate", of_link([](auto& l) { l.reserve_rate = Rate::from_ppm(1); })},
      {"link LINK: its list of tables", of_link([](auto& l) { l.tables.clear(); })},
      {"link LINK: contribution", of_link([](auto& l) { l.pot = PotTerms{}; })},
      {"link LINK", of_link([](auto& l) { l.id = LinkId("OTHER"); })},
      {"link NEW is not in the journal",
       [](Floor& floor) {
         floor.links.push_back(floor.links[0]);
         floor.links[1].id = LinkId("NEW");
       }},
      {"link LINK is not in the floor file", [](Floor& floor) { floor.links.clear(); }},
      {"table T-01: game", of_table([](auto& t) { t.game = GameId("other"); })},
      {"table T-01: seats is 6 in the journal, 7", of_table([](auto& t) { t.seats = 7; })},
      {"table T-01: decks", of_table([](auto& t) { t.decks = 8; })},
      {"table T-01: asset", of_table([](auto& t) { t.asset = "T-1"; })},
      {"table T-01", of_table([](auto& t) { t.id = TableId("T-02"); })},
      {"table T-01 is not in the floor file", [](Floor& floor) { floor.tables.clear(); }},
      {"[house]: name", [](Floor& floor) { floor.house = "Other House"; }},
  };
  const Floor journaled = one_table_floor().floor;
  for (const auto& [said, change] : changes) {
    CAPTURE(said);
    Floor file = journaled;
    change(file);
    const auto difference = floor_difference(journaled, file);
    REQUIRE(difference.has_value());
    CHECK_MESSAGE(difference->find(said) != std::string::npos, *difference);
  }
}

TEST_CASE("rules that differ are named by their link or table") {
  const Floor floor = one_table_floor().floor;
  FloorRules journaled;
  journaled.games.resize(1);
  journaled.links.resize(1);
  CHECK_FALSE(rules_difference(floor, journaled, journaled).has_value());

  FloorRules file = journaled;
  file.links[0].paytable.lines.resize(1);
  CHECK(rules_difference(floor, journaled, file).value().find("link LINK") == 0);
  file = journaled;
  file.games[0].id = GameId("other");
  CHECK(rules_difference(floor, journaled, file).value().find("table T-01") == 0);
}

}  // namespace linkmeter
