#include "controller/sockets/viewer_slots.h"

#include <doctest/doctest.h>
#include <string>

namespace linkmeter::viewer_slots_test {
namespace {

// -1: no connection is closed.
int arrives(ViewerSlots& places, int connection, const std::string& address) {
  return places.arrived(connection, address).value_or(-1);
}
int subscribes(ViewerSlots& places, int connection, const std::string& key) {
  return places.subscribed(connection, key).value_or(-1);
}

}  // namespace

TEST_CASE("among arriving connections, the address with the most loses its oldest") {
  ViewerSlots places(3, 10, 10);
  for (int connection : {1, 2, 3}) CHECK_EQ(arrives(places, connection, "crowd"), -1);
  CHECK_EQ(arrives(places, 4, "sign"), 1);
  CHECK_EQ(arrives(places, 5, "crowd"), 2);
  CHECK_EQ(arrives(places, 6, "other"), 3);
  CHECK_EQ(arrives(places, 7, "fourth"), 7);  // every place is used
  CHECK_EQ(arrives(places, 8, "sign"), 4);    // its own older one
  CHECK_EQ(places.count(), 3);
}

TEST_CASE("subscribed connections have their own places, which arriving ones cannot take") {
  ViewerSlots places(2, 2, 10);
  CHECK_EQ(arrives(places, 1, "a"), -1);
  CHECK_EQ(subscribes(places, 1, "key"), -1);
  CHECK_EQ(subscribes(places, 1, "another"), -1);  // it keeps its key
  for (int connection = 2; connection < 100; ++connection) {
    CHECK_NE(arrives(places, connection, "crowd"), 1);
  }
  CHECK_EQ(places.count(), 3);
  CHECK_EQ(subscribes(places, 7'777, "key"), -1);  // unknown
  CHECK_EQ(places.count(), 3);
}

TEST_CASE("one key that has all places loses its oldest to any other key") {
  ViewerSlots places(10, 3, 10);
  for (int connection : {1, 2, 3}) {
    CHECK_EQ(arrives(places, connection, "one"), -1);
    CHECK_EQ(subscribes(places, connection, "thief"), -1);
  }
  CHECK_EQ(arrives(places, 4, "one"), -1);
  CHECK_EQ(subscribes(places, 4, "sign"), 1);  // from the same address
  CHECK_EQ(arrives(places, 5, "two"), -1);
  CHECK_EQ(subscribes(places, 5, "thief"), 2);  // with the same key, from another address
  CHECK_EQ(arrives(places, 6, "one"), -1);
  CHECK_EQ(subscribes(places, 6, "thief"), 3);  // and its own newest stays
  CHECK_EQ(arrives(places, 7, "nine"), -1);
  CHECK_EQ(subscribes(places, 7, "new"), 7);
}

TEST_CASE("the places of a key are bounded, and other keys lose none") {
  ViewerSlots places(10, 100, 2);
  const auto comes = [&](int connection, const std::string& address, const std::string& key) {
    CHECK_EQ(arrives(places, connection, address), -1);
    return subscribes(places, connection, key);
  };
  CHECK_EQ(comes(1, "a", "thief"), -1);
  CHECK_EQ(comes(2, "a", "thief"), -1);
  CHECK_EQ(comes(3, "a", "sign"), -1);
  CHECK_EQ(comes(4, "a", "thief"), 1);
  CHECK_EQ(comes(5, "b", "thief"), 2);  // the address with the most loses its oldest
  CHECK_EQ(comes(6, "b", "thief"), 5);  // each has one: its own older one
  CHECK_EQ(comes(7, "c", "thief"), 7);
  places.ended(6);
  CHECK_EQ(comes(8, "c", "thief"), -1);
  CHECK_EQ(places.count(), 3);
}

TEST_CASE("a sign that reconnects replaces its old connection") {
  ViewerSlots places(10, 100, 3);
  for (int connection : {1, 2, 3}) {
    CHECK_EQ(arrives(places, connection, "bar " + std::to_string(connection)), -1);
    CHECK_EQ(subscribes(places, connection, "signs"), -1);
  }
  CHECK_EQ(arrives(places, 4, "bar 2"), -1);
  CHECK_EQ(subscribes(places, 4, "signs"), 2);
}

TEST_CASE("an ended connection frees its place and its number") {
  ViewerSlots places(2, 1, 10);
  CHECK_EQ(arrives(places, 1, "a"), -1);
  CHECK_EQ(arrives(places, 2, "a"), -1);
  places.ended(1);
  places.ended(1);
  CHECK_EQ(arrives(places, 3, "a"), -1);
  CHECK_EQ(arrives(places, 3, "b"), -1);  // its end was not reported
  CHECK_EQ(places.count(), 2);
  CHECK_EQ(subscribes(places, 3, "key"), -1);
  places.ended(3);
  CHECK_EQ(subscribes(places, 2, "key"), -1);
  CHECK_EQ(places.count(), 1);
}

}  // namespace linkmeter::viewer_slots_test
