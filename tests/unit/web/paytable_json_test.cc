#include "controller/web/paytable_json.h"

#include <doctest/doctest.h>
#include <set>
#include <string>

#include "tests/support/mixed_floor.h"

namespace linkmeter::paytable_json_test {
namespace {

using Wagers = std::set<std::string>;

// The wagers for which the sign lists Envy; every listed line has one.
Wagers posted(const LinkConfig& terms, const LinkRules& rules) {
  Json told;
  add_paytable(told, terms, rules);
  Wagers wagers;
  for (const Json& line : told["envy"]) {
    CHECK_FALSE(line["by_wager"].empty());
    for (const Json& step : line["by_wager"]) wagers.insert(step["wager"].get<std::string>());
  }
  return wagers;
}

}  // namespace

TEST_CASE("Envy is posted for the wagers that a link takes, and for no other") {
  const MixedFloor floor;
  const auto link = [&floor](const char* id) { return *floor.state.floor().find_link(LinkId(id)); };
  LinkConfig five_card = floor.state.floor().link(link("C4"));
  const LinkRules& rules = floor.file.rules.link(link("C4"));
  CHECK_EQ(posted(five_card, rules), Wagers{"5.00"});
  five_card.unit = Amount::dollars(1);
  CHECK_EQ(posted(five_card, rules), Wagers{"1.00"});
  five_card.unit = Amount::dollars(2);
  CHECK_EQ(posted(five_card, rules), Wagers{});
}

TEST_CASE("Envy for a wager \"or more\" is posted where so much can be bet") {
  const MixedFloor floor;
  const LinkIndex link = *floor.state.floor().find_link(LinkId("FORTUNE"));
  const LinkRules& rules = floor.file.rules.link(link);
  LinkConfig fortune = floor.state.floor().link(link);
  CHECK_EQ(posted(fortune, rules), Wagers{"5.00"});
  fortune.minimum = Amount::dollars(10);
  CHECK_EQ(posted(fortune, rules), Wagers{"5.00"});
  fortune.minimum = Amount::dollars(1);
  fortune.maximum = Amount::dollars(4);
  CHECK_EQ(posted(fortune, rules), Wagers{});
}

}  // namespace linkmeter::paytable_json_test
