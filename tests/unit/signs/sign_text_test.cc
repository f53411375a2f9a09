#include "controller/signs/sign_text.h"

#include <doctest/doctest.h>
#include <memory>
#include <optional>
#include <string>

#include "controller/signs/serial_sign.h"
#include "controller/signs/sign_driver.h"

namespace linkmeter::sign_text_test {
namespace {

constexpr std::int64_t second_us = 1'000'000;

Timestamp at_s(std::int64_t seconds) { return Timestamp::from_microseconds(seconds * second_us); }

// What the controller published at second `as_of`; it is valid for three seconds.
SignUpdate update(std::uint64_t sequence, std::int64_t mega_cents, std::int64_t as_of_s) {
  return {
      "C4-MEGA", sequence, at_s(as_of_s), 3'000, false, false, {{"mega", mega_cents}, {"minor", 7}},
      {}};
}

SignUpdate won(std::uint64_t sequence, std::uint64_t claim, bool is_pending, std::int64_t as_of_s) {
  SignUpdate told = update(sequence, 5'000'000, as_of_s);
  told.awards = {{claim, "C4-02", 10'000'014, is_pending}};
  return told;
}

TEST_CASE("an amount is shown in dollars while it is not older than its maximum age") {
  SignText sign;
  CHECK(sign.words(at_s(100)) == "NOT AVAILABLE");
  sign.note(update(1, 123'456'789, 100), at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "MEGA $1,234,567.89  MINOR $0.07");
  CHECK(sign.words(at_s(103)) == "MEGA $1,234,567.89  MINOR $0.07");
  CHECK(sign.words(Timestamp::from_microseconds(103 * second_us + 1)) == "C4-MEGA NOT AVAILABLE");
  CHECK_FALSE(sign.is_stale(at_s(103)));
  CHECK(sign.is_stale(at_s(104)));
  sign.note(update(2, 123'456'790, 104), at_s(104), at_s(104));
  CHECK(sign.words(at_s(104)) == "MEGA $1,234,567.90  MINOR $0.07");
}

TEST_CASE("a sign for one level shows that level only") {
  SignText sign("minor");
  sign.note(update(1, 500, 100), at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "MINOR $0.07");
}

TEST_CASE("the time in transit counts toward an update's age") {
  SignText sign;
  sign.note(update(1, 500, 100), at_s(50), at_s(102));  // 2 s in transit
  CHECK(sign.words(at_s(51)) == "MEGA $5.00  MINOR $0.07");
  CHECK(sign.words(at_s(52)) == "C4-MEGA NOT AVAILABLE");
  SignText late;
  late.note(update(1, 500, 100), at_s(50), at_s(104));  // 4 s
  CHECK(late.words(at_s(50)) == "C4-MEGA NOT AVAILABLE");
  SignText behind;  // a clock that is behind the controller's makes nothing younger
  behind.note(update(1, 500, 100), at_s(50), at_s(90));
  CHECK(behind.words(at_s(53)) == "MEGA $5.00  MINOR $0.07");
  CHECK(behind.words(at_s(54)) == "C4-MEGA NOT AVAILABLE");
}

TEST_CASE("an older update changes nothing and does not refresh the latest") {
  SignText sign;
  sign.note(update(5, 900, 100), at_s(100), at_s(100));
  sign.note(update(4, 800, 102), at_s(102), at_s(102));
  CHECK(sign.words(at_s(102)) == "MEGA $9.00  MINOR $0.07");
  CHECK(sign.words(at_s(104)) == "C4-MEGA NOT AVAILABLE");
  sign.note(update(5, 900, 99), at_s(104), at_s(104));
  CHECK(sign.words(at_s(104)) == "C4-MEGA NOT AVAILABLE");
}

TEST_CASE("suspended and pending adjustment are words, not amounts") {
  SignText sign;
  SignUpdate told = update(1, 500, 100);
  told.waits_for_adjustment = true;
  sign.note(told, at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "C4-MEGA PENDING ADJUSTMENT");
  told = update(2, 500, 100);
  told.is_suspended = true;
  sign.note(told, at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "C4-MEGA SUSPENDED");
}

TEST_CASE("a progressive that ends says so: first beside its amount, then instead of it") {
  SignText sign;
  SignUpdate told = update(1, 500, 100);
  told.is_stopped = true;
  sign.note(told, at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "MEGA $5.00  MINOR $0.07  NO MORE WAGERS");
  told = update(2, 0, 100);
  told.is_stopped = told.has_ended = true;
  sign.note(told, at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "C4-MEGA HAS ENDED");
  told.sequence = 3;
  told.went_to = "C4-2 mega";
  sign.note(told, at_s(100), at_s(100));
  CHECK(sign.words(at_s(100)) == "C4-MEGA HAS ENDED  AMOUNT MOVED TO C4-2 MEGA");
}

TEST_CASE("a win is shown for half a minute, as pending until it is validated") {
  SignText sign;
  sign.note(update(1, 500, 100), at_s(100), at_s(100));
  sign.note(won(2, 3, true, 101), at_s(101), at_s(101));
  CHECK(sign.words(at_s(101)) ==
        "WINNER TABLE C4-02 $100,000.14 PENDING  MEGA $50,000.00  MINOR $0.07");
  sign.note(won(3, 3, false, 102), at_s(102), at_s(102));
  CHECK(sign.words(at_s(102)) == "WINNER TABLE C4-02 $100,000.14  MEGA $50,000.00  MINOR $0.07");
  sign.note(won(4, 3, false, 131), at_s(131), at_s(131));
  CHECK(sign.words(at_s(131)) == "MEGA $50,000.00  MINOR $0.07");
}

TEST_CASE("simultaneous wins are shown in turn, each for its whole time, then again") {
  SignText sign;
  sign.note(update(1, 500, 100), at_s(100), at_s(100));
  SignUpdate told = update(2, 500, 100);
  told.awards = {{5, "C", 300, true}, {4, "B", 200, false}, {3, "A", 100, true}};
  sign.note(told, at_s(101), at_s(101));
  const auto winner = [&](std::int64_t second) {
    SignUpdate fresh = told;
    fresh.as_of = at_s(second);
    sign.note(fresh, at_s(second), at_s(second));
    const std::string words = sign.words(at_s(second));
    return words.substr(0, words.find("  "));
  };
  CHECK(winner(101) == "WINNER TABLE A $1.00 PENDING");
  CHECK(winner(110) == "WINNER TABLE A $1.00 PENDING");
  CHECK(winner(111) == "WINNER TABLE B $2.00");
  CHECK(winner(121) == "WINNER TABLE C $3.00 PENDING");
  CHECK(winner(130) == "WINNER TABLE C $3.00 PENDING");
  CHECK(winner(131) == "MEGA $5.00");
  // A win that arrives while another is shown is shown at once; then both in turn.
  told.awards.insert(told.awards.begin(), {6, "D", 400, false});
  CHECK(winner(140) == "WINNER TABLE D $4.00");
  told.awards.insert(told.awards.begin(), {7, "E", 500, false});
  CHECK(winner(155) == "WINNER TABLE E $5.00");
  CHECK(winner(165) == "WINNER TABLE D $4.00");
  CHECK(winner(170) == "WINNER TABLE E $5.00");
  told.awards[0].is_rejected = true;
  CHECK(winner(175) == "MEGA $5.00");
}

TEST_CASE("a rejected claim is not shown as a win") {
  SignText sign;
  sign.note(update(1, 500, 100), at_s(100), at_s(100));
  sign.note(won(2, 3, true, 101), at_s(101), at_s(101));
  SignUpdate rejected = won(3, 3, false, 102);
  rejected.awards[0].is_rejected = true;
  sign.note(rejected, at_s(102), at_s(102));
  CHECK(sign.words(at_s(102)) == "MEGA $50,000.00  MINOR $0.07");
}

TEST_CASE("a win from before the sign's start is not shown as new") {
  SignText sign;
  sign.note(won(2, 3, true, 101), at_s(101), at_s(101));
  CHECK(sign.words(at_s(101)) == "MEGA $50,000.00  MINOR $0.07");
}

TEST_CASE("a Pro-Lite sign gets a page and the command to show it; no text becomes a command") {
  const auto driver = sign_driver("pro-lite", 7);
  CHECK(driver->bytes("MEGA $1.00") == "<ID07><PA>MEGA $1.00\r\n<ID07><RPA>\r\n");
  CHECK(driver->bytes("<ID01><PB>\x07\xc3\xa9") == "<ID07><PA> ID01  PB    \r\n<ID07><RPA>\r\n");
  CHECK(sign_driver("plain", 1)->bytes("A<B") == "A<B\n");
}

TEST_CASE("a serial sign gets each change, and repeats of the same text") {
  SerialSign sign(SignText(), sign_driver("plain", 1));
  const auto now = [](std::int64_t us) {
    return Timestamp::from_microseconds(100 * second_us + us);
  };
  CHECK(sign.say(now(0)) == "NOT AVAILABLE\n");
  sign.note(update(1, 500, 100), now(0), now(0));
  CHECK(sign.say(now(SerialSign::interval_us_min - 1)) == std::nullopt);
  CHECK(sign.say(now(SerialSign::interval_us_min)) == "MEGA $5.00  MINOR $0.07\n");
  sign.note(update(1, 500, 104), now(4 * second_us), now(4 * second_us));
  CHECK(sign.say(now(SerialSign::interval_us_min + SerialSign::interval_us_max - 1)) ==
        std::nullopt);
  CHECK(sign.say(now(SerialSign::interval_us_min + SerialSign::interval_us_max)) ==
        "MEGA $5.00  MINOR $0.07\n");
  sign.forget_sent();
  CHECK(sign.say(now(SerialSign::interval_us_min + SerialSign::interval_us_max)).has_value());
}

}  // namespace
}  // namespace linkmeter::sign_text_test
