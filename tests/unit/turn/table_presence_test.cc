#include "controller/turn/table_presence.h"

#include <doctest/doctest.h>
#include <chrono>
#include <cstdint>
#include <vector>

namespace linkmeter::table_presence_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds lost_after{2'000};
constexpr TableIndex first(0), second(1);

// The wall clock is in 2023 when the uptime is 0.
Moment at(microseconds uptime) {
  return {Timestamp::from_microseconds(1'700'000'000'000'000 + uptime.count()), uptime};
}

TablePresence two_tables() { return {2, lost_after, at(microseconds(0))}; }

}  // namespace

TEST_CASE("a table that never sent anything is not seen since the start and never lost") {
  TablePresence presence = two_tables();
  CHECK_FALSE(presence.due());
  CHECK(presence.note({}, at(milliseconds(60'000))).empty());
  CHECK_EQ(presence.table(first).standing, TableLinkState::never_seen);
  CHECK_EQ(presence.table(first).since, at(microseconds(0)).as_of);
  CHECK_FALSE(presence.table(first).last_heard_at);
}

TEST_CASE(
    "a table known from the journal is not seen since the start, with the time of its last "
    "message") {
  const Timestamp before = Timestamp::from_microseconds(-7);
  TablePresence presence(2, lost_after, at(microseconds(0)), {std::nullopt, before});
  CHECK_EQ(presence.table(first).standing, TableLinkState::never_seen);
  CHECK_EQ(presence.table(second).standing, TableLinkState::not_seen);
  CHECK_EQ(presence.table(second).last_heard_at, before);
  CHECK(presence.note({}, at(milliseconds(60'000))).empty());
  const auto changes = presence.note({second}, at(milliseconds(60'100)));
  REQUIRE_EQ(changes.size(), 1);
  CHECK_EQ(changes[0].from, TableLinkState::not_seen);
  CHECK_EQ(changes[0].to, TableLinkState::linked);
}

TEST_CASE("the first frame connects a table; later ones only update its time") {
  TablePresence presence = two_tables();
  const auto changes = presence.note({first}, at(milliseconds(100)));
  REQUIRE_EQ(changes.size(), 1);
  CHECK_EQ(changes[0].table, first);
  CHECK_EQ(changes[0].from, TableLinkState::never_seen);
  CHECK_EQ(changes[0].to, TableLinkState::linked);
  CHECK(presence.note({first}, at(milliseconds(600))).empty());
  CHECK_EQ(presence.table(first).standing, TableLinkState::linked);
  CHECK_EQ(presence.table(first).since, at(milliseconds(100)).as_of);
  CHECK_EQ(presence.table(first).last_heard_at, at(milliseconds(600)).as_of);
  CHECK_EQ(presence.table(second).standing, TableLinkState::never_seen);
}

TEST_CASE("a table is lost exactly lost_after after its last frame") {
  TablePresence presence = two_tables();
  presence.note({first}, at(milliseconds(100)));
  presence.note({first}, at(milliseconds(600)));
  CHECK(presence.note({}, at(milliseconds(2'600) - microseconds(1))).empty());
  const auto changes = presence.note({}, at(milliseconds(2'600)));
  REQUIRE_EQ(changes.size(), 1);
  CHECK_EQ(changes[0].from, TableLinkState::linked);
  CHECK_EQ(changes[0].to, TableLinkState::lost);
  CHECK_EQ(changes[0].silence, lost_after);
  CHECK_EQ(presence.table(first).since, at(milliseconds(2'600)).as_of);
  CHECK_EQ(presence.table(first).last_heard_at, at(milliseconds(600)).as_of);
  CHECK(presence.note({}, at(milliseconds(9'000))).empty());  // reported as lost once
}

TEST_CASE("a frame in the same turn comes before the loss") {
  TablePresence presence = two_tables();
  presence.note({first}, at(milliseconds(0)));
  CHECK(presence.note({first}, at(milliseconds(30'000))).empty());
  CHECK_EQ(presence.table(first).standing, TableLinkState::linked);
}

TEST_CASE("a lost table is connected again by its next frame, which ends the silence") {
  TablePresence presence = two_tables();
  presence.note({first}, at(milliseconds(0)));
  presence.note({}, at(milliseconds(2'500)));
  const auto changes = presence.note({first}, at(milliseconds(12'300)));
  REQUIRE_EQ(changes.size(), 1);
  CHECK_EQ(changes[0].from, TableLinkState::lost);
  CHECK_EQ(changes[0].to, TableLinkState::linked);
  CHECK_EQ(changes[0].silence, milliseconds(12'300));
  CHECK_EQ(presence.table(first).since, at(milliseconds(12'300)).as_of);
}

TEST_CASE("due() is never too late for any table") {
  TablePresence presence = two_tables();
  presence.note({first}, at(milliseconds(0)));
  presence.note({second}, at(milliseconds(500)));
  REQUIRE(presence.due());
  CHECK_EQ(*presence.due(), milliseconds(2'000));
  // A message of one table does not delay another table's deadline.
  presence.note({second}, at(milliseconds(1'900)));
  CHECK_EQ(*presence.due(), milliseconds(2'000));
  CHECK_EQ(presence.note({}, at(milliseconds(2'000))).size(), 1);
  CHECK_EQ(*presence.due(), milliseconds(3'900));
  CHECK_EQ(presence.note({}, at(milliseconds(3'900))).size(), 1);
  CHECK_FALSE(presence.due());
}

TEST_CASE("the status names every table of the floor, also one that was added later") {
  TablePresence presence(1, lost_after, at(microseconds(0)));
  Floor floor;
  for (const char* id : {"T-1", "T-2", "T-3"}) {
    TableConfig table;
    table.id = TableId(id);
    floor.tables.push_back(table);
  }
  presence.note({second}, at(milliseconds(5)));
  const ControllerStatus status = presence.status(floor, at(milliseconds(7)).as_of);
  CHECK_EQ(status.now, at(milliseconds(7)).as_of);
  CHECK_EQ(status.started_at, at(microseconds(0)).as_of);
  REQUIRE_EQ(status.tables.size(), 3);
  CHECK(
      (status.tables[0] ==
       TableLinkStatus{TableId("T-1"), TableLinkState::never_seen, at(microseconds(0)).as_of, {}}));
  CHECK(
      (status.tables[1] == TableLinkStatus{TableId("T-2"), TableLinkState::linked,
                                           at(milliseconds(5)).as_of, at(milliseconds(5)).as_of}));
  CHECK(
      (status.tables[2] ==
       TableLinkStatus{TableId("T-3"), TableLinkState::never_seen, at(microseconds(0)).as_of, {}}));
}

}  // namespace linkmeter::table_presence_test
