#include "table-agent/link/table_agent.h"

#include <string>
#include <vector>

#include "tests/support/memory_outbox.h"
#include "tests/support/welcomed_table.h"

#include <doctest/doctest.h>

namespace linkmeter::table_agent_told_test {
using namespace welcomed_table;

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
  CHECK(at.agent.receive(differs, at_ms(4)).empty());  // late: already asked
  CHECK(at.agent.to_send(at_ms(4)).empty());
  // The floor file is in force again: it continues, and opens when it has caught up.
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
  ClaimNotice claim{ClaimNumber(7), RoundId("r1"), Seat(1), {}, LineId("flush"), {}, {}};
  claim.state = "paid";
  answer.claims = {claim};
  at.agent.receive(encode(ToTable{answer}), at_ms(5));
  CHECK_FALSE(at.agent.take_hands().has_value());  // this controller reports none
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
