// An agent and a controller that was restored from a backup: the agent waits until two managers
// have accepted that, and then repeats the messages that the controller lost, once for each
// restoration.
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "table-agent/link/node_fault.h"
#include "table-agent/link/table_agent.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/welcomed_table.h"

#include <doctest/doctest.h>

namespace linkmeter::table_agent_restored_test {
using namespace welcomed_table;

namespace {

using Heads = std::vector<Head>;

Welcome restored(std::uint64_t last_number, const Head& at, const Head& history) {
  Welcome told{table, MessageNumber(last_number), at, Refusal::none};
  told.question = 1;
  told.history = {history};
  return told;
}

std::string bytes_of(const Welcome& welcome) { return encode(ToTable(welcome)); }

Hello hello_in(const std::vector<std::string>& frames) {
  REQUIRE_EQ(frames.size(), 1);
  return std::get<Hello>(decode_from_table(frames[0]).value());
}

// Three messages that were acknowledged as entries 2, 3 and 4, and a fourth one that was not.
struct Acknowledged : Welcomed {
  std::vector<std::string> submitted;

  Acknowledged() {
    for (const char* round : {"r1", "r2", "r3", "r4"}) submit(round);
    submitted = agent.to_send(at_ms(2));
    REQUIRE_EQ(numbers_of(submitted), Numbers{1, 2, 3, 4});
    REQUIRE_EQ(agent.receive(acknowledgements({{1, 2}, {2, 3}, {3, 4}}, head(4)), at_ms(3))
                   .answered.size(),
               3);
  }
  // The controller is gone, and comes back.
  Hello greet(std::int64_t milliseconds) {
    agent.start_over();
    return hello_in(agent.to_send(at_ms(milliseconds)));
  }
};

// Restored to entry 2, which is message 1; the restoration is entry 3, and the journal is at 9.
const Head end = head(2), history = head(3, 7), later = head(9, 7);

}  // namespace

TEST_CASE(
    "a controller whose restored history is not accepted keeps the table waiting and locked") {
  Acknowledged at;
  at.greet(100);
  Welcome no{table, MessageNumber(0), head(3, 7), Refusal::history_not_accepted};
  no.question = 2;
  CHECK(at.agent.receive(bytes_of(no), at_ms(101)).answered.empty());
  CHECK(at.agent.lockout(at_ms(101)).cause == Lockout::Cause::history_not_accepted);
  CHECK_FALSE(at.agent.may_submit(LockRound{RoundId("r5"), {}, {}, Badge()}, at_ms(102)));
  CHECK(at.agent.may_submit(close("r4"), at_ms(102)));  // of a round that had begun
  at.submit("r5");
  // It asks again, ten times less often, and sends nothing else.
  CHECK(at.agent.to_send(at_ms(100 + 9 * interval_us / 1'000)).empty());
  const auto frames = at.agent.to_send(at_ms(101 + 10 * interval_us / 1'000));
  CHECK((hello_in(frames).witness == head(4)));
  CHECK_EQ(at.agent.unacknowledged_count(), 2);
  CHECK((at.outbox.witness() == head(4)));
}

TEST_CASE("a message that reaches a controller with an unaccepted history is not lost") {
  Acknowledged at;
  // The restored journal has another entry under the number that the table saw last.
  const auto answer = acknowledgements({{4, 0, Refusal::history_not_accepted}}, head(4, 9));
  CHECK(at.agent.receive(answer, at_ms(4)).answered.empty());
  CHECK(at.agent.lockout(at_ms(4)).cause == Lockout::Cause::history_not_accepted);
  CHECK_EQ(at.agent.unacknowledged_count(), 1);
}

TEST_CASE(
    "after the acceptance, messages that the controller lacks are sent again, byte for byte") {
  Acknowledged at;
  CHECK(at.greet(100).history.empty());
  Welcome told = restored(1, later, history);
  told.again_after = end;
  const TableAgent::Received received = at.agent.receive(bytes_of(told), at_ms(101));
  CHECK(received.answered.empty());
  const auto again = received.resent;
  REQUIRE(again);
  CHECK_EQ(again->after, EntryNumber(2));
  CHECK_EQ(again->count, 2);
  CHECK(at.agent.lockout(at_ms(101)).cause == Lockout::Cause::catching_up);
  const auto frames = at.agent.to_send(at_ms(102));
  CHECK((frames == std::vector(at.submitted.begin() + 1, at.submitted.end())));
  CHECK((at.outbox.history() == Heads{history}));
  at.agent.receive(acknowledgements({{2, 10}, {3, 11}, {4, 12}}, head(12, 7)), at_ms(103));
  CHECK(at.agent.lockout(at_ms(103)).is_open());
  CHECK(at.agent.all_acknowledged());
  const Hello next = at.greet(200);
  CHECK((next.history == Heads{history}));
  CHECK((next.witness == head(12, 7)));
}

TEST_CASE("a message that was refused is refused again, also after a restart in between") {
  Welcomed at;
  for (const char* round : {"r1", "r2", "r3"}) at.submit(round);
  const auto submitted = at.agent.to_send(at_ms(2));
  at.agent.receive(acknowledgements({{1, 2}, {2, 3, Refusal::link_suspended}, {3, 4}}, head(4)),
                   at_ms(3));
  at.agent.start_over();
  REQUIRE_EQ(at.agent.to_send(at_ms(100)).size(), 1);
  Welcome told = restored(0, later, head(3, 7));
  told.again_after = head(1);
  at.agent.receive(bytes_of(told), at_ms(101));
  const auto again = at.agent.to_send(at_ms(102));
  REQUIRE_EQ(numbers_of(again), Numbers{1, 2, 3});
  CHECK_EQ(again[0], submitted[0]);
  CHECK_EQ(again[2], submitted[2]);
  const auto decoded = decode_from_table(again[1]).value();
  const auto& close = std::get<CloseRound>(std::get<TableMessage>(decoded).command);
  CHECK_FALSE(is_well_formed_name(close.round.text()));  // so the controller cannot accept it
  TableAgent next(table, at.outbox, {interval_us});
  REQUIRE_EQ(next.to_send(at_ms(0)).size(), 1);
  next.receive(bytes_of(restored(0, later, head(3, 7))), at_ms(1));
  CHECK((next.to_send(at_ms(2)) == again));
  next.receive(acknowledgements({{1, 10}, {2, 11, Refusal::name_malformed}, {3, 12}}, head(12, 7)),
               at_ms(3));
  CHECK(next.all_acknowledged());
}

TEST_CASE("an agent that is killed in between continues where it was") {
  Acknowledged at;
  at.greet(100);
  Welcome told = restored(1, later, history);
  told.again_after = end;
  at.agent.receive(bytes_of(told), at_ms(101));
  TableAgent next(table, at.outbox, {interval_us});
  const Hello hello = hello_in(next.to_send(at_ms(0)));
  CHECK((hello.history == Heads{history}));
  CHECK((hello.witness == later));
  next.receive(bytes_of(restored(1, later, history)), at_ms(1));
  CHECK((next.to_send(at_ms(2)) == std::vector(at.submitted.begin() + 1, at.submitted.end())));
}

TEST_CASE("each restoration is followed once; later missing entries are a loss") {
  Acknowledged at;
  at.greet(100);
  Welcome told = restored(1, later, history);
  told.again_after = end;
  at.agent.receive(bytes_of(told), at_ms(101));
  at.agent.receive(acknowledgements({{2, 10}, {3, 11}, {4, 12}}, head(12, 7)), at_ms(102));
  at.greet(200);
  CHECK_THROWS_WITH_AS(at.agent.receive(bytes_of(told), at_ms(201)),
                       doctest::Contains("has followed that already"), Fault);
  CHECK(at.outbox.unacknowledged().empty());
}

TEST_CASE("a restoration that a later one lost is kept and not followed again") {
  Acknowledged at;
  at.greet(100);
  Welcome first = restored(1, later, history);
  first.again_after = end;
  at.agent.receive(bytes_of(first), at_ms(101));
  at.agent.receive(acknowledgements({{2, 10}, {3, 11}, {4, 12}}, head(12, 7)), at_ms(102));
  // A backup from before the first restoration, so its journal has only another one.
  const Head another = head(3, 8);
  at.greet(200);
  Welcome second = restored(1, head(4, 8), another);
  second.again_after = end;
  at.agent.receive(bytes_of(second), at_ms(201));
  CHECK((at.outbox.history() == Heads{history, another}));
  at.agent.receive(acknowledgements({{2, 20}, {3, 21}, {4, 22}}, head(22, 8)), at_ms(202));
  CHECK((at.greet(300).history == Heads{history, another}));
  // The data folder from between the two restorations.
  CHECK_THROWS_WITH_AS(at.agent.receive(bytes_of(first), at_ms(301)),
                       doctest::Contains("has followed that already"), Fault);
}

TEST_CASE("only the last restorations are kept") {
  Welcomed at;
  std::vector<Head> told;
  for (std::uint64_t entry = 1; entry <= 1 + limits::reported_restorations_max; ++entry) {
    told.push_back(head(entry, 7));
    Welcome welcome{table, MessageNumber(0), head(5'000, 7), Refusal::none};
    welcome.question = 1 + entry;
    welcome.history = {told.back()};
    at.agent.start_over();
    REQUIRE_EQ(at.agent.to_send(at_ms(static_cast<std::int64_t>(100 * entry))).size(), 1);
    at.agent.receive(bytes_of(welcome), at_ms(static_cast<std::int64_t>(100 * entry + 1)));
  }
  told.erase(told.begin());
  CHECK((at.outbox.history() == told));
}

TEST_CASE("a Welcome that explains no restoration is a loss") {
  Acknowledged at;
  at.greet(100);
  CHECK_THROWS_WITH_AS(at.agent.receive(bytes_of(restored(1, later, history)), at_ms(101)),
                       doctest::Contains("has lost what it acknowledged"), Fault);
  Acknowledged ahead;
  ahead.greet(100);
  Welcome told = restored(3, later, history);
  told.again_after = head(4);  // it says nothing about the entries before those that the table saw
  CHECK_THROWS_AS(ahead.agent.receive(bytes_of(told), at_ms(101)), Fault);
}

// Another node may have the right one.
TEST_CASE("a wrong restore at one node is that node's fault, and changes nothing") {
  MemoryOutbox outbox;
  outbox.go_on_after(MessageNumber(5));  // the messages before are in a lost outbox
  outbox.append({{MessageNumber(6), "m6"}, {MessageNumber(7), "m7"}}, somewhere);
  outbox.acknowledge(MessageNumber(6), head(4), {}, {});
  TableAgent agent(table, outbox, {interval_us});
  REQUIRE_EQ(agent.to_send(at_ms(0)).size(), 1);
  Welcome told = restored(6, later, history);
  told.again_after = end;
  SUBCASE("it lacks messages that this outbox does not keep") {
    told.last_number = MessageNumber(4);
  }
  SUBCASE("its journal ends before the entry at which it continues") { told.head = head(1); }
  CHECK_THROWS_AS(agent.receive(bytes_of(told), at_ms(1)), NodeFault);
  CHECK_EQ(outbox.unacknowledged().size(), 1);
  CHECK((outbox.witness() == head(4)));
  CHECK(outbox.history().empty());
  CHECK_FALSE(agent.is_welcome());
}

TEST_CASE("a table that saw nothing of the lost entries only learns of the restoration") {
  Welcomed at;
  at.agent.start_over();
  CHECK(at.agent.to_send(at_ms(100)).size() == 1);
  CHECK_FALSE(at.agent.receive(bytes_of(restored(0, later, history)), at_ms(101)).resent);
  CHECK(at.agent.is_welcome());
  CHECK((at.outbox.history() == Heads{history}));
  CHECK((at.outbox.witness() == later));
}

}  // namespace linkmeter::table_agent_restored_test
