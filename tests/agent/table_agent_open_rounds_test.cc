// An agent with a new outbox learns of open rounds; a second agent of a table waits.
#include <string>
#include <vector>

#include "proto/host/fault.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/welcomed_table.h"

#include <doctest/doctest.h>

namespace linkmeter::table_agent_open_rounds_test {
using namespace welcomed_table;

namespace {

OpenRound round_of(const std::string& name) {
  OpenRound round;
  round.hands.round = RoundId(name);
  return round;
}

std::string welcome_to(std::uint64_t last_number, const std::vector<std::string>& rounds,
                       Refusal refusal = Refusal::none) {
  Welcome welcome{table, MessageNumber(last_number), head(5), refusal};
  welcome.question = 1;
  for (const std::string& name : rounds) welcome.open_rounds.push_back(round_of(name));
  return encode(ToTable{welcome});
}

using Names = std::vector<std::string>;

// The rounds that were left open; {"-"}: not reported.
Names left_open(const TableAgent::Received& received) {
  if (!received.left_open) return {"-"};
  Names names;
  for (const OpenRound& round : *received.left_open) names.push_back(round.hands.round.text());
  return names;
}

struct Table {
  MemoryOutbox outbox;
  std::int64_t now_ms = 0;

  Hello start(std::optional<TableAgent>& agent) {
    agent.emplace(table, outbox, TableAgent::Intervals{interval_us});
    return std::get<Hello>(decode_from_table(agent->to_send(at_ms(++now_ms)).at(0)).value());
  }
};

}  // namespace

TEST_CASE("a new outbox learns which rounds are open; an old one is not asked about its own") {
  Table at;
  std::optional<TableAgent> agent;
  CHECK(at.start(agent).is_new);
  CHECK(left_open(agent->receive(welcome_to(7, {"r1", "r2"}), at_ms(++at.now_ms))) ==
        Names{"r1", "r2"});
  CHECK(agent->took_over_after() == MessageNumber(7));

  SUBCASE("again after a restart, those that are open still; and not what it has said itself") {
    agent->submit(close("r1"), somewhere, at_ms(2));
    CHECK_FALSE(at.start(agent).is_new);
    CHECK(left_open(agent->receive(welcome_to(8, {"r2", "r3"}), at_ms(++at.now_ms))) ==
          Names{"r2"});
  }
  SUBCASE("when all of them have ended nothing is left") {
    at.start(agent);
    CHECK(left_open(agent->receive(welcome_to(7, {"r3"}), at_ms(++at.now_ms))).empty());
  }
  SUBCASE("the same Welcome a second time changes nothing") {
    CHECK(left_open(agent->receive(welcome_to(7, {"r1", "r2"}), at_ms(++at.now_ms))) == Names{"-"});
  }
}

TEST_CASE("the open rounds are known after a takeover that was interrupted anywhere") {
  for (const auto trouble : {MemoryOutbox::Trouble::throws_before_storing,
                             MemoryOutbox::Trouble::throws_after_storing}) {
    Table at;
    std::optional<TableAgent> agent;
    at.start(agent);
    at.outbox.fail_next(trouble);
    CHECK_THROWS_AS(agent->receive(welcome_to(7, {"r1"}), at_ms(++at.now_ms)), Fault);
    at.start(agent);
    CHECK(left_open(agent->receive(welcome_to(7, {"r1"}), at_ms(++at.now_ms))) == Names{"r1"});
  }
}

TEST_CASE("an outbox that sent the round is not asked about it") {
  Welcomed at;
  at.submit("r1");
  (void)at.agent.to_send(at_ms(2));
  at.agent.start_over();
  (void)at.agent.to_send(at_ms(3));
  CHECK(left_open(at.agent.receive(welcome_to(0, {"r1"}), at_ms(4))) == Names{"-"});
  CHECK(at.agent.is_welcome());
}

TEST_CASE(
    "a second agent waits, logs why, asks again soon, and is served when the first has ended") {
  Table at;
  at.outbox.append({}, {TableAgent::identity, "0123456789abcdef"});
  std::optional<TableAgent> agent;
  CHECK(at.start(agent).agent == "0123456789abcdef");
  agent->receive(welcome_to(0, {}, Refusal::another_agent), at_ms(2));
  CHECK(agent->lockout(at_ms(2)).cause == Lockout::Cause::another_agent);
  CHECK_FALSE(agent->lockout(at_ms(2)).is_linked());
  CHECK_FALSE(agent->may_submit(close("r1"), at_ms(2)));
  CHECK_FALSE(agent->leave().has_value());  // it was never served
  const auto again = agent->to_send(at_ms(501));
  REQUIRE(again.size() == 1);  // only a Hello
  CHECK(is_hello(again[0]));
  agent->receive(welcome_to(0, {}), at_ms(502));
  CHECK(agent->lockout(at_ms(502)).is_open());
  const auto last = decode_from_table(agent->leave().value());
  CHECK(std::get<Heartbeat>(last.value()).leaves);
}

TEST_CASE("a first agent that returns too late keeps its messages and waits") {
  Welcomed at;
  at.submit("r1");
  (void)at.agent.to_send(at_ms(2));
  at.agent.receive(acknowledgements({{1, 0, Refusal::another_agent}}, head(1)), at_ms(3));
  CHECK(at.agent.lockout(at_ms(3)).cause == Lockout::Cause::another_agent);
  CHECK(at.outbox.unacknowledged().size() == 1);
}

TEST_CASE("log lines name the table") {
  LockoutChange news(table, 2'000'000);
  const auto lines = news.note({Lockout::Cause::another_agent, {}}, at_ms(0));
  CHECK(lines == std::vector<std::string>{"progressive locked: another agent of C4-01 is "
                                          "connected; this one waits until that one is gone"});
  CHECK(news.note({Lockout::Cause::another_agent, {}}, at_ms(1)).empty());
}

}  // namespace linkmeter::table_agent_open_rounds_test
