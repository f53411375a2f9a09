#include "meters/state/table_session.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/random_values.h"

namespace linkmeter::ended_rounds_test {
namespace {

RoundId id_of(std::uint64_t number) { return RoundId("r" + std::to_string(number)); }

bool stands_in(const std::deque<RoundId>& lately, const RoundId& id) {
  return std::find(lately.begin(), lately.end(), id) != lately.end();
}

}  // namespace

// Compared with the simplest model: a list of the last rounds.
TEST_CASE("recently ended rounds are found and older ones forgotten, whatever their names") {
  RandomValues random(11);
  EndedRounds ended;
  std::deque<RoundId> lately;
  for (std::uint64_t count = 0; count < 3 * limits::ended_rounds_remembered; ++count) {
    // Few names, so that some occur more than once; and many of one form.
    const RoundId id = random.coin() ? id_of(random.below(20'000)) : id_of(1'000'000 + count);
    ended.add(id);
    lately.push_back(id);
    if (lately.size() > limits::ended_rounds_remembered) lately.pop_front();
    CHECK(ended.contains(id));
    if (count % 64 != 0) continue;
    const RoundId asked = id_of(random.below(20'000));
    REQUIRE_EQ(ended.contains(asked), stands_in(lately, asked));
    REQUIRE(ended.contains(lately.front()));
  }
  for (const RoundId& id : lately) REQUIRE(ended.contains(id));
  CHECK_EQ(ended.count(), 3 * limits::ended_rounds_remembered);
  CHECK_EQ(ended.ring().size(), limits::ended_rounds_remembered);

  const EndedRounds again = EndedRounds::restored(ended.ring(), ended.count());
  CHECK((again == ended));
  for (const RoundId& id : lately) REQUIRE(again.contains(id));
  CHECK_EQ(again.contains(id_of(2)), ended.contains(id_of(2)));
}

// After a restart the ring is read in the order of its slots, which differs from the order of age.
TEST_CASE("rounds read back in the middle of a ring are forgotten in their turn") {
  const auto count_at_restart =
      limits::ended_rounds_remembered + limits::ended_rounds_remembered / 2;
  EndedRounds before;
  for (std::uint64_t count = 0; count < count_at_restart; ++count) before.add(id_of(count));
  EndedRounds after = EndedRounds::restored(before.ring(), before.count());
  for (std::uint64_t count = count_at_restart; count < 2 * count_at_restart; ++count) {
    after.add(id_of(count));
    before.add(id_of(count));
    const std::uint64_t forgotten = count - limits::ended_rounds_remembered;
    REQUIRE_FALSE(after.contains(id_of(forgotten)));
    REQUIRE(after.contains(id_of(forgotten + 1)));
    REQUIRE(after.contains(id_of(count)));
  }
  CHECK((after == before));
  after.add(id_of(1));
  CHECK_FALSE((after == before));
  // The same number, but not the same names.
  before.add(id_of(2));
  CHECK_FALSE((after == before));
}

// The ring keeps a 32-bit hash of a name: two names with one hash are still two names.
TEST_CASE("two names with one hash are two names") {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> hashes;
  for (std::uint64_t number = 0; number < 200'000; ++number) {
    const auto hash = std::hash<std::string>{}(id_of(number).text());
    hashes.emplace_back(static_cast<std::uint32_t>(hash), number);
  }
  std::sort(hashes.begin(), hashes.end());
  const auto alike = std::adjacent_find(
      hashes.begin(), hashes.end(),
      [](const auto& left, const auto& right) { return left.first == right.first; });
  REQUIRE(alike != hashes.end());
  const RoundId one = id_of(alike->second), other = id_of(std::next(alike)->second);
  EndedRounds ended;
  ended.add(one);
  CHECK(ended.contains(one));
  CHECK_FALSE(ended.contains(other));
  ended.add(other);
  CHECK(ended.contains(one));
  CHECK(ended.contains(other));
}

TEST_CASE("no round has ended") {
  CHECK_FALSE(EndedRounds().contains(id_of(1)));
  CHECK_FALSE(EndedRounds::restored({}, 0).contains(RoundId()));
}

}  // namespace linkmeter::ended_rounds_test
