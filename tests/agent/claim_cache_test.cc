#include "table-agent/link/claim_cache.h"

#include <string>
#include <vector>

#include "tests/support/memory_outbox.h"
#include "tests/support/welcomed_table.h"

// After our headers: its CHECK takes the place of ours.
#include <doctest/doctest.h>

namespace linkmeter::claim_cache_test {
using namespace welcomed_table;

TEST_CASE(
    "the last report of a claim is kept, and an award that raises one asks for a report at once") {
  Welcomed at;
  at.submit("r1");
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
  // This controller reports no hands.
  CHECK_FALSE(at.agent.receive(encode(ToTable{answer}), at_ms(5)).hands.has_value());
  answer.claims.clear();
  answer.hands = {{RoundId("r1"), {}}};
  CHECK((at.agent.receive(encode(ToTable{answer}), at_ms(6)).hands == answer.hands));
  CHECK(at.agent.claims().empty());
  REQUIRE(at.agent.known_claims().contains(ClaimNumber(7)));
  CHECK(at.agent.known_claims().at(ClaimNumber(7)) == claim);
}

}  // namespace linkmeter::claim_cache_test
