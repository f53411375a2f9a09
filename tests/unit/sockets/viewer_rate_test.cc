#include "controller/sockets/viewer_rate.h"

#include <doctest/doctest.h>
#include <chrono>
#include <string>

namespace linkmeter::viewer_rate_test {
namespace {

using std::chrono::milliseconds;
using Answer = ViewerRate::Answer;

constexpr ViewerRate::Bound no_bound{1'000'000, milliseconds(1)};

ViewerRate::Time at(int time_ms) { return ViewerRate::Time(milliseconds(1'000'000 + time_ms)); }

}  // namespace

TEST_CASE("a key has a burst of connections, then one per interval") {
  ViewerRate rate({3, milliseconds(500)}, no_bound);
  for (int count = 0; count < 3; ++count) CHECK_EQ(rate.ask("key", at(0)), Answer::accepted);
  CHECK_EQ(rate.ask("key", at(0)), Answer::key_too_often);
  CHECK_EQ(rate.ask("key", at(499)), Answer::key_too_often);
  CHECK_EQ(rate.ask("key", at(500)), Answer::accepted);
  CHECK_EQ(rate.ask("key", at(999)), Answer::key_too_often);
  CHECK_EQ(rate.ask("key", at(1'000)), Answer::accepted);
}

TEST_CASE("a key that connects all the time is accepted at its rate, without effect on others") {
  ViewerRate rate({2, milliseconds(500)}, no_bound);
  int accepted = 0;
  for (int time_ms = 0; time_ms < 10'000; ++time_ms) {
    if (rate.ask("thief", at(time_ms)) == Answer::accepted) ++accepted;
  }
  CHECK_EQ(accepted, 2 + 19);
  CHECK_EQ(rate.ask("sign", at(10'000)), Answer::accepted);
  CHECK_EQ(rate.ask("sign", at(10'000)), Answer::accepted);
}

TEST_CASE("after a pause a key has its full burst again") {
  ViewerRate rate({3, milliseconds(500)}, no_bound);
  for (int count = 0; count < 3; ++count) CHECK_EQ(rate.ask("key", at(0)), Answer::accepted);
  for (int count = 0; count < 3; ++count) CHECK_EQ(rate.ask("key", at(60'000)), Answer::accepted);
  CHECK_EQ(rate.ask("key", at(60'000)), Answer::key_too_often);
}

TEST_CASE("all keys together have a rate, and its refusals do not count for the key") {
  ViewerRate rate({2, milliseconds(10'000)}, {4, milliseconds(10)});
  for (const char* key : {"a", "b", "c", "d"}) CHECK_EQ(rate.ask(key, at(0)), Answer::accepted);
  for (int count = 0; count < 5; ++count) CHECK_EQ(rate.ask("e", at(0)), Answer::all_too_often);
  CHECK_EQ(rate.ask("e", at(10)), Answer::accepted);
  CHECK_EQ(rate.ask("f", at(10)), Answer::all_too_often);
  CHECK_EQ(rate.ask("e", at(20)), Answer::accepted);
  CHECK_EQ(rate.ask("e", at(30)), Answer::key_too_often);
}

}  // namespace linkmeter::viewer_rate_test
