#include "proto/http/login_throttle.h"

#include <doctest/doctest.h>
#include <map>
#include <string>

namespace linkmeter::login_throttle_test {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const Badge f1("F-1"), f2("F-2");

std::int64_t wait(const LoginThrottle& tries, const std::string& place,
                  LoginThrottle::Uptime uptime, const Badge& badge = f1) {
  const auto found = tries.wait_of(badge, place, uptime);
  return found ? found->count() : 0;
}

}  // namespace

TEST_CASE("three wrong PINs of one badge from one address cause no wait; then each waits longer") {
  LoginThrottle tries;
  for (int at = 0; at < 3; ++at) {
    CHECK_EQ(wait(tries, "10.0.0.1", seconds(at)), 0);
    tries.note_try(f1, "10.0.0.1", seconds(at));
  }
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(2)), 60);
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(61)), 1);
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(62)), 0);
  CHECK_EQ(wait(tries, "10.0.0.2", seconds(2)), 0);
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(2), f2), 0);
  LoginThrottle::Uptime now = seconds(62);
  for (const int seconds_more : {120, 240, 480, 900, 900}) {
    tries.note_try(f1, "10.0.0.1", now);
    CHECK_EQ(wait(tries, "10.0.0.1", now), seconds_more);
    now += seconds(seconds_more);
  }
}

TEST_CASE("tries of one badge from many addresses wait everywhere except at trusted origins") {
  LoginThrottle tries;
  tries.note_right(f1, "10.1.1.1", seconds(0));
  for (int at = 0; at < 10; ++at) {
    const std::string place = "10.0.0." + std::to_string(at);
    CHECK_EQ(wait(tries, place, seconds(1)), 0);
    tries.note_try(f1, place, seconds(1));
  }
  CHECK_EQ(wait(tries, "10.9.9.9", seconds(1)), 60);
  CHECK_EQ(wait(tries, "10.9.9.9", seconds(1), f2), 0);
  CHECK(tries.is_trusted_origin(f1, "10.1.1.1", seconds(1)));
  CHECK_FALSE(tries.is_trusted_origin(f1, "10.9.9.9", seconds(1)));
  LoginThrottle::Uptime now = seconds(61);
  for (int at = 0; at < 20; ++at) {
    tries.note_try(f1, "10.9.9." + std::to_string(at), now);
    now += hours(1);
  }
  CHECK_EQ(wait(tries, "10.8.8.8", now - hours(1)), 3'600);
  // At an origin of a colleague's right PIN, only the person's own attempts count.
  tries.note_right(f2, "10.8.8.8", now - hours(1));
  CHECK_EQ(wait(tries, "10.8.8.8", now - hours(1)), 0);
  for (int at = 0; at < 3; ++at) tries.note_try(f1, "10.8.8.8", now);
  CHECK_EQ(wait(tries, "10.8.8.8", now), 60);
}

TEST_CASE("tries of one badge from many shared terminals wait at all of them") {
  LoginThrottle tries;
  const auto station = [](int at) { return "10.1.1." + std::to_string(at); };
  for (int at = 0; at < 20; ++at) {
    tries.note_right(at % 2 == 0 ? f2 : Badge("F-3"), station(at), seconds(0));
  }
  for (int at = 0; at < 10; ++at) tries.note_try(f1, "10.9.9." + std::to_string(at), seconds(1));
  for (int at = 0; at < 20; ++at) {
    CHECK_EQ(wait(tries, station(at % 10), seconds(1)), 0);
    tries.note_try(f1, station(at % 10), seconds(1));
  }
  CHECK_EQ(wait(tries, station(11), seconds(1)), 60);
  tries.take_back(f1, station(0));
  CHECK_EQ(wait(tries, station(11), seconds(1)), 0);
}

TEST_CASE("trusted origins are stored as a text and keep their age") {
  const auto at = [](std::int64_t us) { return Timestamp::from_microseconds(us); };
  LoginThrottle tries;
  CHECK_EQ(tries.trusted_origins_version(), 0);
  tries.note_right(f1, "10.0.0.1", seconds(10));
  tries.note_right(f2, "10.0.0.2", seconds(20));
  const std::uint64_t version = tries.trusted_origins_version();
  CHECK_EQ(version, 2);
  tries.note_right(f1, "10.0.0.1", seconds(11));
  CHECK_EQ(tries.trusted_origins_version(), version);  // no change that needs to be stored
  const std::string kept = tries.trusted_origins(seconds(30), at(1'000'000'000));
  CHECK_EQ(kept, "F-1\t10.0.0.1\t981000000\nF-2\t10.0.0.2\t990000000\n");
  LoginThrottle next;
  CHECK(next.read_trusted_origins(kept, seconds(0), at(1'001'000'000)));
  CHECK(next.is_trusted_origin(f1, "10.0.0.1", hours(7 * 24) - seconds(21)));
  CHECK_FALSE(next.is_trusted_origin(f1, "10.0.0.1", hours(7 * 24) - seconds(20)));
  CHECK_FALSE(next.is_trusted_origin(f2, "10.0.0.1", seconds(0)));
  // A clock that was set back does not extend the trust in an origin.
  LoginThrottle back;
  CHECK(back.read_trusted_origins(kept, seconds(0), at(0)));
  CHECK_FALSE(back.is_trusted_origin(f1, "10.0.0.1", hours(7 * 24)));
  for (const char* bad : {"F-1", "F-1\t10.0.0.1\n", "F-1\tx\t1", "F-1\tx\ty\n", "F-1\tx\t-1\n",
                          "F-1\tx\t1\nF-2\n", "F-1\tx\t99999999999999999999\n"}) {
    CAPTURE(bad);
    LoginThrottle none;
    CHECK_FALSE(none.read_trusted_origins(bad, seconds(0), at(1)));
    CHECK_FALSE(none.is_trusted_origin(f1, "x", seconds(0)));
  }
}

TEST_CASE("wrong PINs from untrusted origins are counted by badge and reported once") {
  LoginThrottle tries;
  CHECK_FALSE(tries.has_counts());
  tries.note_wrong(f1);
  tries.note_wrong(f1);
  tries.note_wrong(f2);
  CHECK((tries.take_counts() == std::map<Badge, std::uint64_t>{{f1, 2}, {f2, 1}}));
  CHECK_FALSE(tries.has_counts());
}

TEST_CASE("an origin is trusted for a week after the person's right PIN") {
  LoginThrottle tries;
  CHECK_FALSE(tries.is_trusted_origin(f1, "10.0.0.1", seconds(0)));
  tries.note_right(f1, "10.0.0.1", seconds(5));
  CHECK(tries.is_trusted_origin(f1, "10.0.0.1", hours(7 * 24)));
  CHECK_FALSE(tries.is_trusted_origin(f1, "10.0.0.1", hours(7 * 24) + seconds(5)));
  CHECK_FALSE(tries.is_trusted_origin(f2, "10.0.0.1", seconds(6)));
}

TEST_CASE("a right PIN clears the count of its address; counts of other addresses stay") {
  LoginThrottle tries;
  for (int at = 0; at < 3; ++at) tries.note_try(f1, "10.0.0.1", seconds(0));
  for (int at = 0; at < 7; ++at) tries.note_try(f1, "10.0.0." + std::to_string(at + 2), seconds(0));
  tries.note_right(f1, "10.0.0.1", seconds(1));
  CHECK_EQ(wait(tries, "10.9.9.9", seconds(1)), 59);
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(1)), 0);
}

TEST_CASE("a PIN that was not verified is not a wrong PIN, and counts are forgotten after a day") {
  LoginThrottle tries;
  for (int at = 0; at < 3; ++at) tries.note_try(f1, "10.0.0.1", seconds(0));
  tries.take_back(f1, "10.0.0.1");
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(0)), 0);
  tries.note_try(f1, "10.0.0.1", seconds(0));
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(0)), 60);
  for (int at = 0; at < 7; ++at) {
    tries.note_try(f1, "10.0.1." + std::to_string(at), seconds(3));
  }
  CHECK_EQ(wait(tries, "10.9.9.9", seconds(3)), 60);
  CHECK_EQ(wait(tries, "10.9.9.9", hours(24) + seconds(3)), 0);
  tries.note_try(f1, "10.0.0.1", hours(24) + seconds(3));
  CHECK_EQ(wait(tries, "10.0.0.1", hours(24) + seconds(3)), 0);
  tries.take_back(f2, "nowhere");
}

TEST_CASE("a try that is taken back leaves no count, whether or not its origin is still trusted") {
  const LoginThrottle::Uptime after = LoginThrottle::trusted_for + seconds(1);
  LoginThrottle tries;
  tries.note_right(f2, "10.0.0.1", seconds(0));
  for (unsigned at = 0; at < LoginThrottle::per_badge.free; ++at) {
    tries.note_try(f1, "10.0.0.1", after);  // f2 has no trusted origin there any more
    tries.take_back(f1, "10.0.0.1");
  }
  CHECK_EQ(wait(tries, "10.9.9.9", after), 0);
  // The place is trusted when the try begins, and no more when it is taken back.
  tries.note_right(f2, "10.0.0.2", after);
  for (unsigned at = 0; at < LoginThrottle::per_badge_at_terminals.free; ++at) {
    tries.note_try(f1, "10.0.0.2", after);
    tries.take_back(f1, "10.0.0.2");
  }
  CHECK_EQ(wait(tries, "10.0.0.2", after), 0);
}

TEST_CASE("two tries of one right PIN at a shared terminal leave no count") {
  LoginThrottle tries;
  tries.note_right(f2, "10.0.0.1", seconds(0));
  for (unsigned at = 0; at < LoginThrottle::per_badge_at_terminals.free; ++at) {
    const std::string place = "10.0.0." + std::to_string(at + 1);
    tries.note_right(f2, place, seconds(0));
    tries.note_try(f1, place, seconds(1));
    tries.note_try(f1, place, seconds(1));
    tries.take_back(f1, place);
    tries.note_right(f1, place, seconds(1));
    tries.take_back(f1, place);
  }
  tries.note_right(f2, "10.9.9.9", seconds(1));
  CHECK_EQ(wait(tries, "10.9.9.9", seconds(1)), 0);
}

TEST_CASE("the tables are bounded, and the newest tries stay") {
  LoginThrottle tries;
  for (std::size_t at = 0; at < LoginThrottle::origins_max + 100; ++at) {
    tries.note_try(Badge("B" + std::to_string(at)), "10.0.0.1", minutes(0));
  }
  for (int at = 0; at < 3; ++at) tries.note_try(f1, "10.0.0.1", seconds(1));
  CHECK_EQ(wait(tries, "10.0.0.1", seconds(1)), 60);
}

TEST_CASE("a badge has a bounded number of trusted origins: a new one replaces its own oldest") {
  LoginThrottle tries;
  constexpr std::size_t many = LoginThrottle::origins_of_badge_max;
  const auto place = [](std::size_t at) { return "p" + std::to_string(at); };
  tries.note_right(f1, "station", seconds(0));
  for (std::size_t at = 0; at < 10'000; ++at) tries.note_right(f2, place(at), seconds(1 + at));
  const auto now = seconds(10'001);
  CHECK(tries.is_trusted_origin(f1, "station", now));
  CHECK_FALSE(tries.is_trusted_origin(f2, place(9'999 - many), now));
  CHECK(tries.is_trusted_origin(f2, place(10'000 - many), now));
  CHECK(tries.is_trusted_origin(f2, place(9'999), now));
  // After another use it is the newest one.
  tries.note_right(f2, place(10'000 - many), now);
  tries.note_right(f2, "another", now);
  CHECK(tries.is_trusted_origin(f2, place(10'000 - many), now));
  CHECK_FALSE(tries.is_trusted_origin(f2, place(10'001 - many), now));
  // A text with more origins, from a program that kept more: the newest are taken.
  std::string text;
  for (std::size_t at = 0; at < 2 * many; ++at) {
    text += "F-1\t" + place(at) + "\t" + std::to_string(1'000'000 * at) + "\n";
  }
  LoginThrottle next;
  CHECK(next.read_trusted_origins(text, seconds(0), Timestamp::from_microseconds(100'000'000)));
  CHECK_FALSE(next.is_trusted_origin(f1, place(many - 1), seconds(0)));
  CHECK(next.is_trusted_origin(f1, place(many), seconds(0)));
  CHECK(next.is_trusted_origin(f1, place(2 * many - 1), seconds(0)));
}

}  // namespace linkmeter::login_throttle_test
