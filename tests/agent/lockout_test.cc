// The lock-out of a table as a function of time: the test sets the time; nothing waits or
// reads a clock.
#include "table-agent/link/lockout.h"

#include <algorithm>
#include <string>
#include <vector>

#include "table-agent/link/table_agent.h"
#include "tests/support/memory_outbox.h"

#include <doctest/doctest.h>

namespace linkmeter::lockout_test {
namespace {

using Cause = Lockout::Cause;
using Lines = std::vector<std::string>;

const TableId table("C4-01");
const LinkId mega("C4-MEGA");
const Position somewhere{"test", "1"};
constexpr std::int64_t resend_us = 500'000, lost_after_us = 2'000'000;

Timestamp at_us(std::int64_t microseconds) { return Timestamp::from_microseconds(microseconds); }
Timestamp at_ms(std::int64_t milliseconds) { return at_us(milliseconds * 1'000); }

Head head(std::uint64_t entry) {
  Head made;
  made.entry = EntryNumber(entry);
  made.hash.fill(static_cast<std::uint8_t>(entry));
  return made;
}
std::string welcome(std::uint64_t last_number, const Head& at, std::uint64_t hello = 1,
                    std::vector<SuspendedLink> suspended = {}) {
  Welcome welcome{table, MessageNumber(last_number), at, Refusal::none, std::move(suspended)};
  welcome.question = hello;
  return encode(ToTable(welcome));
}
std::string heartbeat_answer(std::vector<SuspendedLink> suspended = {}) {
  return encode(ToTable(HeartbeatAnswer{table, std::move(suspended), false}));
}
std::string acknowledgement(std::uint64_t number, const Head& at) {
  Acknowledgements made;
  made.list.push_back({MessageNumber(number), at.entry, Refusal::none});
  made.head = at;
  return encode(ToTable(made));
}

TableCommand lock(const std::string& round) {
  return LockRound{RoundId(round), {}, std::nullopt, Badge()};
}
TableCommand close(const std::string& round) { return CloseRound{RoundId(round), Badge()}; }
TableCommand pot() {
  PlayPot played;
  played.round = RoundId("h1");
  return played;
}

bool may_accept(const Lockout& lockout, const LinkId& link) {
  return lockout.is_open() &&
         std::none_of(lockout.suspended.begin(), lockout.suspended.end(),
                      [&link](const SuspendedLink& one) { return one.link == link; });
}

// h: hello, b: heartbeat, m: message.
std::string kinds(const std::vector<std::string>& frames) {
  std::string kinds;
  for (const std::string& frame : frames) {
    const auto decoded = decode_from_table(frame);
    REQUIRE(decoded);
    kinds += std::holds_alternative<Hello>(*decoded)       ? 'h'
             : std::holds_alternative<Heartbeat>(*decoded) ? 'b'
                                                           : 'm';
  }
  return kinds;
}

// Welcome at 0, with nothing to deliver.
struct Open {
  MemoryOutbox outbox;
  TableAgent agent{table, outbox, {resend_us, lost_after_us}};

  Open() {
    REQUIRE(kinds(agent.to_send(at_ms(0))) == "h");
    agent.receive(welcome(0, head(1)), at_ms(0));
    REQUIRE(agent.lockout(at_ms(0)).is_open());
  }
  [[nodiscard]] Cause cause_at(Timestamp now) const { return agent.lockout(now).cause; }
};

}  // namespace

TEST_CASE("a table is locked until its first Welcome and begins no round before it") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {resend_us, lost_after_us});
  CHECK(agent.lockout(at_ms(0)).cause == Cause::no_controller);
  CHECK_FALSE(agent.may_submit(lock("r1"), at_ms(0)));
  CHECK_FALSE(agent.may_submit(pot(), at_ms(0)));
  // Nothing was ever submitted, so no round can go on: the numbers may be another outbox's.
  CHECK_FALSE(agent.may_submit(close("r1"), at_ms(0)));
  CHECK(kinds(agent.to_send(at_ms(0))) == "h");
  CHECK(agent.lockout(at_ms(1)).cause == Cause::no_controller);
  agent.receive(welcome(0, head(1)), at_ms(2));
  CHECK(agent.lockout(at_ms(2)).is_open());
  CHECK(agent.may_submit(lock("r1"), at_ms(2)));
  CHECK(agent.may_submit(pot(), at_ms(2)));
}

TEST_CASE("a table locks exactly lost_after after the last frame from the controller") {
  Open at;
  CHECK(at.cause_at(at_us(lost_after_us - 1)) == Cause::none);
  CHECK(at.cause_at(at_us(lost_after_us)) == Cause::no_controller);
  CHECK(at.agent.may_submit(lock("r1"), at_us(lost_after_us - 1)));
  CHECK_FALSE(at.agent.may_submit(lock("r1"), at_us(lost_after_us)));
}

TEST_CASE("every frame of the controller's turn postpones the lock, and nothing else does") {
  Open at;
  at.agent.submit(std::get<CloseRound>(close("r1")), somewhere, at_ms(0));
  std::string heard;
  Timestamp locks = at_ms(2'000);
  SUBCASE("an answer to a heartbeat") {
    heard = heartbeat_answer();
    locks = at_ms(3'000);
  }
  SUBCASE("an acknowledgement") {
    heard = acknowledgement(1, head(2));
    locks = at_ms(3'000);
  }
  SUBCASE("a second welcome") {
    heard = welcome(0, head(1));
    locks = at_ms(3'000);
  }
  SUBCASE("not what is no message") { heard = "\xff"; }
  SUBCASE("not what is for another table") {
    heard = encode(ToTable(HeartbeatAnswer{TableId("C4-02"), {}, false}));
  }
  SUBCASE("not a welcome of another table") {
    heard = encode(ToTable(Welcome{TableId("C4-02"), {}, head(1), Refusal::none}));
  }
  at.agent.receive(heard, at_ms(1'000));
  CHECK(at.cause_at(at_us(locks.microseconds() - 1)) == Cause::none);
  CHECK(at.cause_at(locks) == Cause::no_controller);
}

TEST_CASE("heartbeats go out every 500 ms, and often enough for a short lost_after") {
  Open at;
  CHECK(kinds(at.agent.to_send(at_ms(499))).empty());
  CHECK(at.agent.wakes_at() == at_ms(500));
  CHECK(kinds(at.agent.to_send(at_ms(500))) == "b");
  CHECK(kinds(at.agent.to_send(at_ms(501))).empty());
  at.agent.receive(heartbeat_answer(), at_ms(501));
  CHECK(at.agent.wakes_at() == at_ms(1'000));
  CHECK(kinds(at.agent.to_send(at_ms(1'000))) == "b");
  CHECK(TableAgent::Intervals{resend_us, 200'000}.heartbeat_us() == 50'000);
}

TEST_CASE(
    "the next frame after an unanswered heartbeat is a Hello; after an answered one it is not") {
  Open at;
  REQUIRE(kinds(at.agent.to_send(at_ms(500))) == "b");
  SUBCASE("not answered") {
    at.agent.submit({close("r1")}, somewhere, at_ms(600));
    CHECK(kinds(at.agent.to_send(at_ms(600))) == "h");
    at.agent.receive(welcome(0, head(1)), at_ms(601));
    CHECK(kinds(at.agent.to_send(at_ms(601))) == "m");
  }
  SUBCASE("answered") {
    at.agent.receive(heartbeat_answer(), at_ms(501));
    at.agent.submit({close("r1")}, somewhere, at_ms(600));
    CHECK(kinds(at.agent.to_send(at_ms(600))) == "m");
  }
}

TEST_CASE("the agent asks to be woken at the moment of its lock") {
  Open at;
  static_cast<void>(at.agent.to_send(at_ms(500)));
  static_cast<void>(at.agent.to_send(at_ms(1'000)));
  static_cast<void>(at.agent.to_send(at_ms(1'600)));
  CHECK(at.agent.wakes_at() == at_ms(2'000));
  CHECK(kinds(at.agent.to_send(at_ms(2'000))) == "h");
  CHECK(at.agent.wakes_at() == at_ms(2'500));  // when the hello is repeated
}

TEST_CASE("after a silence only a new Welcome unlocks the table, not a delayed frame") {
  Open at;
  // As after a process was stopped: nothing was noticed until the late frame is taken.
  for (const std::string& late : {heartbeat_answer(), welcome(0, head(1))}) {
    at.agent.receive(late, at_ms(2'000));
    CHECK(at.cause_at(at_ms(2'000)) == Cause::no_controller);
  }
  CHECK(kinds(at.agent.to_send(at_ms(2'001))) == "h");
  at.agent.receive(heartbeat_answer(), at_ms(2'002));
  CHECK(at.cause_at(at_ms(2'002)) == Cause::no_controller);
  at.agent.receive(welcome(0, head(1), 2), at_ms(2'003));
  CHECK(at.cause_at(at_ms(2'003)) == Cause::none);
  CHECK(at.cause_at(at_us(2'003'000 + lost_after_us)) == Cause::no_controller);
}

// The machine was stopped between a Hello and its Welcome; the controller may have ended long ago.
TEST_CASE("a Welcome that is lost_after old unlocks nothing") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {resend_us, lost_after_us});
  REQUIRE(kinds(agent.to_send(at_ms(0))) == "h");
  const auto opens = [&](std::uint64_t question, Timestamp now) {
    Welcome waited{table, {}, head(1), Refusal::none};
    waited.question = question;
    agent.receive(encode(ToTable(waited)), now);
    return agent.lockout(now).is_open();
  };
  SUBCASE("read after an hour") {
    CHECK_FALSE(opens(1, at_ms(3'600'000)));
    CHECK_FALSE(opens(0, at_ms(3'600'001)));  // from a controller that names no question
    CHECK(kinds(agent.to_send(at_ms(3'600'002))) == "h");
    CHECK(opens(2, at_ms(3'600'003)));
  }
  SUBCASE("read at that very moment, and just before") {
    CHECK_FALSE(opens(1, at_us(lost_after_us)));
    CHECK(opens(1, at_us(lost_after_us - 1)));
  }
  SUBCASE("read behind the next hello") {
    CHECK(kinds(agent.to_send(at_ms(3'600'000))) == "h");
    CHECK_FALSE(opens(1, at_ms(3'600'000)));
    CHECK(opens(2, at_ms(3'600'001)));
  }
  SUBCASE("behind a late answer to a heartbeat, which is no hello") {
    agent.receive(heartbeat_answer(), at_ms(3'600'000));
    CHECK_FALSE(opens(0, at_ms(3'600'000)));
  }
  SUBCASE("a slow controller answers the hello before the last one") {
    CHECK(kinds(agent.to_send(at_ms(500))) == "h");
    CHECK(opens(1, at_ms(600)));
  }
  SUBCASE("a question that was never asked") { CHECK_FALSE(opens(7, at_ms(1))); }
  SUBCASE("it does not put the moment off that locks an open table") {
    REQUIRE(opens(1, at_ms(1)));
    agent.receive(heartbeat_answer(), at_ms(1'500));
    CHECK(opens(1, at_ms(2'500)));  // a second time, late
    CHECK(agent.lockout(at_ms(3'499)).is_open());
    CHECK_FALSE(agent.lockout(at_ms(3'500)).is_open());
  }
}

TEST_CASE(
    "a locked round continues while the controller is lost, and is delivered before the table "
    "unlocks") {
  Open at;
  at.agent.submit({lock("r1")}, somewhere, at_ms(1));
  CHECK(kinds(at.agent.to_send(at_ms(1))) == "m");
  CHECK(kinds(at.agent.to_send(at_ms(2'000))) == "h");

  CHECK(at.agent.may_submit(close("r1"), at_ms(2'100)));
  CHECK_FALSE(at.agent.may_submit(lock("r2"), at_ms(2'100)));
  at.agent.submit({close("r1")}, somewhere, at_ms(2'100));

  CHECK(kinds(at.agent.to_send(at_ms(8'999))) == "h");
  at.agent.receive(welcome(0, head(1), 3), at_ms(9'000));
  CHECK(at.cause_at(at_ms(9'000)) == Cause::catching_up);
  CHECK_FALSE(at.agent.may_submit(lock("r2"), at_ms(9'000)));
  CHECK(kinds(at.agent.to_send(at_ms(9'000))) == "mm");
  // Messages submitted after the welcome do not keep it locked.
  at.agent.submit({close("r0")}, somewhere, at_ms(9'001));
  at.agent.receive(acknowledgement(1, head(2)), at_ms(9'001));
  CHECK(at.cause_at(at_ms(9'001)) == Cause::catching_up);
  at.agent.receive(acknowledgement(2, head(3)), at_ms(9'002));
  CHECK(at.cause_at(at_ms(9'002)) == Cause::none);
  CHECK(at.agent.unacknowledged_count() == 1);
}

TEST_CASE("a silence while the table catches up locks it again") {
  Open at;
  at.agent.submit({lock("r1")}, somewhere, at_ms(1));
  static_cast<void>(at.agent.to_send(at_ms(2'000)));
  at.agent.receive(welcome(0, head(1), 2), at_ms(3'000));
  CHECK(at.cause_at(at_ms(4'999)) == Cause::catching_up);
  CHECK(at.cause_at(at_ms(5'000)) == Cause::no_controller);
  CHECK(kinds(at.agent.to_send(at_ms(5'000))) == "h");
}

TEST_CASE("a restarted agent is locked until its stored messages are acknowledged") {
  MemoryOutbox outbox;
  {
    TableAgent before(table, outbox, {resend_us, lost_after_us});
    before.submit({lock("r1")}, somewhere, at_ms(0));
  }
  TableAgent agent(table, outbox, {resend_us, lost_after_us});
  CHECK(agent.may_submit(close("r1"), at_ms(0)));
  static_cast<void>(agent.to_send(at_ms(0)));
  agent.receive(welcome(0, head(1)), at_ms(1));
  CHECK(agent.lockout(at_ms(1)).cause == Cause::catching_up);
  agent.receive(acknowledgement(1, head(2)), at_ms(2));
  CHECK(agent.lockout(at_ms(2)).is_open());
}

TEST_CASE("a full window sends nothing, whether the table is locked or not") {
  Open at;
  while (at.agent.has_room()) at.agent.submit({close("r1")}, somewhere, at_ms(0));
  CHECK_FALSE(at.agent.may_submit(close("r1"), at_ms(1)));
  CHECK_FALSE(at.agent.may_submit(lock("r2"), at_ms(1)));
}

TEST_CASE("a suspension is known from the Welcome on and locks only its link") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {resend_us, lost_after_us});
  static_cast<void>(agent.to_send(at_ms(0)));
  agent.receive(welcome(0, head(1), 1, {{mega, "a display is dark"}}), at_ms(1));
  CHECK(agent.lockout(at_ms(1)).is_open());
  CHECK_FALSE(may_accept(agent.lockout(at_ms(1)), mega));
  CHECK(may_accept(agent.lockout(at_ms(1)), LinkId("C4-FOUR")));
  // Of another link; the controller checks each link.
  CHECK(agent.may_submit(lock("r1"), at_ms(1)));

  agent.receive(heartbeat_answer(), at_ms(2));
  CHECK(may_accept(agent.lockout(at_ms(2)), mega));
  CHECK_FALSE(may_accept(agent.lockout(at_us(2'000 + lost_after_us)), mega));
}

TEST_CASE("a restarted controller asks for a Hello, which contains the witness head") {
  Open at;
  at.agent.submit({lock("r1")}, somewhere, at_ms(1));
  static_cast<void>(at.agent.to_send(at_ms(1)));
  at.agent.receive(acknowledgement(1, head(7)), at_ms(2));
  CHECK(kinds(at.agent.to_send(at_ms(500))) == "b");
  at.agent.receive(encode(ToTable(HeartbeatAnswer{table, {}, true})), at_ms(501));
  CHECK(at.cause_at(at_ms(501)) == Cause::none);
  const auto frames = at.agent.to_send(at_ms(501));
  REQUIRE(kinds(frames) == "h");
  CHECK(std::get<Hello>(decode_from_table(frames[0]).value()).witness == head(7));
}

TEST_CASE("a heartbeat says how many messages wait for an answer") {
  Open at;
  at.agent.submit({lock("r1"), close("r1"), lock("r2")}, somewhere, at_ms(1));
  static_cast<void>(at.agent.to_send(at_ms(1)));
  at.agent.receive(acknowledgement(1, head(7)), at_ms(2));
  const auto frames = at.agent.to_send(at_ms(500));
  CHECK(frames == std::vector<std::string>{encode(Heartbeat{table, 2})});
}

TEST_CASE(
    "a heartbeat names the people at the panel; its answer names those whose login has ended") {
  Open at;
  const std::vector<PanelPerson> people = {{Badge("D-1"), {"dealer"}}};
  at.agent.note_people(people);
  const auto frames = at.agent.to_send(at_ms(500));
  CHECK(frames == std::vector<std::string>{encode(Heartbeat{table, 0, false, people})});
  CHECK(at.agent.receive(heartbeat_answer(), at_ms(501)).ended.empty());
  const HeartbeatAnswer ended{table, {}, false, {Badge("D-1")}};
  CHECK(at.agent.receive(encode(ToTable(ended)), at_ms(502)).ended == std::vector{Badge("D-1")});
}

TEST_CASE("a frozen table begins no round, but its open rounds continue") {
  Open at;
  HeartbeatAnswer answer{table, {}, false};
  answer.frozen = "two agents speak with this table's key";
  at.agent.receive(encode(ToTable(answer)), at_ms(100));
  const Lockout frozen = at.agent.lockout(at_ms(100));
  CHECK(frozen.cause == Cause::frozen);
  CHECK_EQ(frozen.frozen, "two agents speak with this table's key");
  CHECK(frozen.is_linked());
  CHECK_FALSE(at.agent.may_submit(lock("r2"), at_ms(100)));
  CHECK_FALSE(at.agent.may_submit(pot(), at_ms(100)));
  at.agent.receive(heartbeat_answer(), at_ms(200));
  CHECK(at.cause_at(at_ms(200)) == Cause::none);
  // Without the controller a freeze is not known.
  at.agent.receive(encode(ToTable(answer)), at_ms(300));
  CHECK(at.cause_at(at_ms(2'300)) == Cause::no_controller);
}

TEST_CASE(
    "a round refused by the pace is sent again later, under its number, with the messages after "
    "it") {
  Open at;
  at.agent.submit({lock("r1"), close("r1")}, somewhere, at_ms(0));
  const auto first = at.agent.to_send(at_ms(10));
  CHECK_EQ(kinds(first), "mm");
  Acknowledgements refused;
  refused.list.push_back({MessageNumber(1), EntryNumber(0), Refusal::pace_exceeded});
  refused.list.push_back({MessageNumber(2), EntryNumber(0), Refusal::message_out_of_order});
  refused.head = head(1);
  CHECK(at.agent.receive(encode(ToTable(refused)), at_ms(20)).answered.empty());
  CHECK(at.cause_at(at_ms(20)) == Cause::pace_exceeded);
  CHECK_FALSE(at.agent.may_submit(lock("r2"), at_ms(20)));
  // Until then only heartbeats are sent, however often to_send() is called.
  std::string submitted;
  for (std::int64_t ms = 20; ms < 5'020; ms += 100) {
    submitted += kinds(at.agent.to_send(at_ms(ms)));
    at.agent.receive(heartbeat_answer(), at_ms(ms));
    CHECK(at.agent.wakes_at() > at_ms(ms));
  }
  CHECK_EQ(submitted, "bbbbbbbbb");  // every 500 ms from 520 ms on
  auto again = at.agent.to_send(at_ms(5'020));
  std::erase_if(again, [](const std::string& frame) { return kinds({frame}) == "b"; });
  CHECK(again == first);
  at.agent.receive(acknowledgement(1, head(2)), at_ms(5'030));
  CHECK(at.cause_at(at_ms(5'030)) == Cause::none);
}

TEST_CASE("every message refused by the pace is sent again later, in order") {
  Open at;
  at.agent.submit({lock("r1"), close("r1"), close("r2"), lock("r3")}, somewhere, at_ms(0));
  const auto first = at.agent.to_send(at_ms(10));
  CHECK_EQ(kinds(first), "mmmm");
  // The close is before its time; the message after it is answered in another frame.
  Acknowledgements taken, later;
  taken.list.push_back({MessageNumber(1), EntryNumber(2), Refusal::none});
  taken.list.push_back({MessageNumber(2), EntryNumber(0), Refusal::pace_exceeded});
  later.list.push_back({MessageNumber(3), EntryNumber(0), Refusal::message_out_of_order});
  later.list.push_back({MessageNumber(4), EntryNumber(0), Refusal::message_out_of_order});
  taken.head = later.head = head(2);
  CHECK_EQ(at.agent.receive(encode(ToTable(taken)), at_ms(20)).answered.size(), 1);
  CHECK(at.agent.receive(encode(ToTable(later)), at_ms(21)).answered.empty());
  CHECK(at.cause_at(at_ms(21)) == Cause::pace_exceeded);
  CHECK_EQ(at.agent.unacknowledged_count(), 3);
  std::vector<std::string> again;
  for (std::int64_t ms = 30; again.empty() && ms < 10'000; ms += 100) {
    for (const std::string& frame : at.agent.to_send(at_ms(ms))) {
      if (kinds({frame}) == "h") at.agent.receive(welcome(1, head(2)), at_ms(ms));
      if (kinds({frame}) == "b") at.agent.receive(heartbeat_answer(), at_ms(ms));
      if (kinds({frame}) == "m") again.push_back(frame);
    }
    if (!again.empty()) CHECK(ms >= 5'020);
  }
  CHECK((again == std::vector<std::string>(first.begin() + 1, first.end())));
}

TEST_CASE("each change of the lock-out is one log line") {
  LockoutChange news(table, lost_after_us);
  CHECK(news.note({Cause::no_controller, {}}, at_ms(0)).empty());
  CHECK(news.note({Cause::catching_up, {}}, at_ms(1)).empty());
  CHECK(news.note({Cause::none, {}}, at_ms(2)).empty());
  CHECK(news.note({Cause::none, {}}, at_ms(3)).empty());

  CHECK(news.note({Cause::no_controller, {}}, at_ms(5'000)) ==
        Lines{"progressive locked: no message from the controller for 2 s; the game itself "
              "goes on"});
  CHECK(news.note({Cause::no_controller, {}}, at_ms(6'000)).empty());
  CHECK(news.note({Cause::catching_up, {}}, at_ms(8'000)) ==
        Lines{"the controller is back; earlier messages are delivered first"});
  CHECK(news.note({Cause::no_controller, {}}, at_ms(8'100)).empty());
  CHECK(news.note({Cause::none, {}}, at_ms(8'450)) == Lines{"progressive open again after 3.4 s"});

  CHECK(news.note({Cause::none, {{mega, "a display is dark"}}}, at_ms(9'000)) ==
        Lines{"link C4-MEGA takes no wagers: suspended: a display is dark"});
  CHECK(news.note({Cause::none, {{mega, "a display is dark"}}}, at_ms(9'001)).empty());
  CHECK(news.note({Cause::none, {}}, at_ms(9'002)) == Lines{"link C4-MEGA operates again"});
}

TEST_CASE("times are printed in seconds without trailing zeros") {
  CHECK(text_seconds(2'000'000) == "2 s");
  CHECK(text_seconds(250'999) == "0.25 s");
  CHECK(text_seconds(61'030'000) == "61.03 s");
  CHECK(text_seconds(0) == "0 s");
}

}  // namespace linkmeter::lockout_test
