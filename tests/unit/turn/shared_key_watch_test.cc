#include "controller/turn/shared_key_watch.h"

#include <doctest/doctest.h>
#include <cstdint>
#include <string>

namespace linkmeter::shared_key_watch_test {
namespace {

constexpr TableIndex table(0);

Timestamp at_ms(std::int64_t milliseconds) {
  return Timestamp::from_microseconds(milliseconds * 1'000);
}

}  // namespace

TEST_CASE("two agents that send in turn are detected within a few seconds") {
  SharedKeyWatch watch;
  bool noticed = false;
  std::int64_t at = 0;
  for (; at <= 10'000 && !noticed; at += 500) {
    noticed = watch.note(table, at % 1'000 == 0 ? "a" : "b", at_ms(at));
  }
  CHECK(noticed);
  CHECK(at <= 5'000);
}

TEST_CASE("any number of key thieves who send in turn beside the agent is detected") {
  for (const int thieves : {1, 8, 9, 20, 100, 128, 129, 500}) {
    CAPTURE(thieves);
    SharedKeyWatch watch;
    bool noticed = false;
    int next = 0;
    // The agent sends twice a second, and between two of its messages the others send as many.
    for (std::int64_t at = 0; at < 30'000 && !noticed; at += 500) {
      noticed = watch.note(table, "agent", at_ms(at));
      for (int words = 0; words < thieves && !noticed; ++words) {
        noticed = watch.note(table, "thief " + std::to_string(next++ % thieves), at_ms(at + 100));
      }
    }
    CHECK(noticed);
  }
}

TEST_CASE("a key thief with a new connection for each frame is detected") {
  SharedKeyWatch watch;
  bool noticed = false;
  for (std::int64_t at = 0; at < 60'000 && !noticed; at += 100) {
    noticed = watch.note(table, "thief " + std::to_string(at), at_ms(at));
  }
  CHECK(noticed);
}

TEST_CASE("an agent that reconnects again and again is one agent") {
  SharedKeyWatch watch;
  for (std::int64_t at = 0; at < 600'000; at += 250) {
    const std::string connection = "connection " + std::to_string(at / 1'000);
    CHECK_FALSE(watch.note(table, connection, at_ms(at)));
  }
  // An agent that needs a new connection for every heartbeat, twice a second, is one agent, too.
  for (std::int64_t at = 600'000; at < 1'200'000; at += 500) {
    CHECK_FALSE(watch.note(table, "connection " + std::to_string(at), at_ms(at)));
  }
}

TEST_CASE("late frames of an ended connection are not a second agent") {
  SharedKeyWatch watch;
  for (std::int64_t at = 0; at < 600'000; at += 60'000) {
    const std::string ended = "connection " + std::to_string(at);
    const std::string next = "connection " + std::to_string(at + 60'000);
    CHECK_FALSE(watch.note(table, ended, at_ms(at)));
    // Both are read in turns, all at the same time.
    for (int count = 0; count < 100; ++count) {
      CHECK_FALSE(watch.note(table, next, at_ms(at + 59'000)));
      CHECK_FALSE(watch.note(table, ended, at_ms(at + 59'000)));
    }
    CHECK_FALSE(watch.note(table, next, at_ms(at + 59'100)));
  }
}

TEST_CASE("each table is watched separately, and the watch restarts after a detection") {
  SharedKeyWatch watch;
  for (std::int64_t at = 0; at < 60'000; at += 500) {
    CHECK_FALSE(watch.note(TableIndex(1), "a", at_ms(at)));
    CHECK_FALSE(watch.note(TableIndex(2), "b", at_ms(at)));
  }
  int noticed = 0;
  for (std::int64_t at = 60'000; at < 120'000; at += 1'000) {
    noticed += watch.note(table, at % 2'000 == 0 ? "a" : "b", at_ms(at)) ? 1 : 0;
  }
  CHECK(noticed > 1);
}

}  // namespace linkmeter::shared_key_watch_test
