// The digest of a table's terms: the text contains everything that decides at the table, so that a
// table with other terms has another digest.
#include "meters/floor/config_digest.h"

#include <doctest/doctest.h>
#include <functional>
#include <string>

#include "meters/values/timestamp.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::config_digest_test {
namespace {

constexpr TableIndex p_01(4), c4_03(6);

// Whether a change of floor and rules changes that table's digest.
bool is_told(TableIndex table, const std::function<void(Floor&, FloorRules&)>& change) {
  const MixedFloor house;
  Floor floor = house.file.floor;
  FloorRules rules = house.file.rules;
  const std::string before = table_config_text(floor, rules, table);
  change(floor, rules);
  return table_config_text(floor, rules, table) != before;
}

}  // namespace

TEST_CASE("the configuration digest covers pots of a fund and bonuses of a wager") {
  CHECK(is_told(p_01, [](Floor& floor, FloorRules&) {
    floor.links[3].pot->minimum_pot += Amount::cents(1);
  }));
  CHECK(is_told(p_01, [](Floor& floor, FloorRules&) {
    floor.links[3].pot->contribution += Amount::cents(1);
  }));
  CHECK(is_told(p_01, [](Floor& floor, FloorRules&) {
    floor.links[3].pot->qualifying = {HandCategory::four_of_a_kind};
  }));
  CHECK(is_told(p_01, [](Floor& floor, FloorRules&) {
    floor.links[3].pot->losing_hand = Rate::from_ppm(1);
  }));
  CHECK(is_told(
      c4_03, [](Floor&, FloorRules& rules) { ++rules.links[5].paytable.bonuses.at(0).multiple; }));
  // Another table's link has no effect.
  CHECK_FALSE(is_told(c4_03, [](Floor& floor, FloorRules&) {
    floor.links[3].pot->minimum_pot += Amount::cents(1);
  }));
}

TEST_CASE("the order of links in the floor file does not change the digest") {
  const MixedFloor house;
  Floor floor = house.file.floor;
  FloorRules rules = house.file.rules;
  const std::string before = table_config_text(floor, rules, c4_03);
  std::swap(floor.links[4], floor.links[5]);
  std::swap(rules.links[4], rules.links[5]);
  CHECK_EQ(table_config_text(floor, rules, c4_03), before);
}

TEST_CASE("digests are compared only if both exist and have one version") {
  const std::string one = table_config_digest(Digest{1}), other = table_config_digest(Digest{2});
  CHECK(table_configs_differ(one, other));
  CHECK_FALSE(table_configs_differ(one, one));
  CHECK_FALSE(table_configs_differ("", other));
  CHECK_FALSE(table_configs_differ(one, ""));
  CHECK_FALSE(table_configs_differ("x" + one.substr(1), other));
}

TEST_CASE("an interval has passed if the clock was set back, so nothing waits forever") {
  const Timestamp since = Timestamp::from_microseconds(100);
  CHECK_FALSE(has_passed(since, 10, since.after(9)));
  CHECK(has_passed(since, 10, since.after(10)));
  CHECK(has_passed(since, 10, Timestamp::from_microseconds(99)));
}

}  // namespace linkmeter::config_digest_test
