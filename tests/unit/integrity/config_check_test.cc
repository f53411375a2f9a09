#include "controller/integrity/config_check.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/capture_binding.h"
#include "tests/support/one_table_house.h"

namespace linkmeter::config_check_test {

TEST_CASE("equal floors have no difference") {
  const Floor floor = one_table_floor().floor;
  CHECK_FALSE(floor_difference(floor, floor).has_value());
}

TEST_CASE("every difference is named with its link or table") {
  using Change = std::function<void(Floor&)>;
  const auto of_link = [](const std::function<void(LinkConfig&)>& change) {
    return Change([change](Floor& floor) { change(floor.links.at(0)); });
  };
  const auto of_table = [](const std::function<void(TableConfig&)>& change) {
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
      {"link LINK: contribution", of_link([](auto& l) { l.pot = PotConfig{}; })},
      {"link LINK: payout_limit", of_link([](auto& l) { l.payout_limit = Amount::dollars(1); })},
      {"link LINK: payout_limit_caps_meter",
       of_link([](auto& l) { l.payout_limit_caps_meter = true; })},
      {"level main: limit", of_link([](auto& l) { l.levels[0].limit = Amount::dollars(1); })},
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
      {"table T-01: draw_rate", of_table([](auto& t) { t.draw_rate = Rate(); })},
      {"table T-01: pace is 1200 in the journal, 7 in the floor file",
       of_table([](auto& t) { t.pace = 7; })},
      {"table T-01", of_table([](auto& t) { t.id = TableId("T-02"); })},
      {"table T-01 is not in the floor file", [](Floor& floor) { floor.tables.clear(); }},
      {"[house]: name", [](Floor& floor) { floor.house = "Other House"; }},
      {"[house]: second_signature is none in the journal, $5.00 floorperson in the floor file",
       [](Floor& floor) {
         floor.second_signature.push_back({Amount::dollars(5), {Role::floorperson}});
       }},
      {"[house]: taxable is none in the journal, 2026-01-01 $5.00 and 3 times the wager",
       [](Floor& floor) {
         floor.taxable.push_back({Timestamp(), "2026-01-01", Amount::dollars(5), 3});
       }},
  };
  const Floor journaled = one_table_floor().floor;
  for (const auto& [said, change] : changes) {
    CAPTURE_BINDING(said);
    Floor file = journaled;
    change(file);
    const auto difference = floor_difference(journaled, file);
    REQUIRE(difference.has_value());
    CHECK_MESSAGE(difference->find(said) != std::string::npos, *difference);
  }
}

TEST_CASE("a difference of a pot fund is named by its key") {
  using Change = std::function<void(PotConfig&)>;
  const std::vector<std::pair<std::string, Change>> changes = {
      {"contribution minimum_pot is 0", [](auto& pot) { pot.minimum_pot = Amount::dollars(1); }},
      {"contribution amount is 0", [](auto& pot) { pot.contribution = Amount::dollars(1); }},
      {"qualifying is", [](auto& pot) { pot.qualifying = PokerThreshold{HandCategory::flush}; }},
      {"split losing_hand", [](auto& pot) { pot.losing_hand = Rate::from_ppm(1); }},
      {"split winning_hand", [](auto& pot) { pot.winning_hand = Rate::from_ppm(1); }},
      {"split table", [](auto& pot) { pot.table = Rate::from_ppm(1); }},
      {"discontinuation is \"\" in the journal, \"Order 7\" in the floor file",
       [](auto& pot) { pot.discontinuation = "Order 7"; }}};
  Floor journaled = one_table_floor().floor;
  journaled.links.at(0).pot.emplace();
  for (const auto& [said, change] : changes) {
    CAPTURE_BINDING(said);
    Floor file = journaled;
    change(*file.links[0].pot);
    const auto difference = floor_difference(journaled, file);
    REQUIRE(difference.has_value());
    CHECK_MESSAGE(difference->find("link LINK: " + said) == 0, *difference);
  }
}

TEST_CASE("different rules are named with their link or table") {
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

TEST_CASE("a different start of the gaming day is named") {
  const Floor floor = one_table_floor().floor;
  FloorRules journaled;
  journaled.games.resize(1);
  journaled.links.resize(1);
  journaled.timezone = "America/New_York";
  journaled.gaming_day_start = "06:00";
  CHECK_FALSE(rules_difference(floor, journaled, journaled).has_value());
  FloorRules file = journaled;
  file.timezone = "America/Chicago";
  CHECK_EQ(rules_difference(floor, journaled, file).value(),
           "[house]: timezone is \"America/New_York\" in the journal, \"America/Chicago\" in the "
           "floor file");
  file = journaled;
  file.gaming_day_start = "05:00";
  CHECK_EQ(rules_difference(floor, journaled, file).value(),
           "[house]: gaming_day_start is \"06:00\" in the journal, \"05:00\" in the floor file");
}

TEST_CASE("titles and sections may be corrected, figures may not") {
  const Floor floor = one_table_floor().floor;
  FloorRules journaled;
  journaled.games.resize(1);
  journaled.links.resize(1);
  Paytable& paytable = journaled.links[0].paytable;
  paytable.levels.resize(1);
  paytable.lines.resize(1);
  paytable.lines[0].pays.multiple = 50;
  paytable.envy.resize(1);

  FloorRules worded = journaled;
  GameRules& game = worded.games[0];
  game.title = game.chapter = game.source = game.effective = game.status = "other";
  game.seats_section = game.cards_section = "other";
  LinkRules& link = worded.links[0];
  link.wager.title = link.wager.section = link.wager.linked_section = "other";
  link.paytable.section = link.paytable.levels[0].section = "other";
  link.paytable.lines[0].section = link.paytable.envy[0].section = "other";
  CHECK_FALSE(rules_difference(floor, journaled, worded).has_value());

  link.paytable.lines[0].pays.multiple = 51;
  CHECK(rules_difference(floor, journaled, worded).value().find("link LINK") == 0);
  link.paytable.lines[0].pays.multiple = 50;
  game.seats_max = 7;
  CHECK(rules_difference(floor, journaled, worded).value().find("table T-01") == 0);
}

TEST_CASE("a catalogue with a corrected title is accepted; one with another multiple is not") {
  const std::filesystem::path source = LINKMETER_SOURCE_DIR;
  std::ifstream file(source / "config/demo/floor.toml");
  const std::string floor_text(std::istreambuf_iterator<char>(file), {});
  auto catalogue = std::get<0>(read_catalogue_texts(source / "config/catalogue"));
  const auto parsed = [&] {
    return std::get<FloorFile>(parse_floor("floor.toml", floor_text, catalogue));
  };
  const FloorFile first = parsed();
  const Configuration journaled{EntryNumber(1), {}, first.floor, first.text, first.catalogue_texts};
  CHECK_FALSE(floor_difference(journaled, parsed()).has_value());

  // How long a table may be silent before it is lost is not a term of money.
  const auto patient = std::get<FloorFile>(parse_floor(
      "floor.toml", "[house]\nlost_after = \"3s\"\n" + floor_text.substr(floor_text.find("[[")),
      catalogue));
  Configuration nameless = journaled;
  nameless.floor.house = patient.floor.house;
  CHECK_EQ(patient.lost_after, std::chrono::milliseconds(3'000));
  CHECK_FALSE(floor_difference(nameless, patient).has_value());

  const auto early = std::get<FloorFile>(parse_floor(
      "floor.toml",
      "[house]\ngaming_day_start = \"05:00\"\n" + floor_text.substr(floor_text.find("[[")),
      catalogue));
  CHECK(floor_difference(nameless, early).value().find("[house]: gaming_day_start") == 0);

  const auto replace = [&](const std::string& old, const std::string& by) {
    for (CatalogueText& chapter : catalogue) {
      const std::size_t at = chapter.text.find(old);
      if (at == std::string::npos) continue;
      chapter.text.replace(at, old.size(), by);
      return;
    }
    FAIL("no chapter says " << old);
  };
  replace("title = \"Five-Card Progressive Payout Wager\"", "title = \"Five-Card, corrected\"");
  CHECK_FALSE(floor_difference(journaled, parsed()).has_value());
  const std::string minor =
      "pays = \"100% of minor\" },\n  { line = \"full_house\",      pays = \"";
  replace(minor + "50 for 1\"", minor + "51 for 1\"");
  CHECK(floor_difference(journaled, parsed()).value().find("link C4-MEGA") == 0);
}

}  // namespace linkmeter::config_check_test
