#include "table-agent/panel/panel.h"

#include <doctest/doctest.h>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/device_bench.h"
#include "tests/support/memory_panel_transport.h"

namespace linkmeter::panel_test {

namespace {

struct Table {
  MemoryPanelTransport edge;
  Panel panel{edge, "Demo Casino"};
  std::int64_t now_us = 1'000'000;
  bool is_linked = true;

  void turn() { panel.update(Timestamp::from_microseconds(now_us), is_linked, false); }
  void sign_in(std::uint64_t ticket) {
    edge.words.emplace_back(PanelRequest{ticket, {}, PanelSignature{Badge("D-1"), "123456"}});
    turn();
  }
  // The questions that go to the controller.
  std::vector<TableSignIn> asked() {
    std::vector<TableSignIn> all;
    for (const std::string& frame : panel.to_send()) {
      all.push_back(std::get<TableSignIn>(decode_from_table(frame).value()));
    }
    return all;
  }
};

TableSignedIn person(std::uint64_t question, const char* right) {
  return {question, Refusal::none, Badge("D-1"), "Dora", {"dealer"}, {right}};
}

const DealerAction resolve = touch_of(R"({"id":"x","do":"resolve","round":"r1","wagers":[]})");

}  // namespace

TEST_CASE("the panel asks the controller about each sign-in once") {
  Table table;
  table.sign_in(1);
  const auto asked = table.asked();
  REQUIRE_EQ(asked.size(), 1);
  CHECK_EQ(asked[0].pin, "123456");
  CHECK(table.asked().empty());
  CHECK(table.edge.people.empty());
  SUBCASE("a dealer") {
    table.panel.on_reply(person(asked[0].question, "run_rounds"));
    CHECK_EQ(table.edge.people.at(1).name, "Dora");
    table.panel.on_reply(person(asked[0].question, "run_rounds"));  // a repeat
    CHECK(table.edge.answers.empty());
  }
  SUBCASE("somebody without a right at a table") {
    table.panel.on_reply(person(asked[0].question, "pay_claims"));
    CHECK_EQ(table.edge.answers.at(1), "right_missing");
  }
  SUBCASE("a wrong PIN") {
    table.panel.on_reply({asked[0].question, Refusal::pin_wrong, Badge("D-1"), {}, {}, {}});
    CHECK_EQ(table.edge.answers.at(1), "pin_wrong");
  }
  SUBCASE("no answer") {
    table.now_us += 4'999'999;
    table.turn();
    CHECK(table.edge.answers.empty());
    table.now_us += 1;
    table.turn();
    CHECK_EQ(table.edge.answers.at(1), "no_answer");
    table.panel.on_reply(person(asked[0].question, "run_rounds"));  // too late
    CHECK(table.edge.people.empty());
  }
  SUBCASE("the controller goes") {
    table.is_linked = false;
    table.turn();
    CHECK_EQ(table.edge.answers.at(1), "no_controller");
  }
}

TEST_CASE("without a controller nobody can sign in, and no PIN is kept") {
  Table table;
  table.is_linked = false;
  table.sign_in(1);
  CHECK_EQ(table.edge.answers.at(1), "no_controller");
  table.is_linked = true;
  table.turn();
  CHECK(table.asked().empty());
}

TEST_CASE("the number of waiting questions is bounded") {
  Table table;
  for (std::uint64_t ticket = 1; ticket <= Panel::asked_max; ++ticket) table.sign_in(ticket);
  CHECK(table.edge.answers.empty());
  table.sign_in(Panel::asked_max + 1);
  CHECK_EQ(table.edge.answers.at(Panel::asked_max + 1), "busy");
}

TEST_CASE("a count is resolved by the person who signs it at that moment") {
  Table table;
  table.edge.words.emplace_back(PanelRequest{5, resolve, PanelSignature{Badge("F-1"), "654321"}});
  table.turn();
  const auto asked = table.asked();
  REQUIRE_EQ(asked.size(), 1);
  CHECK_EQ(asked[0].badge, Badge("F-1"));
  CHECK_FALSE(table.panel.next().has_value());
  SUBCASE("a floorperson") {
    TableSignedIn floorperson = person(asked[0].question, "resolve_counts");
    floorperson.badge = Badge("F-1");
    table.panel.on_reply(floorperson);
    const auto touched = table.panel.next();
    REQUIRE(touched.has_value());
    CHECK_EQ(touched->ticket, 5);
    CHECK_EQ(touched->touch.by, Badge("F-1"));
    const auto& submitted = std::get<touch::Submit>(touched->touch.word);
    CHECK_EQ(std::get<ResolveCount>(submitted.command).by, Badge("F-1"));
  }
  SUBCASE("a dealer") {
    table.panel.on_reply(person(asked[0].question, "run_rounds"));
    CHECK_EQ(table.edge.answers.at(5), "right_missing");
    CHECK_FALSE(table.panel.next().has_value());
  }
}

TEST_CASE("a void signed with a second PIN is the floorperson's, not the signed-in dealer's") {
  Table table;
  const auto voids = touch_of(R"({"id":"x","do":"void","round":"r1","reason":"misdeal","seat":2})");
  table.edge.words.emplace_back(PanelRequest{5, voids, PanelSignature{Badge("F-1"), "654321"}});
  table.turn();
  const auto asked = table.asked();
  REQUIRE_EQ(asked.size(), 1);
  SUBCASE("a floorperson") {
    TableSignedIn floorperson = person(asked[0].question, "validate_claims");
    floorperson.badge = Badge("F-1");
    table.panel.on_reply(floorperson);
    const auto touched = table.panel.next();
    REQUIRE(touched.has_value());
    const auto& submitted = std::get<touch::Submit>(touched->touch.word);
    CHECK_EQ(std::get<VoidRound>(submitted.command).by, Badge("F-1"));
  }
  SUBCASE("a dealer") {
    table.panel.on_reply(person(asked[0].question, "run_rounds"));
    CHECK_EQ(table.edge.answers.at(5), "right_missing");
    CHECK_FALSE(table.panel.next().has_value());
  }
}

TEST_CASE("an answer is sent after the view that shows its effect") {
  Table table;
  const TableOffers terms = device_table();
  const RoundRecord round;
  PanelState scene{terms, round};
  table.panel.show(scene, Timestamp::from_microseconds(1'000'000));
  table.edge.words.emplace_back(PanelRequest{1, touch_of(R"({"id":"a","do":"open_bets"})")});
  table.turn();
  REQUIRE(table.panel.next().has_value());
  table.panel.answer(1, {});
  CHECK(table.edge.answers.empty());
  SUBCASE("the table plays by itself, and changes faster than is shown: at once all the same") {
    scene.calls_floor = true;
    table.panel.show(scene, Timestamp::from_microseconds(1'000'001));
    CHECK_NE(table.edge.shown_before.at(1).find(R"("calls_floor":true)"), std::string::npos);
  }
  SUBCASE("nothing has changed: the picture that is out shows it") {
    table.panel.show(scene, Timestamp::from_microseconds(1'000'001));
    CHECK_EQ(table.edge.pictures.size(), 1);
    CHECK(table.edge.answers.contains(1));
  }
}

TEST_CASE("requests that wait when the agent ends are answered") {
  MemoryPanelTransport edge;
  {
    Panel panel(edge, "Demo Casino");
    for (const char* id : {"1", "2", "3"}) {
      const std::string text = std::string(R"({"id":")") + id + R"(","do":"open_bets"})";
      edge.words.emplace_back(PanelRequest{edge.words.size() + 1, touch_of(text)});
    }
    edge.words.emplace_back(PanelRequest{4, {}, PanelSignature{Badge("D-1"), "123456"}});
    panel.update(Timestamp::from_microseconds(1), true, false);
    CHECK(panel.next().has_value());
    CHECK(panel.next().has_value());
    panel.answer(1, {});
  }
  CHECK_EQ(edge.answers.at(1), "");          // it was done
  CHECK_EQ(edge.answers.at(2), "stopping");  // taken
  CHECK_EQ(edge.answers.at(3), "stopping");  // not taken
  CHECK_EQ(edge.answers.at(4), "stopping");
}

TEST_CASE("a table that plays by itself only shows; the dealer can still call the floor") {
  Table table;
  table.edge.words.emplace_back(PanelRequest{1, touch_of(R"({"id":"a","do":"open_bets"})")});
  table.edge.words.emplace_back(
      PanelRequest{2, touch_of(R"({"id":"b","do":"call_floor","calls":true})")});
  table.panel.update(Timestamp::from_microseconds(1), true, true);
  CHECK_EQ(table.edge.answers.at(1), "read_only");
  CHECK(table.panel.calls_floor());
  const TableOffers terms = device_table();
  const RoundRecord round;
  table.panel.show({terms, round}, Timestamp::from_microseconds(2));
  CHECK_EQ(table.edge.answers.at(2), "");
}

TEST_CASE("a view is sent when something has changed, and once a second") {
  Table table;
  const TableOffers terms = device_table();
  const RoundRecord round;
  const RoundMachine machine({terms, "device", "", {}, [] { return std::string("f00d0001"); }});
  PanelState scene{terms, round};
  scene.machine = &machine;
  const auto show = [&](std::int64_t at_us) {
    table.panel.show(scene, Timestamp::from_microseconds(at_us));
    return table.edge.pictures.size();
  };
  CHECK_EQ(show(1'000'000), 1);
  CHECK_EQ(show(1'000'001), 1);
  scene.calls_floor = true;
  CHECK_EQ(show(1'000'002), 2);
  CHECK_EQ(show(2'000'001), 2);
  CHECK_EQ(show(2'000'002), 3);
  scene.machine = nullptr;  // a table that plays by itself
  CHECK_EQ(show(2'000'003), 3);
  CHECK_EQ(show(2'050'003), 4);
}

TEST_CASE("the rights that a panel accepts") {
  const auto opens = touch_of(R"({"id":"a","do":"open_bets"})");
  CHECK(may_act({"run_rounds"}, opens));
  CHECK_FALSE(may_act({"resolve_counts", "validate_claims"}, opens));
  CHECK_FALSE(may_act({"run_rounds"}, resolve));
  CHECK_FALSE(may_act({"run_rounds", "resolve_counts"}, resolve));
  CHECK(may_sign({"resolve_counts"}, resolve));
  CHECK_FALSE(may_sign({"run_rounds", "validate_claims"}, resolve));
  const auto voids = touch_of(R"({"id":"a","do":"void","round":"r1","reason":"misdeal"})");
  CHECK(may_act({"run_rounds"}, voids));
  CHECK_FALSE(may_act({"validate_claims"}, voids));
  CHECK(may_sign({"validate_claims"}, voids));
  CHECK_FALSE(may_sign({"run_rounds", "resolve_counts"}, voids));
  CHECK_FALSE(may_sign({"run_rounds"}, opens));
  CHECK(may_sign_in({"validate_claims"}));
  CHECK_FALSE(may_sign_in({"enrol_tables", "alter"}));
  CHECK_FALSE(may_sign_in({}));
}

}  // namespace linkmeter::panel_test
