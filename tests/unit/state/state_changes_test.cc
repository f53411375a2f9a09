#include "meters/state/state_changes.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <set>

namespace linkmeter::state_changes_test {

TEST_CASE("the changes are an ordered set, empty after it is cleared") {
  std::minstd_rand chance(7);
  FlatSet<int> noted;
  for (int run = 0; run < 20; ++run) {
    std::set<int> expected;
    for (int at = 0; at < run * 10; ++at) {
      const int thing = static_cast<int>(chance() % 40);
      noted.insert(thing);
      expected.insert(thing);
      REQUIRE(std::equal(noted.begin(), noted.end(), expected.begin(), expected.end()));
    }
    noted.clear();
    REQUIRE(noted == FlatSet<int>());
  }
}

// A new field does not compile here until the test changes it and checks that it is forgotten.
TEST_CASE("forget_changes() leaves no change") {
  Changes all;
  auto& [floor, links, sessions, answers, ended, pots, rounds, claims, slips, days, restorations,
         people, last_check, moments, clock, keys, recovery, writer, proposals, enrolments] = all;
  const auto is_changed_by = [&all](auto&& change) {
    change();
    const bool is_changed = !(all == Changes());
    all.forget();
    return is_changed && all == Changes();
  };
  CHECK(is_changed_by([&floor = floor] { floor = true; }));
  CHECK(is_changed_by([&last_check = last_check] { last_check = true; }));
  CHECK(is_changed_by([&moments = moments] { moments = true; }));
  CHECK(is_changed_by([&clock = clock] { clock = true; }));
  CHECK(is_changed_by([&keys = keys] { keys = true; }));
  CHECK(is_changed_by([&recovery = recovery] { recovery = true; }));
  CHECK(is_changed_by([&writer = writer] { writer = true; }));
  CHECK(is_changed_by([&links = links] { links.insert(LinkIndex(1)); }));
  CHECK(is_changed_by([&sessions = sessions] { sessions.insert(TableIndex(1)); }));
  CHECK(is_changed_by([&answers = answers] { answers.insert({TableIndex(1), 2}); }));
  CHECK(is_changed_by([&ended = ended] { ended.insert({TableIndex(1), 2}); }));
  CHECK(is_changed_by([&rounds = rounds] { rounds[{TableIndex(1), RoundId("r")}] = true; }));
  CHECK(is_changed_by([&claims = claims] { claims.insert(ClaimNumber(1)); }));
  CHECK(is_changed_by([&slips = slips] { slips.insert(SlipNumber(1)); }));
  CHECK(is_changed_by([&days = days] { days.insert(GamingDay()); }));
  CHECK(is_changed_by([&slots = pots] { slots.insert({TableIndex(1), 1}); }));
  CHECK(is_changed_by([&entries = restorations] { entries.insert(EntryNumber(1)); }));
  CHECK(is_changed_by([&people = people] { people.insert(Badge("F-1")); }));
  CHECK(is_changed_by([&proposals = proposals] { proposals.insert(ProposalNumber(1)); }));
  CHECK(is_changed_by([&names = enrolments] { names.insert({EnrolmentKind::table, "C4-01"}); }));
}

}  // namespace linkmeter::state_changes_test
