// Which agent of a table is served: the class alone, and in the controller's turn.
#include "controller/turn/served_agents.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "tests/support/controller_house.h"

namespace linkmeter::served_agents_test {
namespace {

constexpr TableIndex c4_01(1);  // of the mixed floor
const TableId table("C4-01");

Hello hello_of(const std::string& agent, bool is_new = false) {
  Hello hello{table};
  hello.agent = agent;
  hello.is_new = is_new;
  return hello;
}

struct House : ControllerHouse {
  // An agent's hello, over a connection with its own name or over another one.
  Refusal hello(const std::string& agent, const std::string& connection, bool is_new = false) {
    last = turn({{connection, key_of("C4-01"), encode(hello_of(agent, is_new))}});
    return std::get<Welcome>(decode_to_table(last.replies.at(0).bytes).value()).refusal;
  }
  Refusal lock(const std::string& connection, std::uint64_t number) {
    const TableMessage message{table, MessageNumber(number), Digest{}, Timestamp(),
                               lock_of("r" + std::to_string(number), {five_card(1)})};
    last = turn({{connection, key_of("C4-01"), encode(message)}});
    const ToTable answer = decode_to_table(last.replies.at(0).bytes).value();
    return std::get<Acknowledgements>(answer).list.at(0).refusal;
  }
  void beat(const std::string& connection, Timestamp at, bool leaves = false) {
    Heartbeat heartbeat{table};
    heartbeat.leaves = leaves;
    last = turn({{connection, key_of("C4-01"), encode(heartbeat)}}, at);
  }

  Controller::Turn last;
};

}  // namespace

TEST_CASE("one agent is served; another one is refused until the first has left") {
  ServedAgents agents;
  CHECK(agents.may_be_served(c4_01, hello_of("a"), true));
  agents.serve(c4_01, "a", "1");
  CHECK(agents.may_be_served(c4_01, hello_of("a"), true));  // also over another connection
  CHECK_FALSE(agents.may_be_served(c4_01, hello_of("b"), true));
  CHECK(agents.may_be_served(TableIndex(2), hello_of("b"), true));
  CHECK(agents.refuse_agent(c4_01, "b", "2"));
  CHECK_FALSE(agents.refuse_agent(c4_01, "b", "2"));  // told already
  CHECK(agents.is_refused_agent(c4_01, "2"));
  CHECK_FALSE(agents.is_refused_agent(c4_01, "1"));
  SUBCASE("it is lost") { agents.note_lost(c4_01); }
  SUBCASE("it leaves") {
    agents.note_leaving(c4_01, "2");  // not the one that is served
    CHECK_FALSE(agents.may_be_served(c4_01, hello_of("b"), true));
    agents.note_leaving(c4_01, "1");
  }
  CHECK_FALSE(agents.is_refused_agent(c4_01, "2"));
  REQUIRE(agents.may_be_served(c4_01, hello_of("b"), true));
  agents.serve(c4_01, "b", "2");
  CHECK_FALSE(agents.is_refused_agent(c4_01, "2"));
  // Messages of the first agent that arrive later no longer count.
  CHECK(agents.is_refused_agent(c4_01, "1"));
  CHECK_FALSE(agents.may_be_served(c4_01, hello_of("a"), true));
}

TEST_CASE("an agent without a name is not refused and displaces no other agent") {
  ServedAgents agents;
  agents.serve(c4_01, "a", "1");
  CHECK(agents.may_be_served(c4_01, hello_of(""), true));
  agents.serve(c4_01, "", "2");
  CHECK(agents.may_be_served(c4_01, hello_of("a"), true));
  CHECK_FALSE(agents.is_refused_agent(c4_01, "1"));
  CHECK_FALSE(agents.may_be_served(c4_01, hello_of("b"), true));
  ServedAgents others;
  others.serve(c4_01, "", "1");
  CHECK_FALSE(others.may_be_served(c4_01, hello_of("a"), true));
  others.note_lost(c4_01);
  CHECK(others.may_be_served(c4_01, hello_of("a"), true));
}

TEST_CASE("after a start the previous agents come first") {
  ServedAgents agents;
  agents.await_previous(true);
  CHECK_FALSE(agents.may_be_served(c4_01, hello_of("b", /*is_new=*/true), /*has_spoken=*/true));
  CHECK(agents.may_be_served(c4_01, hello_of("b", true), /*has_spoken=*/false));
  CHECK(agents.may_be_served(c4_01, hello_of("a"), true));
  SUBCASE("it has come, and has gone") {
    agents.serve(c4_01, "a", "1");
    CHECK_FALSE(agents.may_be_served(c4_01, hello_of("b", true), true));
    agents.note_leaving(c4_01, "1");
  }
  SUBCASE("it does not come") { agents.await_previous(false); }
  CHECK(agents.may_be_served(c4_01, hello_of("b", true), true));
}

TEST_CASE("only a few connections are remembered") {
  ServedAgents agents;
  agents.serve(c4_01, "a", "1");
  for (int count = 0; count < 100; ++count) {
    CHECK(agents.refuse_agent(c4_01, "b" + std::to_string(count), "c" + std::to_string(count)));
  }
  CHECK(agents.is_refused_agent(c4_01, "c99"));
  CHECK_FALSE(agents.is_refused_agent(c4_01, "c0"));
}

TEST_CASE("a second agent is refused by name and logged once, and the first continues") {
  House house;
  CHECK_EQ(house.hello("a", "1"), Refusal::none);
  CHECK_EQ(house.lock("1", 1), Refusal::none);
  for (int count = 0; count < 100; ++count) {
    CHECK_EQ(house.hello("b", "2", true), Refusal::another_agent);
    CHECK_EQ(house.last.refused.size(), count == 0 ? 1 : 0);
    CHECK(house.last.heard.empty());  // it does not keep the table linked
  }
  CHECK_EQ(house.lock("1", 2), Refusal::none);
  CHECK(house.state().session(c4_01).frozen().empty());
  CHECK_EQ(house.hello("a", "3"), Refusal::none);  // a restart
  CHECK_EQ(house.lock("3", 3), Refusal::none);
  house.controller().note_lost(c4_01);
  CHECK_EQ(house.hello("b", "2", true), Refusal::none);
  CHECK_EQ(house.lock("3", 4), Refusal::another_agent);
  CHECK_EQ(house.lock("2", 4), Refusal::none);
}

TEST_CASE("a second agent's configuration and witness head do not affect the first") {
  House house;
  CHECK_EQ(house.hello("a", "1"), Refusal::none);
  Hello other = hello_of("b");
  other.floor = "another floor file";
  other.witness = house.head();
  other.witness.hash[0] ^= 1U;
  const auto turn = house.turn({{"2", key_of("C4-01"), encode(other)}});
  CHECK(turn.suspended.empty());
  CHECK_EQ(house.lock("1", 1), Refusal::none);
}

TEST_CASE("an agent that continues after its refusal freezes the table and is still refused") {
  House house;
  CHECK_EQ(house.hello("a", "1"), Refusal::none);
  CHECK_EQ(house.hello("thief", "2"), Refusal::another_agent);
  Timestamp at = House::now;
  for (int count = 0; count < 6 && house.last.frozen.empty(); ++count) {
    at = at.after(1'000'000);
    house.beat("1", at);
    CHECK_FALSE(house.last.heard.empty());
    if (!house.last.frozen.empty()) break;
    house.beat("2", at);
    CHECK(house.last.heard.empty());
    CHECK_EQ(house.last.refused.at(0).refusal, Refusal::another_agent);
  }
  CHECK_EQ(house.state().session(c4_01).frozen(), "two agents speak with this table's key");
  const EntryNumber before = house.head().entry;
  CHECK_EQ(house.lock("2", 1), Refusal::another_agent);
  CHECK_EQ(house.head().entry, before);  // its number is not used up
}

TEST_CASE("an agent that announced its leaving is not awaited any more") {
  House house;
  CHECK_EQ(house.hello("a", "1"), Refusal::none);
  house.beat("1", House::now, /*leaves=*/true);
  CHECK_EQ(house.hello("b", "2"), Refusal::none);
}

}  // namespace linkmeter::served_agents_test
