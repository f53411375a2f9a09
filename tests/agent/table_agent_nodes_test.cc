// A table in a house with several controllers: what standbys and the nodes of a Welcome change.
#include <optional>
#include <string>
#include <vector>

#include "table-agent/link/node_fault.h"
#include "table-agent/link/table_agent.h"
#include "tests/support/keys.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/welcomed_table.h"

#include <doctest/doctest.h>

namespace linkmeter::table_agent_nodes_test {
namespace {
using namespace welcomed_table;

using Nodes = std::vector<NodeAddress>;
const NodeAddress a{"a", key_of("a"), "tcp://a:6057"}, b{"b", key_of("b"), "tcp://b:6057"};

std::string welcome_with(const Nodes& nodes, std::uint64_t hello, Refusal refusal = Refusal::none,
                         const std::string& writer = "") {
  Welcome welcome{table, MessageNumber(0), head(1), refusal};
  welcome.question = hello;
  welcome.nodes = nodes;
  welcome.writer = writer;
  return encode(ToTable(welcome));
}

std::string refusal_of_standby(std::uint64_t hello, const std::string& writer) {
  return welcome_with({a, b}, hello, Refusal::not_the_writer, writer);
}

}  // namespace

TEST_CASE("a Welcome names the nodes, and a standby does too") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox, {interval_us});
  REQUIRE(agent.to_send(at_ms(0)).size() == 1);
  CHECK(agent.receive(welcome_with({a}, 1), at_ms(1)).nodes_changed);
  CHECK(agent.nodes().list() == Nodes{a});
  agent.start_over();
  REQUIRE(agent.to_send(at_ms(2)).size() == 1);
  const auto received = agent.receive(refusal_of_standby(2, a.endpoint), at_ms(3));
  CHECK(received.nodes_changed);
  CHECK(received.writer == a.endpoint);
  CHECK(agent.nodes().list() == Nodes{a, b});
  // After a restart only the writer's list is known.
  CHECK(TableAgent(table, outbox).nodes().list() == Nodes{a});

  SUBCASE("a Welcome without nodes leaves the way to the controller that sent it") {
    agent.note_link({"", b.key});
    CHECK(agent.receive(welcome_with({}, 2), at_ms(4)).nodes_changed);
    CHECK(agent.nodes().list() == Nodes{b});
    CHECK(TableAgent(table, outbox).nodes().list() == Nodes{b});
  }
  SUBCASE("the refusal of a standby without nodes is not") {
    const auto refused = welcome_with({}, 2, Refusal::not_the_writer);
    CHECK(agent.receive(refused, at_ms(4)).writer == "");
    CHECK(agent.nodes().list() == Nodes{a});
  }
  SUBCASE("the refusal of another table, or of an old Hello, changes nothing") {
    CHECK_FALSE(agent.receive(refusal_of_standby(7, b.endpoint), at_ms(4)).writer.has_value());
    Welcome other{TableId("C4-02"), MessageNumber(0), head(1), Refusal::not_the_writer};
    other.question = 2;
    CHECK_FALSE(agent.receive(encode(ToTable(other)), at_ms(4)).writer.has_value());
    CHECK(agent.ignored_count() == 1);
  }
}

TEST_CASE(
    "a change of the controller within lost_after locks no table and sends everything again") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  at.agent.receive(acknowledgements({{1, 2}}, head(2)), at_ms(3));
  REQUIRE(at.agent.lockout(at_ms(3)).is_open());

  // The writer is gone; the first node that is asked is a standby.
  at.agent.start_over();
  REQUIRE(at.agent.to_send(at_ms(1'000)).size() == 1);
  CHECK(at.agent.receive(refusal_of_standby(2, b.endpoint), at_ms(1'001)).writer == b.endpoint);
  CHECK(at.agent.lockout(at_ms(1'001)).is_open());
  CHECK(at.agent.may_submit(LockRound{RoundId("r3"), {}, {}, Badge()}, at_ms(1'001)));
  CHECK(at.agent.to_send(at_ms(1'001)).empty());
  at.agent.start_over();
  REQUIRE(at.agent.to_send(at_ms(1'002)).size() == 1);
  at.agent.receive(welcome(1, head(2), 3), at_ms(1'900));
  CHECK(at.agent.lockout(at_ms(1'900)).is_open());
  CHECK(numbers_of(at.agent.to_send(at_ms(1'900))) == Numbers{2});
  CHECK(at.agent.receive(acknowledgements({{2, 3}}, head(3)), at_ms(1'901)).answered.size() == 1);
}

TEST_CASE("a standby keeps no table open and unlocks none") {
  Welcomed at;
  for (std::uint64_t hello = 2; hello < 20; ++hello) {
    const auto now = at_ms(static_cast<std::int64_t>(hello) * 100);
    at.agent.start_over();
    REQUIRE(at.agent.to_send(now).size() == 1);
    at.agent.receive(refusal_of_standby(hello, ""), now);
  }
  // The last Welcome was at 1 ms.
  CHECK(at.agent.lockout(at_ms(2'000)).is_open());
  CHECK(at.agent.lockout(at_ms(2'001)).cause == Lockout::Cause::no_controller);
  CHECK_FALSE(at.agent.is_welcome());
}

TEST_CASE("a standby that refuses messages is no fault and uses up no number") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  const auto refused =
      acknowledgements({{1, 0, Refusal::not_the_writer}, {2, 0, Refusal::not_the_writer}}, head(1));
  const auto received = at.agent.receive(refused, at_ms(1'900));
  CHECK(received.writer == "");
  CHECK(received.answered.empty());
  const auto hello = at.agent.to_send(at_ms(1'900));
  REQUIRE(hello.size() == 1);
  CHECK(is_hello(hello[0]));
  at.agent.receive(refused, at_ms(1'901));
  CHECK(at.agent.to_send(at_ms(1'901)).empty());
  CHECK_FALSE(at.agent.lockout(at_ms(2'001)).is_open());
  CHECK(at.outbox.unacknowledged().size() == 2);
}

// A node that is behind, or that somebody forges. The caller turns to another one, or ends.
TEST_CASE("a node that the table cannot follow changes nothing and keeps no table open") {
  Welcomed at;
  at.submit("r1");
  at.submit("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  at.agent.receive(acknowledgements({{1, 5}}, head(5)), at_ms(3));
  const auto greet = [&at](std::uint64_t hello, const Welcome& answer, std::int64_t now) {
    at.agent.start_over();
    REQUIRE(at.agent.to_send(at_ms(now)).size() == 1);
    Welcome named = answer;
    named.question = hello;
    named.nodes = {b};
    return encode(ToTable(named));
  };
  const auto is_unchanged = [&at] {
    CHECK(at.outbox.witness() == head(5));
    CHECK(at.outbox.last_number() == MessageNumber(2));
    CHECK(at.outbox.unacknowledged().size() == 1);
    CHECK(at.agent.nodes().list().empty());
  };
  std::vector<Welcome> wrong{{table, MessageNumber(1), head(4)},
                             {table, MessageNumber(1), head(5, 1)},
                             {table, MessageNumber(0), head(9)},
                             {table, MessageNumber(3), head(9)},
                             {table, MessageNumber(1), head(6), Refusal::history_differs},
                             {table, MessageNumber(1), head(6), Refusal::table_not_yours},
                             {table, MessageNumber(1), head(6), Refusal::key_unknown}};
  std::uint64_t hello = 1;
  for (const Welcome& one : wrong) {
    ++hello;
    const auto now = static_cast<std::int64_t>(hello) * 200;
    const std::string bytes = greet(hello, one, now);
    CHECK_THROWS_AS(at.agent.receive(bytes, at_ms(now + 1)), NodeFault);
    CHECK_FALSE(at.agent.is_welcome());
    is_unchanged();
  }
  // It took all the time that a table stays open in.
  CHECK(at.agent.lockout(at_ms(2'002)).is_open());
  CHECK(at.agent.lockout(at_ms(2'003)).cause == Lockout::Cause::no_controller);

  // Another node has everything.
  at.agent.start_over();
  REQUIRE(at.agent.to_send(at_ms(2'100)).size() == 1);
  at.agent.receive(welcome(1, head(6), hello + 1), at_ms(2'101));
  CHECK(numbers_of(at.agent.to_send(at_ms(2'102))) == Numbers{2});

  SUBCASE("it welcomes the table, and then acknowledges with an older head") {
    const std::string older = acknowledgements({{2, 4}}, head(4));
    CHECK_THROWS_AS(at.agent.receive(older, at_ms(2'103)), NodeFault);
    CHECK_FALSE(at.agent.lockout(at_ms(2'103)).is_open());
  }
  SUBCASE("it welcomes the table, and then takes no message") {
    const std::string none = acknowledgements({{2, 7}, {3, 0, Refusal::key_unknown}}, head(7));
    CHECK_THROWS_AS(at.agent.receive(none, at_ms(2'103)), NodeFault);
    CHECK_FALSE(at.agent.lockout(at_ms(2'103)).is_open());
  }
  CHECK(at.outbox.witness() == head(6));
  CHECK(at.outbox.unacknowledged().size() == 1);
  at.agent.start_over();
  REQUIRE(at.agent.to_send(at_ms(2'200)).size() == 1);
  at.agent.receive(welcome(1, head(7), hello + 2), at_ms(2'201));
  CHECK(numbers_of(at.agent.to_send(at_ms(2'202))) == Numbers{2});
  CHECK(at.agent.receive(acknowledgements({{2, 8}}, head(8)), at_ms(2'203)).answered.size() == 1);
  CHECK(at.agent.lockout(at_ms(2'203)).is_open());
}

// Each Welcome is good, and no message is taken.
TEST_CASE("nodes that welcome the table and take no message do not keep it open") {
  Welcomed at;
  at.submit("r1");
  const std::vector<std::string> faults{
      acknowledgements({{1, 0, Refusal::key_unknown}}, head(1)),  // no waiting cures it
      acknowledgements({{1, 1}}, head(1, 1)),                     // another journal
      acknowledgements({{1, 2, Refusal::none, 7}}, head(2))};     // another agent's message
  std::uint64_t hello = 1;
  std::int64_t now = 1;
  for (; now < 2'500; now += 200) {
    CAPTURE(now);
    at.agent.start_over();
    REQUIRE(at.agent.to_send(at_ms(now)).size() == 1);
    at.agent.receive(welcome(0, head(1), ++hello), at_ms(now + 1));
    CHECK(numbers_of(at.agent.to_send(at_ms(now + 2))) == Numbers{1});
    const std::string& none = faults[hello % faults.size()];
    CHECK_THROWS_AS(at.agent.receive(none, at_ms(now + 3)), NodeFault);
    CHECK_FALSE(at.agent.lockout(at_ms(now + 3)).is_open());
    CHECK_FALSE(at.agent.may_submit(LockRound{RoundId("r2"), {}, {}, Badge()}, at_ms(now + 3)));
  }
  CHECK(at.outbox.unacknowledged().size() == 1);
  // A Welcome alone opens it no more.
  at.agent.start_over();
  REQUIRE(at.agent.to_send(at_ms(now)).size() == 1);
  at.agent.receive(welcome(0, head(1), ++hello), at_ms(now + 1));
  CHECK(at.agent.lockout(at_ms(now + 1)).cause == Lockout::Cause::catching_up);
  CHECK(numbers_of(at.agent.to_send(at_ms(now + 2))) == Numbers{1});
  at.agent.receive(acknowledgements({{1, 2}}, head(2)), at_ms(now + 3));
  CHECK(at.agent.lockout(at_ms(now + 3)).is_open());
}

TEST_CASE("a node that answers everything but the Hello keeps no table open") {
  Welcomed at;
  for (std::int64_t now = 100; now < 2'000; now += 100) {
    at.agent.start_over();
    REQUIRE(at.agent.to_send(at_ms(now)).size() == 1);
    at.agent.receive(encode(ToTable(HeartbeatAnswer{table, {}, false})), at_ms(now));
    at.agent.receive(acknowledgements({}, head(1)), at_ms(now));
    at.agent.receive(encode(ToTable(TableSignedIn{})), at_ms(now));
  }
  CHECK(at.agent.lockout(at_ms(2'000)).is_open());
  CHECK(at.agent.lockout(at_ms(2'001)).cause == Lockout::Cause::no_controller);
}

TEST_CASE("a node that lets the table wait for people says so") {
  Welcomed at;
  at.agent.start_over();
  REQUIRE(at.agent.to_send(at_ms(2)).size() == 1);
  CHECK(at.agent.receive(welcome_with({}, 2, Refusal::configuration_differs), at_ms(3)).waits);
  CHECK_FALSE(at.agent.receive(welcome_with({}, 2), at_ms(4)).waits);
}

}  // namespace linkmeter::table_agent_nodes_test
