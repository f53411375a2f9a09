#include "controller/cluster/trimming.h"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <string>

namespace linkmeter::trimming_test {
namespace {

using std::chrono::minutes;

constexpr std::int64_t small = 1'000;
constexpr std::int64_t large = Trimming::store_bytes_max + 1;

std::map<std::string, NodeRecord> nodes_at(const std::map<std::string, std::uint64_t>& heads) {
  std::map<std::string, NodeRecord> nodes;
  for (const auto& [name, head] : heads) {
    nodes[name].node = name;
    nodes[name].head.entry = EntryNumber(head);
  }
  return nodes;
}

// A head of 10 more entries in each minute, from minute 0 on.
Trimming noted_until(int minute) {
  Trimming trimming;
  for (int at = 0; at <= minute; ++at) {
    trimming.note(EntryNumber(10 * static_cast<std::uint64_t>(at)), minutes(at));
  }
  return trimming;
}

std::optional<EntryNumber> entry(std::uint64_t number) { return EntryNumber(number); }

}  // namespace

TEST_CASE("entries go when they are older than the time to keep them") {
  const auto nodes = nodes_at({{"a", 1'000}, {"b", 1'000}});
  CHECK_FALSE(noted_until(14).end(nodes, small, minutes(14)));
  CHECK(noted_until(16).end(nodes, small, minutes(16)) == entry(11));
  CHECK(noted_until(100).end(nodes, small, minutes(100)) == entry(851));
  // Nothing was noted for a while: what was there at the last note is old by now.
  CHECK(noted_until(16).end(nodes, small, minutes(16) + Trimming::keep_time) == entry(11));
}

TEST_CASE("no entry goes that a running node lacks") {
  const Trimming trimming = noted_until(100);
  CHECK(trimming.end(nodes_at({{"a", 1'000}, {"b", 37}}), small, minutes(100)) == entry(38));
  CHECK(trimming.end(nodes_at({{"a", 12}, {"b", 37}, {"c", 500}}), large, minutes(100)) ==
        entry(13));
  CHECK_FALSE(trimming.end(nodes_at({{"a", 1'000}, {"b", 0}}), small, minutes(100)));
  CHECK_FALSE(trimming.end({}, large, minutes(100)));
}

TEST_CASE("young entries go only if etcd holds too much") {
  const auto nodes = nodes_at({{"a", 50}, {"b", 45}});
  CHECK_FALSE(noted_until(5).end(nodes, Trimming::store_bytes_max, minutes(5)));
  CHECK(noted_until(5).end(nodes, large, minutes(5)) == entry(46));
  // No further than the last head that was noted.
  CHECK(noted_until(4).end(nodes, large, minutes(4)) == entry(41));
}

TEST_CASE("nothing goes before a head was noted") {
  CHECK_FALSE(Trimming().end(nodes_at({{"a", 50}}), large, minutes(100)));
}

}  // namespace linkmeter::trimming_test
