#include "meters/rules/decide_parameters.h"

#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "meters/floor/configuration.h"
#include "meters/rules/decide.h"
#include "meters/values/limits.h"
#include "tests/support/every_wager_floor.h"

namespace linkmeter::decide_parameters_test {

namespace {

using Lines = std::vector<std::string>;

// The floor with every wager, and the same floor with a change of its text and of its chapters.
struct TwoFloors {
  FloorFile before = parsed_floor(every_wager_floor_text);
  FloorFile after;

  TwoFloors(const std::string& floor_text, const std::vector<CatalogueText>& chapters)
      : after(std::get<FloorFile>(parse_floor("floor.toml", floor_text, chapters))) {}
  [[nodiscard]] Lines lines() const {
    return change_lines(before.floor, before.rules, after.floor, after.rules);
  }
};

std::vector<CatalogueText> chapters_with(const std::string& game, const std::string& old,
                                         const std::string& by, std::size_t times = 1) {
  std::vector<CatalogueText> chapters = shipped_catalogue();
  for (CatalogueText& chapter : chapters) {
    if (chapter.text.find("\ngame = \"" + game + "\"") == std::string::npos) continue;
    std::size_t at = 0;
    for (std::size_t count = 0; count < times; ++count) {
      at = chapter.text.find(old, count == 0 ? 0 : at + 1);
      REQUIRE_NE(at, std::string::npos);
    }
    chapter.text.replace(at, old.size(), by);
  }
  return chapters;
}

}  // namespace

// Fortune Bonus A -> B is § 645a.13(b)'s: 8000 to 5000, and an envy of 5000 to 3000. B is altered.
TEST_CASE("a changed and newly chosen paytable is listed line by line") {
  REQUIRE(every_wager_floor_text.find(
              "wager = \"pai-gow-poker/fortune-bonus\"\npaytable = \"A\"") != std::string::npos);
  const TwoFloors floors(
      replaced(every_wager_floor_text, "fortune-bonus\"\npaytable = \"A\"",
               "fortune-bonus\"\npaytable = \"B\""),
      chapters_with("pai-gow-poker",
                    "{ line = \"straight\",                             pays = \"2 to 1\" }",
                    "{ line = \"straight\", pays = \"700 to 1\" }", 2));
  CHECK(floors.lines() ==
        Lines{"chapter pai-gow-poker is another one than in force",
              "PG-FORTUNE paytable \"A\" -> \"B\"",
              "PG-FORTUNE seven_card_straight_flush_no_joker pays 8000 to 1 -> 5000 to 1",
              "PG-FORTUNE straight pays 2 to 1 -> 700 to 1",
              "PG-FORTUNE seven_card_straight_flush_no_joker envy on $5.00 or more $5000.00 -> "
              "$3000.00"});
}

TEST_CASE("changed texts of a chapter are listed once, without their links") {
  const TwoFloors floors(every_wager_floor_text,
                         chapters_with("crazy-4", "title = \"Crazy 4 Poker\"", "title = \"C4\""));
  CHECK(floors.lines() == Lines{"chapter crazy-4 is another one than in force"});
  CHECK(links_changed(floors.before.floor, floors.before.rules, floors.after.floor,
                      floors.after.rules)
            .empty());
}

TEST_CASE("an added or removed chapter is listed") {
  TwoFloors floors(every_wager_floor_text, shipped_catalogue());
  CHECK(floors.lines().empty());
  floors.after.rules.chapters.front().game = GameId("old-maid");
  CHECK(floors.lines() ==
        Lines{"chapter blackjack is taken away", "chapter old-maid is a new one"});
}

// Gaming days begin by it. The two persons who change it read the change and need not suspend a
// link.
TEST_CASE("a change of the house's timezone is listed and is a change by itself") {
  REQUIRE_EQ(every_wager_floor_text.find("[house]"), std::string::npos);
  const auto with_clock = [](const std::string& zone, const std::string& start) {
    return "[house]\ntimezone = \"" + zone + "\"\ngaming_day_start = \"" + start + "\"\n" +
           every_wager_floor_text;
  };
  const TwoFloors floors(with_clock("Europe/Vienna", "04:30"), shipped_catalogue());
  CHECK(floors.lines() == Lines{"house timezone \"America/New_York\" -> \"Europe/Vienna\"",
                                "house gaming_day_start \"06:00\" -> \"04:30\""});
  const TwoFloors said(with_clock("America/New_York", "06:00"), shipped_catalogue());
  CHECK(said.lines().empty());

  State state;
  const FloorFile& before = floors.before;
  state.apply(open_floor({before.floor, before.text, before.catalogue_texts, {}}, Timestamp()));
  const auto objection = [&](const FloorFile& after) {
    ChangeParameters change{after.text, after.catalogue_texts};
    change.floor = after.floor;
    return object(state, before.rules, change, &after.rules).refusal;
  };
  CHECK_EQ(objection(floors.after), Refusal::none);
  CHECK_EQ(objection(said.after), Refusal::parameters_unchanged);
}

TEST_CASE("what only people read of a payout limit may be corrected") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  const LinkRules link = link_of(file, "PG-FORTUNE").rules;
  LinkRules other = link;
  REQUIRE(other.wager.payout_limit.has_value());
  other.wager.payout_limit->section = "corrected";
  CHECK(rules_alone(other) == rules_alone(link));
}

namespace {

// C4-FOUR's four aces with one more envy step for each of `count` wagers.
FloorRules with_steps(FloorRules rules, LinkIndex link, std::size_t count) {
  std::vector<EnvyStep>& steps = rules.links[link.value()].paytable.envy.at(0).by_wager;
  for (std::size_t cents = 1; cents <= count; ++cents) {
    steps.push_back({Amount::cents(static_cast<std::int64_t>(1'000 + cents)), Amount::dollars(1)});
  }
  return rules;
}

}  // namespace

// Both persons read everything: the summary counts the lines that it has no room for, and the
// proposal keeps all lines. A change that a proposal could not keep is refused.
TEST_CASE("omitted lines are counted, and the number of lines is bounded") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  const LinkIndex link = file.floor.find_link(LinkId("C4-FOUR")).value();
  State state;
  state.apply(open_floor({file.floor, file.text, file.catalogue_texts, {}}, Timestamp()));
  const SelfSuspension suspension{{link}, "other terms"};
  state.apply(std::get<Entry>(decide(state, FloorRules(), suspension, Timestamp())));
  ChangeParameters change{file.text, file.catalogue_texts};
  change.floor = file.floor;

  const FloorRules most = with_steps(file.rules, link, limits::changes_max);
  CHECK_EQ(object(state, file.rules, change, &most).refusal, Refusal::none);
  const ChangeParameters kept = with_changes(state, file.rules, change, most);
  REQUIRE_EQ(kept.changes.size(), limits::changes_max);
  CHECK_EQ(kept.changes.back(), "C4-FOUR four_aces envy on $110.00 nothing -> $1.00");
  const std::string text = summary(kept);
  CHECK_LE(text.size(), limits::summary_length_max + 512);
  std::size_t told = 0;
  while (text.find("\n    " + kept.changes[told] + "\n") != std::string::npos) ++told;
  CHECK_GT(told, 100);
  CHECK_NE(text.find("and " + std::to_string(limits::changes_max - told) + " more lines"),
           std::string::npos);
  CHECK_FALSE(states_all_rules(kept));
  ChangeParameters few = kept;
  few.changes.resize(told);
  CHECK(states_all_rules(few));
  few.changes.push_back(kept.changes[told]);
  CHECK_FALSE(states_all_rules(few));

  const FloorRules too_many = with_steps(file.rules, link, limits::changes_max + 1);
  CHECK_EQ(object(state, file.rules, change, &too_many).refusal, Refusal::parameters_too_many);
}

TEST_CASE("other cards of a game change every link at its tables, and no other") {
  const TwoFloors floors(every_wager_floor_text,
                         chapters_with("crazy-4", "board_max = 1", "board_max = 2"));
  const auto changed = links_changed(floors.before.floor, floors.before.rules, floors.after.floor,
                                     floors.after.rules);
  for (std::uint32_t at = 0; at < floors.before.floor.links.size(); ++at) {
    const std::string& wager = floors.before.floor.links[at].wager.text();
    CAPTURE(wager);
    CHECK_EQ(changed.contains(LinkIndex(at)), wager.starts_with("crazy-4/"));
  }
}

TEST_CASE("a changed tax threshold is listed with both values") {
  TwoFloors floors(every_wager_floor_text, shipped_catalogue());
  floors.after.floor.taxable = {
      TaxThreshold{Timestamp::from_microseconds(0), "2026-01-01", Amount::dollars(2'000), 300}};
  CHECK(floors.lines() == Lines{"house taxable none -> " + text(floors.after.floor.taxable)});
}

// Everything open on a link belongs to its wager, its tables and its levels.
TEST_CASE("a link with another wager, other tables or levels is refused as redefined") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  State state;
  state.apply(open_floor(FloorOpened{file.floor, file.text, file.catalogue_texts, {}, {}},
                         Timestamp::from_microseconds(1'000'000)));
  const auto objection = [&](const std::function<void(Floor&)>& spoil) {
    ChangeParameters change;
    change.floor = file.floor;
    spoil(change.floor);
    State suspended = state;
    for (std::uint32_t at = 0; at < file.floor.links.size(); ++at) {
      suspended.apply(Entry{suspended.last_entry().next(),
                            {},
                            std::nullopt,
                            LinkSuspended{LinkIndex(at), "for other terms", Badge()},
                            {}});
    }
    return object(suspended, change).refusal;
  };
  CHECK_EQ(objection([](Floor&) {}), Refusal::none);
  CHECK_EQ(objection([](Floor& floor) { floor.links[0].wager = WagerId("g/w"); }),
           Refusal::link_redefined);
  CHECK_EQ(objection([](Floor& floor) { floor.links[0].tables.clear(); }), Refusal::link_redefined);
  CHECK_EQ(objection([](Floor& floor) { floor.links[0].pot = PotConfig(); }),
           Refusal::link_redefined);
  CHECK_EQ(objection([](Floor& floor) { floor.links[0].levels[0].id = LevelId("other"); }),
           Refusal::link_redefined);
  CHECK_EQ(objection([](Floor& floor) { floor.tables[0].game = GameId("other"); }),
           Refusal::tables_differ);
  CHECK_EQ(objection([](Floor& floor) { ++floor.tables[0].seats; }), Refusal::tables_differ);
  CHECK_EQ(objection([](Floor& floor) { ++floor.tables[0].decks; }), Refusal::tables_differ);
}

namespace {

// The rejection of a change from one floor to another while its fund is suspended.
Rejection objection_to(const std::string& before_text, const std::string& after_text) {
  const FloorFile before = parsed_floor(before_text);
  const FloorFile after = parsed_floor(after_text);
  State state;
  state.apply(open_floor({before.floor, before.text, before.catalogue_texts, {}}, Timestamp()));
  const std::optional<LinkIndex> fund = before.floor.find_link(LinkId("POKER"));
  REQUIRE(fund.has_value());
  state.apply(Entry{state.last_entry().next(),
                    {},
                    std::nullopt,
                    LinkSuspended{*fund, "for other terms", Badge()},
                    {}});
  ChangeParameters change{after.text, after.catalogue_texts};
  change.floor = after.floor;
  // An entry of an older release is read back, whatever it removed.
  CHECK_EQ(object(state, change).refusal, Refusal::none);
  return object(state, before.rules, change, &after.rules);
}

}  // namespace

// § 553.20(i).
TEST_CASE("a pot fund keeps the approval of its discontinuation") {
  const std::string key = "discontinuation = \"Board order 2026-1\"\n";
  const std::string without = replaced(every_wager_floor_text, key, "");
  const Rejection removed = objection_to(every_wager_floor_text, without);
  CHECK_EQ(removed.refusal, Refusal::discontinuation_removed);
  CHECK_EQ(removed.about, "POKER");
  CHECK_EQ(objection_to(every_wager_floor_text,
                        replaced(every_wager_floor_text, key, "discontinuation = \"order 2\"\n"))
               .refusal,
           Refusal::none);
  // An older release opened funds without an approval. One may be added, and other terms may change
  // before.
  CHECK_EQ(objection_to(without, every_wager_floor_text).refusal, Refusal::none);
  CHECK_EQ(objection_to(without, replaced(without, "limit = \"100000.00\"", "limit = \"90000.00\""))
               .refusal,
           Refusal::none);
}

}  // namespace linkmeter::decide_parameters_test
