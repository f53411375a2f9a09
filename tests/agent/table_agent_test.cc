#include "table-agent/link/table_agent.h"

#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/welcomed_table.h"

#include <doctest/doctest.h>

namespace linkmeter::table_agent_test {
using namespace welcomed_table;

TEST_CASE("the first frame is a Hello, and no message is sent before the Welcome") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {interval_us});
  agent.submit(close("r1"), somewhere, at_ms(0));

  const auto first = agent.to_send(at_ms(0));
  REQUIRE(first.size() == 1);
  CHECK(is_hello(first[0]));
  CHECK(agent.to_send(at_ms(499)).empty());

  SUBCASE("a lost hello is said again after the interval") {
    CHECK(agent.wakes_at() == at_ms(500));
    const auto again = agent.to_send(at_ms(500));
    REQUIRE(again.size() == 1);
    CHECK(is_hello(again[0]));
  }
  SUBCASE("after the welcome the messages follow, once each and in order") {
    agent.receive(welcome(0, head(1)), at_ms(10));
    agent.submit(close("r2"), somewhere, at_ms(10));
    CHECK(numbers_of(agent.to_send(at_ms(10))) == Numbers{1, 2});
    CHECK(agent.to_send(at_ms(11)).empty());
  }
}

TEST_CASE("a message is stored before it is sent") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {interval_us});
  outbox.fail_next(MemoryOutbox::Trouble::throws_before_storing);
  CHECK_THROWS_AS(agent.submit(close("r1"), somewhere, at_ms(0)), Fault);
  CHECK(agent.to_send(at_ms(0)).size() == 1);  // the hello
  agent.receive(welcome(0, head(1)), at_ms(1));
  CHECK(agent.to_send(at_ms(1)).empty());
  CHECK(outbox.last_number() == MessageNumber(0));
}

TEST_CASE("an answered message leaves the outbox, and the head of its answer is stored") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  const auto own = frame_checksum(sha256(at.outbox.unacknowledged()[0].bytes));
  const Reply first{1, 2, Refusal::none, own};
  const auto answered = at.agent.receive(acknowledgements({first}, head(2)), at_ms(3)).answered;
  REQUIRE(answered.size() == 1);
  CHECK(answered[0] == Answered{MessageNumber(1), EntryNumber(2), Refusal::none, ""});
  REQUIRE(at.outbox.unacknowledged().size() == 1);
  CHECK(at.outbox.unacknowledged()[0].number == MessageNumber(2));
  CHECK(at.outbox.witness() == head(2));
  CHECK_FALSE(at.agent.all_acknowledged());

  // The same acknowledgement again acknowledges nothing new.
  CHECK(at.agent.receive(acknowledgements({first}, head(2)), at_ms(4)).answered.empty());
  CHECK(at.agent.receive(acknowledgements({{2, 3}}, head(3)), at_ms(5)).answered.size() == 1);
  CHECK(at.agent.all_acknowledged());
}

TEST_CASE("a journaled refusal answers its message and names it") {
  Welcomed at;
  at.agent.submit(LockRound{RoundId("r3"), {}, std::nullopt, Badge()}, somewhere, at_ms(0));
  at.submit("r3");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  const auto answered =
      at.agent
          .receive(
              acknowledgements({{1, 2, Refusal::wager_not_a_unit}, {2, 3, Refusal::round_unknown}},
                               head(3)),
              at_ms(3))
          .answered;
  REQUIRE(answered.size() == 2);
  CHECK(answered[0].refusal == Refusal::wager_not_a_unit);
  CHECK(answered[0].submitted == "lock r3");
  CHECK(answered[1].submitted == "close r3");
  CHECK(at.agent.all_acknowledged());
}

TEST_CASE("the window holds at most as many messages as the controller remembers answers for") {
  Welcomed at;
  for (std::size_t count = 0; count < limits::messages_open_max; ++count) {
    REQUIRE(at.agent.has_room());
    at.submit("r");
  }
  CHECK_FALSE(at.agent.has_room());
  CHECK(at.agent.to_send(at_ms(2)).size() == limits::messages_open_max);
  at.agent.receive(acknowledgements({{1, 2}, {2, 3}}, head(3)), at_ms(3));
  CHECK(at.agent.room() == 2);
}

TEST_CASE("without progress everything unanswered is sent again, byte for byte, after a Hello") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  const auto sent = at.agent.to_send(at_ms(10));
  CHECK(at.agent.wakes_at() == at_ms(501));
  CHECK(is_heartbeat(at.agent.to_send(at_ms(501))));
  CHECK(at.agent.wakes_at() == at_ms(510));

  // Progress moves the deadline.
  at.agent.receive(acknowledgements({{1, 2}}, head(2)), at_ms(505));
  CHECK(at.agent.to_send(at_ms(510)).empty());
  const auto hello = at.agent.to_send(at_ms(1'005));
  REQUIRE(hello.size() == 1);
  CHECK(is_hello(hello[0]));
  at.agent.receive(welcome(2, head(3)), at_ms(1'006));
  const auto again = at.agent.to_send(at_ms(1'006));
  REQUIRE(again.size() == 1);
  CHECK(again[0] == sent[1]);
}

TEST_CASE("out of order: the agent starts over once, however many messages were refused") {
  Welcomed at;
  for (const char* round : {"r1", "r2", "r3"}) at.submit(round);
  CHECK(at.agent.to_send(at_ms(2)).size() == 3);
  const auto lost_first = acknowledgements(
      {{2, 0, Refusal::message_out_of_order}, {3, 0, Refusal::message_out_of_order}}, head(1));
  CHECK(at.agent.receive(lost_first, at_ms(3)).answered.empty());
  const auto hello = at.agent.to_send(at_ms(3));
  REQUIRE(hello.size() == 1);
  CHECK(is_hello(hello[0]));

  // A late refusal of the first attempt does not restart the second one.
  CHECK(at.agent.receive(lost_first, at_ms(4)).answered.empty());
  CHECK(at.agent.to_send(at_ms(4)).empty());
  at.agent.receive(welcome(0, head(1)), at_ms(5));
  CHECK(numbers_of(at.agent.to_send(at_ms(5))) == Numbers{1, 2, 3});
}

TEST_CASE("an answer after a lost answer waits for the resend") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  CHECK(at.agent.receive(acknowledgements({{2, 3}}, head(3)), at_ms(3)).answered.empty());
  CHECK(at.outbox.unacknowledged().size() == 2);
  CHECK(at.agent.receive(acknowledgements({{1, 2}, {2, 3}}, head(3)), at_ms(4)).answered.size() ==
        2);
  CHECK(at.agent.all_acknowledged());
}

TEST_CASE("a restart continues with the next number and resends the stored messages") {
  MemoryOutbox outbox;
  std::string stored;
  {
    TableAgent agent(table, outbox, {interval_us});
    agent.submit(close("r1"), somewhere, at_ms(7));
    stored = outbox.unacknowledged()[0].bytes;
  }
  TableAgent agent(table, outbox, {interval_us});
  agent.submit(close("r2"), somewhere, at_ms(99));
  CHECK(agent.last_number() == MessageNumber(2));
  CHECK(agent.to_send(at_ms(100)).size() == 1);
  agent.receive(welcome(0, head(1)), at_ms(101));
  const auto frames = agent.to_send(at_ms(101));
  REQUIRE(frames.size() == 2);
  CHECK(frames[0] == stored);
  CHECK(number_of(frames[1]) == 2);
}

TEST_CASE("a refusal that is not an answer is a fault of the agent") {
  Welcomed at;
  at.submit("r1");
  CHECK(at.agent.to_send(at_ms(2)).size() == 1);
  for (const Refusal refusal :
       {Refusal::message_malformed, Refusal::table_unknown, Refusal::table_not_yours,
        Refusal::message_number_reused, Refusal::message_number_forgotten}) {
    CAPTURE(name(refusal));
    CHECK_THROWS_AS(at.agent.receive(acknowledgements({{1, 0, refusal}}, head(1)), at_ms(3)),
                    Fault);
    CHECK(at.outbox.unacknowledged().size() == 1);
  }
}

TEST_CASE(
    "an answer to another agent's message with the same number is a fault and removes nothing") {
  Welcomed at;
  std::vector<Reply> replies;
  for (const std::uint64_t number : {1U, 2U, 3U}) {
    at.submit("r" + std::to_string(number));
    const std::string sent = at.agent.to_send(at_ms(2)).at(0);
    replies.push_back({number, number + 1, Refusal::none, frame_checksum(sha256(sent))});
  }
  const std::uint64_t other = frame_checksum(sha256("what another agent said"));
  SUBCASE("accepted") { replies[2].mark = other; }
  SUBCASE("refused") { replies[2] = {3, 4, Refusal::round_unknown, other}; }
  SUBCASE("out of order") { replies[2] = {3, 0, Refusal::message_out_of_order, other}; }
  SUBCASE("its own, but another one") { replies[2].mark = replies[1].mark; }
  SUBCASE("the first of them") { replies[0].mark = other; }
  CHECK_THROWS_WITH_AS(at.agent.receive(acknowledgements(replies, head(4)), at_ms(3)),
                       doctest::Contains("another agent speaks for this table"), Fault);
  CHECK(at.outbox.unacknowledged().size() == 3);
  CHECK(at.outbox.witness() == head(1));
}

TEST_CASE("a table that is not welcome ends with a fault") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {interval_us});
  CHECK(agent.to_send(at_ms(0)).size() == 1);
  Welcome no{table, MessageNumber(0), head(1), Refusal::table_unknown};
  no.question = 1;
  CHECK_THROWS_WITH_AS(agent.receive(encode(ToTable(no)), at_ms(1)),
                       doctest::Contains("table_unknown"), Fault);
}

TEST_CASE("it is a fault if the controller lost acknowledged messages") {
  MemoryOutbox outbox;
  outbox.append({{MessageNumber(1), "a"}, {MessageNumber(2), "b"}}, somewhere);
  outbox.acknowledge(MessageNumber(2), head(20), {}, {});
  TableAgent agent(table, outbox, {interval_us});
  CHECK(agent.to_send(at_ms(0)).size() == 1);
  const auto lost = doctest::Contains("has lost what it acknowledged");

  SUBCASE("the journal is shorter than the table has seen") {
    CHECK_THROWS_WITH_AS(agent.receive(welcome(2, head(19)), at_ms(1)), lost, Fault);
  }
  SUBCASE("the entry the table has seen has another hash") {
    CHECK_THROWS_WITH_AS(agent.receive(welcome(2, head(20, 1)), at_ms(1)), lost, Fault);
  }
  SUBCASE("an acknowledged message of the table is missing") {
    CHECK_THROWS_WITH_AS(agent.receive(welcome(1, head(25)), at_ms(1)), lost, Fault);
  }
  SUBCASE("a new answer comes from a shorter journal") {
    agent.receive(welcome(2, head(20)), at_ms(1));
    agent.submit(close("r3"), somewhere, at_ms(1));
    CHECK(agent.to_send(at_ms(1)).size() == 1);
    CHECK_THROWS_WITH_AS(agent.receive(acknowledgements({{3, 19}}, head(19)), at_ms(2)), lost,
                         Fault);
  }
  SUBCASE("the same journal, and a longer one, are well") {
    agent.receive(welcome(2, head(20)), at_ms(1));
    CHECK(agent.is_welcome());
    agent.start_over();
    CHECK(agent.to_send(at_ms(2)).size() == 1);
    agent.receive(welcome(2, head(21)), at_ms(3));
    CHECK(agent.is_welcome());
    CHECK(outbox.witness() == head(21));
  }
  CHECK(outbox.last_number() == MessageNumber(2 + outbox.unacknowledged().size()));
}

TEST_CASE("an outbox that is behind the controller is a fault") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {interval_us});
  agent.submit(close("r1"), somewhere, at_ms(0));
  CHECK(agent.to_send(at_ms(0)).size() == 1);
  CHECK_THROWS_WITH_AS(agent.receive(welcome(2, head(9)), at_ms(1)),
                       doctest::Contains("not the outbox"), Fault);
}

TEST_CASE("a new outbox continues the numbers of the table's last one") {
  MemoryOutbox outbox;
  {
    TableAgent agent(table, outbox, {interval_us});
    CHECK(agent.to_send(at_ms(0)).size() == 1);
    agent.receive(welcome(17, head(40)), at_ms(1));
    CHECK(agent.is_welcome());
    CHECK(agent.all_acknowledged());
    CHECK(agent.took_over_after() == MessageNumber(17));
  }
  CHECK(outbox.last_number() == MessageNumber(17));
  TableAgent agent(table, outbox, {interval_us});
  CHECK_FALSE(agent.took_over_after());
  agent.submit(close("r1"), somewhere, at_ms(2));
  CHECK(outbox.unacknowledged().front().number == MessageNumber(18));
  CHECK(agent.to_send(at_ms(2)).size() == 1);
  agent.receive(welcome(17, head(40)), at_ms(3));
  CHECK(agent.to_send(at_ms(3)).size() == 1);
}

TEST_CASE("malformed frames from the controller are ignored and counted") {
  Welcomed at;
  at.submit("r1");
  CHECK(at.agent.to_send(at_ms(2)).size() == 1);
  const std::string other =
      encode(ToTable(Welcome{TableId("C4-02"), MessageNumber(9), head(9), Refusal::none}));
  for (const std::string& junk :
       {std::string(), std::string("\xff\xff\xff"), std::string(300, 'x'), other,
        acknowledgements({{1, 0}}, head(2)),     // accepted, but without an entry
        acknowledgements({{1, 7}}, head(2)),     // an entry behind the head
        acknowledgements({{5, 2}}, head(2))}) {  // a number that was never assigned
    const std::uint64_t before = at.agent.ignored_count();
    CHECK(at.agent.receive(junk, at_ms(3)).answered.empty());
    CHECK(at.agent.ignored_count() == before + 1);
  }
  CHECK(at.outbox.unacknowledged().size() == 1);
  CHECK(at.outbox.witness() == head(1));
  CHECK(at.agent.receive(acknowledgements({{1, 2}}, head(2)), at_ms(4)).answered.size() == 1);
}

TEST_CASE("a controller with another configuration in force locks the table, which asks again") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  REQUIRE(at.agent.lockout(at_ms(3)).is_open());
  const auto differs = acknowledgements(
      {{1, 0, Refusal::configuration_differs}, {2, 0, Refusal::configuration_differs}}, head(1));
  CHECK(at.agent.receive(differs, at_ms(3)).answered.empty());
  CHECK(at.agent.lockout(at_ms(3)).cause == Lockout::Cause::configuration_differs);
  CHECK(at.outbox.unacknowledged().size() == 2);
  const auto hello = at.agent.to_send(at_ms(3));
  REQUIRE(hello.size() == 1);
  CHECK(is_hello(hello[0]));
  CHECK(at.agent.receive(differs, at_ms(4)).answered.empty());  // late: asked already
  CHECK(at.agent.to_send(at_ms(4)).empty());
  // The floor file is in force again: it goes on where it was, and opens when it has caught up.
  at.agent.receive(welcome(0, head(1)), at_ms(5));
  CHECK(numbers_of(at.agent.to_send(at_ms(5))) == Numbers{1, 2});
  CHECK(at.agent.lockout(at_ms(5)).cause == Lockout::Cause::catching_up);
  at.agent.receive(acknowledgements({{1, 2}, {2, 3}}, head(3)), at_ms(6));
  CHECK(at.agent.lockout(at_ms(6)).is_open());
}

TEST_CASE("the controller's Welcome shows that an outbox did not sync") {
  MemoryOutbox outbox;
  {
    TableAgent agent(table, outbox, {interval_us});
    agent.submit(close("r1"), somewhere, at_ms(0));
    outbox.set_syncing(false);
    agent.submit(close("r2"), somewhere, at_ms(0));
  }
  outbox.lose_unsynced();
  TableAgent agent(table, outbox, {interval_us});
  CHECK(agent.to_send(at_ms(1)).size() == 1);
  CHECK_THROWS_AS(agent.receive(welcome(2, head(3)), at_ms(2)), Fault);
}

}  // namespace linkmeter::table_agent_test
