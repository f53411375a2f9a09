#include "config/reader/floor_file.h"

#include <doctest/doctest.h>
#include <chrono>
#include <fstream>
#include <string>
#include <utility>

#include "meters/values/limits.h"
#include "tests/support/capture_binding.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/small_floor.h"

namespace linkmeter::floor_file_test {
namespace {

FloorFile parsed(const std::string& text) {
  const auto result = parse_floor("floor.toml", text, shipped_catalogue());
  if (const auto* const violations = std::get_if<Violations>(&result)) {
    for (const Violation& violation : *violations) FAIL_CHECK(violation.text());
    return {};
  }
  return std::get<FloorFile>(result);
}

}  // namespace

TEST_CASE("a floor file is resolved to indexes and amounts") {
  const FloorFile file = parsed(floor_text);
  CHECK_EQ(file.floor.house, "Demo Casino");
  CHECK_EQ(file.timezone, "America/New_York");
  CHECK_EQ(file.gaming_day_start, "05:30");
  CHECK_EQ(file.endpoints.controller, "tcp://127.0.0.1:7001");
  CHECK_EQ(file.endpoints.feed, Endpoints().feed);
  CHECK_EQ(file.text, floor_text);
  CHECK_EQ(file.catalogue_texts.size(), shipped_catalogue().size());
  REQUIRE_EQ(file.floor.tables.size(), 5);
  TableConfig crazy{TableId("C4-01"), GameId("crazy-4"), 6, 1, "T-1041"};
  crazy.pace = 600;
  CHECK_EQ(file.floor.tables[0], crazy);
  TableConfig blackjack{TableId("BJ-01"), GameId("blackjack"), 7, 6, ""};
  blackjack.pace = 1'000;
  CHECK_EQ(file.floor.tables[3], blackjack);
  CHECK_EQ(file.floor.find_table(TableId("P-01")), TableIndex(4));
  CHECK_FALSE(file.floor.find_table(TableId("P-02")).has_value());
  CHECK_EQ(file.floor.find_link(LinkId("HIT")), LinkIndex(2));
  CHECK_EQ(file.rules.game(TableIndex(3)).id, GameId("blackjack"));
  CHECK(file.rules.game(TableIndex(3)).wagers.empty());
  CHECK_EQ(file.rules.link(LinkIndex(0)).paytable.id, PaytableId("C"));
  CHECK(file.rules.link(LinkIndex(0)).wager.paytables.empty());
  CHECK_EQ(file.rules.link(LinkIndex(0)).wager.id, WagerId("crazy-4/five-card"));
}

TEST_CASE("a house has one controller or a list of them, and the first is where one listens") {
  const std::string one = "\"tcp://127.0.0.1:7001\"";
  using Texts = std::vector<std::string>;
  const FloorFile alone = parsed(floor_text);
  CHECK_EQ(alone.endpoints.controllers, Texts{"tcp://127.0.0.1:7001"});
  const FloorFile same = parsed(replaced(floor_text, one, "[" + one + "]"));
  CHECK_EQ(same.endpoints.controllers, alone.endpoints.controllers);
  CHECK_EQ(same.floor, alone.floor);
  const FloorFile two = parsed(replaced(floor_text, one, "[" + one + ",\n\"ipc:///run/b\"]"));
  CHECK_EQ(two.endpoints.controllers, Texts{"tcp://127.0.0.1:7001", "ipc:///run/b"});
  CHECK_EQ(two.endpoints.controller, "tcp://127.0.0.1:7001");
  const FloorFile none = parsed(replaced(floor_text, "controller = " + one, ""));
  CHECK_EQ(none.endpoints.controllers, Texts{Endpoints().controller});
  std::string most;
  for (std::size_t node = 1; node <= limits::nodes_max; ++node) {
    most += "\"tcp://n" + std::to_string(node) + ":6057\", ";
  }
  CHECK_EQ(parsed(replaced(floor_text, one, "[" + most + "]")).endpoints.controllers.size(),
           limits::nodes_max);
}

TEST_CASE("seeds \"for 1\" scale with the unit, and fixed rates are used as written") {
  const FloorFile file = parsed(floor_text);
  const LinkConfig& mega = file.floor.link(LinkIndex(0));
  // Paytable C: $10,000, $1,000 and $250 for 1, on a $5 unit; 9%, 7% and 3%.
  const std::vector<LevelConfig> expected{
      {LevelId("mega"), Amount::dollars(50'000), Amount::dollars(50'000), Rate::from_ppm(90'000)},
      {LevelId("major"), Amount::dollars(5'000), Amount::dollars(5'000), Rate::from_ppm(70'000)},
      {LevelId("minor"), Amount::dollars(1'250), Amount::dollars(1'250), Rate::from_ppm(30'000)}};
  CHECK(mega.levels == expected);
  CHECK_EQ(mega.reserve_rate, Rate());
  CHECK(mega.tables == std::vector{TableIndex(0), TableIndex(1)});
  CHECK(mega.takes(Amount::dollars(5)));
  CHECK_FALSE(mega.takes(Amount::dollars(1)));
}

TEST_CASE("the house chooses what the chapter leaves open") {
  const FloorFile file = parsed(floor_text);
  const LinkConfig& riu = file.floor.link(LinkIndex(1));
  REQUIRE_EQ(riu.levels.size(), 1);
  CHECK_EQ(riu.levels[0], LevelConfig{LevelId("main"), Amount::dollars(6'000),
                                      Amount::dollars(5'000), Rate::from_ppm(142'500)});
  CHECK_EQ(riu.reserve_rate, Rate::from_ppm(10'000));
  const LinkConfig& hit = file.floor.link(LinkIndex(2));
  // A missing reseed equals the seed.
  CHECK_EQ(hit.levels[0].reseed, Amount::dollars(1'000));
  CHECK_EQ(hit.reserve_rate, Rate());
  CHECK(hit.takes(Amount::dollars(1)));
  CHECK(hit.takes(Amount::dollars(25)));
  CHECK_FALSE(hit.takes(Amount::cents(99)));
  CHECK_FALSE(hit.takes(Amount::cents(2'501)));
}

TEST_CASE("a Bad Beat fund has its posted rules") {
  const FloorFile file = parsed(floor_text);
  const LinkConfig& room = file.floor.link(LinkIndex(3));
  REQUIRE(room.pot.has_value());
  const PotConfig expected{Amount::dollars(20),        Amount::dollars(1),
                           {HandCategory::full_house}, Rate::from_ppm(500'000),
                           Rate::from_ppm(250'000),    Rate::from_ppm(250'000),
                           "Board order 2026-1"};
  CHECK(*room.pot == expected);
  CHECK_EQ(room.levels[0].seed, Amount::dollars(500));
  CHECK_EQ(room.levels[0].reseed, Amount());
  CHECK_FALSE(room.takes(Amount::dollars(1)));
}

TEST_CASE("fixed figures may be repeated; [house], asset and decks may be omitted") {
  const std::string repeated = replaced(
      floor_text, "unit = \"5.00\"\n",
      "unit = \"5.00\"\nrates = { mega = \"9%\", minor = \"3%\", reserve = \"0%\" }\n"
      "seed = { mega = \"50000.00\", major = \"5000\" }\nreseed = { minor = \"1250.00\" }\n");
  CHECK(parsed(repeated).floor == parsed(floor_text).floor);
  const std::string bare = floor_text.substr(floor_text.find("[[link]]"));
  const FloorFile file = parsed(replaced(bare, "decks = 6\n", ""));
  CHECK_EQ(file.timezone, "America/New_York");
  CHECK_EQ(file.gaming_day_start, "06:00");
  CHECK_EQ(file.floor.tables[3].decks, 8);
}

TEST_CASE("the house chooses lost_after within bounds") {
  using std::chrono::milliseconds;
  CHECK_EQ(parsed(floor_text).lost_after, milliseconds(2'000));
  const auto of = [](const std::string& text) {
    return parsed(replaced(floor_text, "\"05:30\"", "\"05:30\"\nlost_after = \"" + text + "\""))
        .lost_after;
  };
  CHECK_EQ(of("2s"), milliseconds(2'000));
  CHECK_EQ(of("0.2s"), milliseconds(200));
  CHECK_EQ(of("0.25s"), milliseconds(250));
  CHECK_EQ(of("1.125s"), milliseconds(1'125));
  CHECK_EQ(of("60s"), milliseconds(60'000));
  CHECK_EQ(of("60.000s"), milliseconds(60'000));
}

TEST_CASE("a table and an amount must determine the link of a wager") {
  const auto link = [](const std::string& id, const std::string& stakes) {
    return "[[link]]\nid = \"" + id + "\"\nwager = \"blackjack/hit-and-run\"\n" + stakes +
           "\nseed = \"1000.00\"\nrates = { main = \"12%\" }\ntables = [\"BJ-01\"] # " + id + "\n";
  };
  const auto violations_with = [&](const std::string& stakes) {
    return violations_of(link("OTHER", stakes) + floor_text.substr(floor_text.find("[[link]]")));
  };
  CHECK(violations_with("unit = \"0.99\"").empty());
  CHECK(violations_with("minimum = \"25.01\"\nmaximum = \"30.00\"").empty());
  for (const char* stakes :
       {"unit = \"1.00\"", "unit = \"25.00\"", "minimum = \"0.01\"\nmaximum = \"1.00\"",
        "minimum = \"0.01\"\nmaximum = \"100.00\""}) {
    CAPTURE(stakes);
    const Violations violations = violations_with(stakes);
    REQUIRE_EQ(violations.size(), 1);
    CHECK_EQ(violations[0].message.substr(0, 63),
             "[[link]] HIT: tables holds BJ-01, which link OTHER has for blac");
    CHECK_EQ(violations[0].section, "§ 633a.6(e)(10)");
  }
  const std::size_t poker = floor_text.find("[[link]]\nid = \"POKER-ROOM\"");
  const std::string fund = floor_text.substr(poker, floor_text.find("[[table]]") - poker);
  const Violations pots = violations_of(replaced(fund, "POKER-ROOM", "POKER-TWO") +
                                        floor_text.substr(floor_text.find("[[link]]")));
  REQUIRE_EQ(pots.size(), 1);
  CHECK_NE(pots[0].message.find("a pot feeds one link"), std::string::npos);
  CHECK_EQ(pots[0].section, "§ 553.20");
}

TEST_CASE("an unknown wager causes no second mistake in another link") {
  const std::string stakes = "minimum = \"1.00\"\nmaximum = \"25.00\"\n";
  const std::string hit_and_run =
      "wager = \"blackjack/hit-and-run\"\nseed = \"1000.00\"\nrates = { main = \"12%\" }\n"
      "tables = [\"BJ-01\"]\n";
  const std::string other = "[[link]]\nid = \"OTHER\"\n" + hit_and_run;
  const std::string floor = floor_text.substr(floor_text.find("[[link]]"));
  for (const std::string known : {"minimum = \"1.00\"\n", "maximum = \"25.00\"\n"}) {
    CAPTURE(known);
    const Violations of_first = violations_of(other + known + floor);
    REQUIRE_EQ(of_first.size(), 1);
    CHECK_NE(of_first[0].message.find("OTHER: m"), std::string::npos);
    const Violations of_second =
        violations_of(other + "unit = \"1.00\"\n" + replaced(floor, stakes, known));
    REQUIRE_EQ(of_second.size(), 1);
    CHECK_NE(of_second[0].message.find("HIT: m"), std::string::npos);
  }
  // The same for a wager that the catalogue does not have.
  const std::string strange = replaced(other, "hit-and-run", "war") + "unit = \"1.00\"\n";
  const Violations unknown = violations_of(strange + replaced(strange, "OTHER", "THIRD") + floor);
  REQUIRE_EQ(unknown.size(), 2);
  for (const Violation& violation : unknown) {
    CHECK_NE(violation.message.find("wager is \"blackjack/war\""), std::string::npos);
  }
}

TEST_CASE("the links, tables and the sum of seeds of a floor are bounded") {
  std::string text;
  for (std::size_t link = 0; link <= limits::links_max; ++link) text += "[[link]]\n";
  for (std::size_t table = 0; table <= limits::tables_max; ++table) text += "[[table]]\n";
  const Violations violations = violations_of(text);
  REQUIRE_EQ(violations.size(), 2);
  CHECK_EQ(violations[0].message, "link stands more than 1024 times");
  CHECK_EQ(violations[1].message, "table stands more than 4096 times");

  const auto seeded = [](int links) {
    std::string floor = "[[table]]\nid = \"BJ-01\"\ngame = \"blackjack\"\nseats = 7\n";
    for (int link = 1; link <= links; ++link) {
      const std::string number = std::to_string(link);
      floor += "[[link]]\nid = \"L" + number + "\"\nwager = \"blackjack/hit-and-run\"\nunit = \"" +
               number +
               ".00\"\nseed = \"1000000000.00\"\nrates = { main = \"12%\" }\n"
               "tables = [\"BJ-01\"]\n";
    }
    return violations_of(floor);
  };
  CHECK(seeded(10).empty());
  REQUIRE_EQ(seeded(11).size(), 1);
  CHECK_EQ(seeded(11)[0].message, "link seeds come to more than $10000000000.00 in all");
}

TEST_CASE("the number of links of a table is bounded by a frame") {
  const auto floor_with = [](std::size_t links) {
    std::string text = floor_text.substr(floor_text.find("[[table]]"));
    for (std::size_t link = 1; link <= links; ++link) {
      const std::string number = std::to_string(link);
      text += "[[link]]\nid = \"H" + number + "\"\nwager = \"blackjack/hit-and-run\"\nunit = \"" +
              number +
              ".00\"\nseed = \"1000.00\"\nrates = { main = \"12%\" }\ntables = [\"BJ-01\"]\n";
    }
    return text;
  };
  CHECK(violations_of(floor_with(limits::links_per_table_max)).empty());
  const Violations violations = violations_of(floor_with(limits::links_per_table_max + 2));
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].message,
           "[[link]] H129: tables holds BJ-01, which is in more than 128 links");
}

TEST_CASE("a floor needs links and tables, and all mistakes are reported at once") {
  const Violations empty = violations_of("");
  REQUIRE_EQ(empty.size(), 2);
  CHECK_EQ(empty[0].message, "table is missing");
  CHECK_EQ(empty[1].message.substr(0, 15), "link is missing");

  std::string text = replaced(floor_text, "\"14.25%\"", "\"101%\"");
  text = replaced(text, "seats = 10", "seats = 11");
  text = replaced(text, "unit = \"5.00\"", "unit = \"2.00\"");
  const Violations violations = violations_of(text);
  REQUIRE_EQ(violations.size(), 3);
  CHECK_EQ(violations[0].line, line_of(text, "unit = \"2.00\""));
  CHECK_EQ(violations[1].line, line_of(text, "101%"));
  CHECK_EQ(violations[2].line, line_of(text, "seats = 11"));
  CHECK_EQ(violations[1].text().substr(0, 25), "floor.toml:20: [[link]] R");
}

TEST_CASE("a whole number has decimal digits; anything else is refused with its line") {
  for (const char* wrong : {"0x6", "0o6", "0b110"}) {
    CAPTURE(wrong);
    const Violations violations =
        violations_of(replaced(floor_text, "seats = 6", std::string("seats = ") + wrong));
    REQUIRE_EQ(violations.size(), 1);
    CHECK_EQ(violations[0].message,
             "[[table]] C4-01: seats is written in hexadecimal, octal or binary digits; it must be "
             "written in decimal");
    CHECK_EQ(violations[0].line, line_of(floor_text, "seats = 6"));
  }
}

TEST_CASE("control characters of a file are not printed") {
  const Violations violations =
      violations_of(replaced(floor_text, "[\"BJ-01\"]", "[\"BJ-01\", \"\\u001b[2J\"]"));
  REQUIRE_FALSE(violations.empty());
  for (const Violation& violation : violations) {
    CHECK_EQ(violation.text().find('\x1b'), std::string::npos);
  }
}

TEST_CASE("a catalogue with mistakes or a missing file is a violation, too") {
  const auto broken = parse_floor("floor.toml", floor_text, {{"x.toml", "="}});
  REQUIRE(std::holds_alternative<Violations>(broken));
  CHECK_EQ(std::get<Violations>(broken).front().file, "x.toml");

  const ScopedDirectory directory;
  const auto path = directory.path() / "floor.toml";
  const auto absent = read_floor(path, LINKMETER_SOURCE_DIR "/config/catalogue");
  REQUIRE(std::holds_alternative<Violations>(absent));
  CHECK_EQ(std::get<Violations>(absent).front().text(),
           path.string() + ": the file cannot be read");
  const auto folder = read_floor(directory.path(), LINKMETER_SOURCE_DIR "/config/catalogue");
  REQUIRE(std::holds_alternative<Violations>(folder));
  CHECK_EQ(std::get<Violations>(folder).front().text(),
           directory.path().string() + ": the file cannot be read");
  std::ofstream(path) << floor_text;
  const auto read = read_floor(path, LINKMETER_SOURCE_DIR "/config/catalogue");
  REQUIRE(std::holds_alternative<FloorFile>(read));
  CHECK(std::get<FloorFile>(read).floor == parsed(floor_text).floor);
  CHECK(std::holds_alternative<Violations>(read_floor(path, directory.path() / "absent")));
}

TEST_CASE("the pages' address and the notices are not part of the journaled floor") {
  std::string text = floor_text;
  text.replace(text.find("[house]\n"), 8,
               "[house]\nweb = \"https://*:443\"\nnotices = [\"One\", \"Two\"]\n");
  text.replace(text.find("paytable = \"C\""), 0, "notices = [\"Three\"]\n");
  const auto plain = parse_floor("floor.toml", floor_text, shipped_catalogue());
  const auto read = parse_floor("floor.toml", text, shipped_catalogue());
  REQUIRE(std::holds_alternative<FloorFile>(read));
  const FloorFile& file = std::get<FloorFile>(read);
  CHECK_EQ(file.endpoints.web, "https://*:443");
  CHECK((file.notices.house == std::vector<std::string>{"One", "Two"}));
  CHECK((file.notices.links[0] == std::vector<std::string>{"Three"}));
  CHECK(file.notices.links[1].empty());
  CHECK((file.floor == std::get<FloorFile>(plain).floor));
  CHECK_EQ(std::get<FloorFile>(plain).endpoints.web, "");
}

TEST_CASE("invalid page addresses and notices are refused with their line") {
  for (const auto& [line, words] :
       {std::pair<std::string, std::string>("web = \"http://*:80\"", "beyond loopback only https"),
        {"web = \"6059\"", "pages are at"},
        {"notices = [\"\"]", "notices: one is empty"},
        {"notices = [\"a\\u001bb\"]", "notices: one is empty"},
        {"notices = \"one\"", "notices"},
        {"notices = [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]", "more than 8"}}) {
    CAPTURE_BINDING(line);
    std::string text = floor_text;
    text.replace(text.find("[house]\n"), 8, "[house]\n" + line + "\n");
    const auto read = parse_floor("floor.toml", text, shipped_catalogue());
    REQUIRE(std::holds_alternative<Violations>(read));
    const Violation& first = std::get<Violations>(read).front();
    CHECK_EQ(first.line, 2);
    CHECK_NE(first.text().find(words), std::string::npos);
  }
}

TEST_CASE("clock_step_max is ten seconds to a day, and one hour by default") {
  const auto with = [](const std::string& value) {
    return parse_floor(
        "floor.toml",
        replaced(floor_text, "[house]\n", "[house]\nclock_step_max = " + value + "\n"),
        shipped_catalogue());
  };
  const std::chrono::seconds hour(3'600);
  CHECK_EQ(parsed(floor_text).clock_step_max, hour);
  for (const auto& [value, seconds] : {std::pair<std::string, std::int64_t>("\"10s\"", 10),
                                       {"\"90s\"", 90},
                                       {"\"15m\"", 900},
                                       {"\"1h\"", 3'600},
                                       {"\"24h\"", 86'400},
                                       {"\"1440m\"", 86'400},
                                       {"\"86400s\"", 86'400}}) {
    CAPTURE_BINDING(value);
    const auto read = with(value);
    REQUIRE(std::holds_alternative<FloorFile>(read));
    const FloorFile& file = std::get<FloorFile>(read);
    CHECK_EQ(file.clock_step_max.count(), seconds);
    CHECK((file.floor == parsed(floor_text).floor));  // not a part of the floor
  }
  for (const std::string value : {"\"9s\"",    "\"0s\"",  "\"0h\"",     "\"86401s\"",
                                  "\"1441m\"", "\"25h\"", "\"99999h\"", "\"999999999999h\"",
                                  "\"-1h\"",   "\"+1h\"", "\"1.5h\"",   "\" 1h\"",
                                  "\"1h \"",   "\"1 h\"", "\"h\"",      "\"1\"",
                                  "\"3600\"",  "\"1d\"",  "\"1H\"",     "\"0x1h\"",
                                  "\"\"",      "\"x\"",   "3600",       "1.5",
                                  "true",      "[\"1h\"]"}) {
    CAPTURE(value);
    const auto read = with(value);
    REQUIRE(std::holds_alternative<Violations>(read));
    const Violations& violations = std::get<Violations>(read);
    CHECK_EQ(violations.size(), 1);
    CHECK_EQ(violations[0].line, 2);
    CHECK_NE(violations[0].text().find("clock_step_max"), std::string::npos);
  }
}

// § 553.20(i): no Bad Beat is offered before its discontinuation is approved; a house that was
// opened without an approval continues.
TEST_CASE("a new Bad Beat fund must name the approved discontinuation; a running one need not") {
  const ScopedDirectory directory;
  const auto path = directory.path() / "floor.toml";
  const std::string key = "discontinuation = \"Board order 2026-1\"\n";
  std::ofstream(path) << replaced(floor_text, key, "");
  const std::filesystem::path catalogue = LINKMETER_SOURCE_DIR "/config/catalogue";
  CHECK(std::holds_alternative<FloorFile>(read_floor(path, catalogue)));
  const auto refused = read_new_floor(path, catalogue);
  REQUIRE(std::holds_alternative<Violations>(refused));
  const Violations& violations = std::get<Violations>(refused);
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].file, path.string());
  CHECK_EQ(violations[0].message,
           "[[link]] POKER-ROOM: discontinuation is missing; no Bad Beat may be offered before the "
           "Board has approved the procedure by which it is discontinued");
  CHECK_EQ(violations[0].section, "§ 553.20(i)");
  CHECK_EQ(violations[0].line,
           line_of(replaced(floor_text, key, ""), "[[link]]\nid = \"POKER-ROOM\""));

  std::ofstream(path) << floor_text;
  CHECK(std::holds_alternative<FloorFile>(read_new_floor(path, catalogue)));
  // A key with a wrong value is one mistake.
  std::ofstream(path) << replaced(floor_text, key, "discontinuation = \"\"\n");
  const auto empty = read_new_floor(path, catalogue);
  REQUIRE(std::holds_alternative<Violations>(empty));
  CHECK_EQ(std::get<Violations>(empty).size(), 1);
}

}  // namespace linkmeter::floor_file_test
