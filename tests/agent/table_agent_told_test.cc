#include "table-agent/table_agent.h"

#include <string>
#include <vector>

#include "table-agent/memory_outbox.h"

// After our headers: its CHECK takes the place of ours.
#include <doctest/doctest.h>

namespace linkmeter::table_agent_told_test {
namespace {

const TableId table("C4-01");
constexpr std::int64_t interval_us = 500'000;

Timestamp at_ms(std::int64_t milliseconds) {
  return Timestamp::from_microseconds(milliseconds * 1'000);
}

Head head(std::uint64_t entry, std::uint8_t mark = 0) {
  Head made;
  made.entry = EntryNumber(entry);
  made.hash.fill(static_cast<std::uint8_t>(entry + mark));
  return made;
}

std::string welcome(std::uint64_t last_number, const Head& at) {
  return encode(ToTable(Welcome{table, MessageNumber(last_number), at, Refusal::none}));
}

struct Reply {
  std::uint64_t number;
  std::uint64_t entry;
  Refusal refusal = Refusal::none;
  std::uint64_t fingerprint = 0;
};

std::string acknowledgements(const std::vector<Reply>& replies, const Head& at) {
  Acknowledgements made;
  for (const Reply& reply : replies) {
    made.list.push_back(
        {MessageNumber(reply.number), EntryNumber(reply.entry), reply.refusal, reply.fingerprint});
  }
  made.head = at;
  return encode(ToTable(made));
}

CloseRound close(const std::string& round) { return CloseRound{RoundId(round), Badge()}; }
const Position somewhere{"test", "1"};

// Whatever the table has seen: the witness has a test of its own.
bool is_hello(const std::string& frame) {
  const auto decoded = decode_from_table(frame);
  const auto* hello = decoded ? std::get_if<Hello>(&*decoded) : nullptr;
  return hello != nullptr && hello->table == table;
}

bool is_heartbeat(const std::vector<std::string>& frames) {
  if (frames.size() != 1) return false;
  const auto decoded = decode_from_table(frames.front());
  const auto* heartbeat = decoded ? std::get_if<Heartbeat>(&*decoded) : nullptr;
  return heartbeat != nullptr && heartbeat->table == table;
}

std::uint64_t number_of(const std::string& frame) {
  const auto decoded = decode_from_table(frame);
  REQUIRE(decoded);
  REQUIRE(std::holds_alternative<TableMessage>(*decoded));
  return std::get<TableMessage>(*decoded).number.value();
}

std::vector<std::uint64_t> numbers_of(const std::vector<std::string>& frames) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& frame : frames) numbers.push_back(number_of(frame));
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

// An agent that said hello and was welcomed to a journal that ends at entry 1.
struct Welcomed {
  MemoryOutbox outbox;
  TableAgent agent{table, outbox, {interval_us}};

  Welcomed() {
    REQUIRE(agent.to_send(at_ms(0)).size() == 1);
    CHECK(agent.receive(welcome(0, head(1)), at_ms(1)).empty());
    REQUIRE(agent.is_welcome());
  }
  void say(const std::string& round) { agent.say(close(round), somewhere, at_ms(0)); }
};

}  // namespace

TEST_CASE("a message to a controller that has other terms in force locks the table and asks") {
  Welcomed at;
  at.say("r1");
  at.say("r2");
  CHECK(at.agent.to_send(at_ms(2)).size() == 2);
  REQUIRE(at.agent.lockout(at_ms(3)).is_open());
  const auto differs = acknowledgements(
      {{1, 0, Refusal::configuration_differs}, {2, 0, Refusal::configuration_differs}}, head(1));
  CHECK(at.agent.receive(differs, at_ms(3)).empty());
  CHECK(at.agent.lockout(at_ms(3)).cause == Lockout::Cause::configuration_differs);
  CHECK(at.outbox.unacknowledged().size() == 2);
  const auto hello = at.agent.to_send(at_ms(3));
  REQUIRE(hello.size() == 1);
  CHECK(is_hello(hello[0]));
  CHECK(at.agent.receive(differs, at_ms(4)).empty());  // late: asked already
  CHECK(at.agent.to_send(at_ms(4)).empty());
  // The floor file is in force again: it goes on where it was, and opens when it has caught up.
  at.agent.receive(welcome(0, head(1)), at_ms(5));
  CHECK(numbers_of(at.agent.to_send(at_ms(5))) == Numbers{1, 2});
  CHECK(at.agent.lockout(at_ms(5)).cause == Lockout::Cause::catching_up);
  at.agent.receive(acknowledgements({{1, 2}, {2, 3}}, head(3)), at_ms(6));
  CHECK(at.agent.lockout(at_ms(6)).is_open());
}

TEST_CASE("what was told of a claim last is kept, and what raises one is asked about at once") {
  Welcomed at;
  at.say("r1");
  CHECK(at.agent.to_send(at_ms(2)).size() == 1);
  Acknowledgement raised{MessageNumber(1), EntryNumber(2)};
  raised.awards = {{Seat(1), LineId("flush"), Amount::dollars(9), ClaimNumber(7)}};
  at.agent.receive(encode(ToTable{Acknowledgements{{raised}, head(2)}}), at_ms(3));
  CHECK(is_heartbeat(at.agent.to_send(at_ms(3))));
  CHECK(at.agent.to_send(at_ms(4)).empty());
  CHECK(at.agent.known_claims().empty());
  HeartbeatAnswer answer{table, {}, false};
  ToldClaim claim{ClaimNumber(7), RoundId("r1"), Seat(1), {}, LineId("flush"), {}, {}};
  claim.state = "paid";
  answer.claims = {claim};
  at.agent.receive(encode(ToTable{answer}), at_ms(5));
  CHECK_FALSE(at.agent.take_hands().has_value());  // this controller tells none
  answer.claims.clear();
  answer.hands = {{RoundId("r1"), {}}};
  at.agent.receive(encode(ToTable{answer}), at_ms(6));
  CHECK(at.agent.claims().empty());
  REQUIRE(at.agent.known_claims().contains(ClaimNumber(7)));
  CHECK(at.agent.known_claims().at(ClaimNumber(7)) == claim);
  CHECK((at.agent.take_hands() == answer.hands));
  CHECK_FALSE(at.agent.take_hands().has_value());
}

}  // namespace linkmeter::table_agent_told_test
