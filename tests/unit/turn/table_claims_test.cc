#include "controller/turn/table_claims.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "controller/turn/handshake.h"
#include "meters/values/limits.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::table_claims_test {

namespace {

// The time of MixedFloor's entries.
constexpr Timestamp now = Timestamp::from_microseconds(3'000'000);
constexpr TableIndex c4_01(1), c4_02(2);

struct ReportedClaims {
  MixedFloor floor;
  TableClaims claims;

  std::vector<ClaimNotice> at(TableIndex table, Timestamp moment = now) {
    claims.note(floor.state, moment);
    return claims.reported(floor.state, table, moment);
  }
  void win(const std::string& round, std::uint8_t seat = 1) {
    floor.take("C4-01", lock_of(round, {five_card(seat)}));
    floor.take("C4-01", royal_flush_of(round, seat));
  }
};

Timestamp minutes_later(int minutes) {
  constexpr std::int64_t minute_us = 60'000'000;
  return now.after(minutes * minute_us);
}

}  // namespace

TEST_CASE("a table gets each step of its own claims, and for some time how they ended") {
  ReportedClaims reported;
  CHECK(reported.at(c4_01).empty());
  reported.win("r1", 2);
  CHECK(reported.at(c4_02).empty());
  REQUIRE_EQ(reported.at(c4_01).size(), 1);
  ClaimNotice claim = reported.at(c4_01)[0];
  CHECK_EQ(claim.number, ClaimNumber(1));
  CHECK_EQ(claim.round, RoundId("r1"));
  CHECK_EQ(claim.seat, Seat(2));
  CHECK_EQ(claim.line, LineId("royal_flush"));
  CHECK_EQ(claim.amount, reported.floor.state.claims()[0].amount);
  CHECK_EQ(claim.state, "raised");
  CHECK_EQ(claim.needs, "validation");
  reported.floor.take("F-1", ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(reported.at(c4_01)[0].needs, "slip");
  reported.floor.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  claim = reported.at(c4_01)[0];
  CHECK_EQ(claim.needs, "payment");
  CHECK_EQ(claim.slip, SlipNumber(1));
  CHECK_EQ(claim.source, "hand_pay");
  CHECK_EQ(reported.at(c4_01, minutes_later(600)).size(), 1);  // an open claim is always reported
  reported.floor.take("C-1", PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(1)});
  claim = reported.at(c4_01, minutes_later(10))[0];
  CHECK_EQ(claim.state, "paid");
  CHECK_EQ(claim.needs, "");
  CHECK(reported.at(c4_01, minutes_later(11)).empty());
}

TEST_CASE("a rejected claim is reported with its reason; of too many claims the latest are") {
  ReportedClaims reported;
  reported.win("r1");
  reported.floor.take("F-1",
                      RejectClaim{ClaimNumber(1), RejectReason::hand_misread, "it was none"});
  CHECK_EQ(reported.at(c4_01)[0].state, "rejected");
  CHECK_EQ(reported.at(c4_01)[0].reason, "hand_misread");
  for (std::size_t round = 2; round <= reported_claims_max + 2; ++round) {
    reported.win("r" + std::to_string(round));
  }
  const std::vector<ClaimNotice> all = reported.at(c4_01);
  REQUIRE_EQ(all.size(), reported_claims_max);
  CHECK_EQ(all.front().number, ClaimNumber(3));
  CHECK_EQ(all.back().number, ClaimNumber(reported_claims_max + 2));
}

TEST_CASE("a restarted controller reports the claims that it finds, except long-settled ones") {
  ReportedClaims reported;
  reported.win("r1");
  reported.win("r2");
  reported.floor.take("F-1",
                      RejectClaim{ClaimNumber(1), RejectReason::hand_misread, "it was none"});
  CHECK_EQ(reported.at(c4_01, minutes_later(60)).size(), 1);
  CHECK_EQ(reported.at(c4_01, minutes_later(60))[0].number, ClaimNumber(2));
}

TEST_CASE("a claim that Envy of an open round waits for is reported while the round is open") {
  ReportedClaims reported;
  reported.floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  reported.floor.take("C4-01", royal_flush_of("r1", 2));
  reported.floor.take("F-1",
                      RejectClaim{ClaimNumber(1), RejectReason::hand_misread, "it was none"});
  REQUIRE_EQ(reported.at(c4_01, minutes_later(60)).size(), 1);
  CHECK_EQ(reported.at(c4_01, minutes_later(60))[0].envy, "gone");
  TableClaims restarted;
  restarted.note(reported.floor.state, minutes_later(60));
  CHECK_EQ(restarted.reported(reported.floor.state, c4_01, minutes_later(60)).size(), 1);
  // If there are too many claims, it is among those that are reported.
  for (std::size_t round = 2; round <= reported_claims_max + 2; ++round) {
    reported.win("r" + std::to_string(round));
  }
  const std::vector<ClaimNotice> all = reported.at(c4_01, minutes_later(60));
  REQUIRE_EQ(all.size(), reported_claims_max);
  CHECK_EQ(all.front().number, ClaimNumber(1));
  CHECK_EQ(all.back().number, ClaimNumber(reported_claims_max + 2));
  reported.floor.take("C4-01", CloseRound{RoundId("r1"), Badge()});
  CHECK_EQ(reported.at(c4_01, minutes_later(60)).front().number, ClaimNumber(3));
}

TEST_CASE("the answer to a heartbeat always fits one frame") {
  HeartbeatAnswer answer{TableId("C4-01"), {}, false};
  const std::string name(limits::name_length_max, 'n'), reason(limits::reason_length_max, 'r');
  for (std::size_t link = 0; link < limits::links_per_table_max; ++link) {
    answer.suspended.push_back({LinkId(name), reason});
  }
  const std::vector<SuspendedLink> suspended = answer.suspended;
  for (std::size_t claim = 1; claim <= reported_claims_max; ++claim) {
    answer.claims.push_back({ClaimNumber(claim), RoundId(name), Seat(1), LinkId(name), LineId(name),
                             LevelId(name), Amount::dollars(1), name, name, name, SlipNumber(claim),
                             name});
  }
  // Rounds are reported whole or not at all; the claims are cut last.
  RoundHands round{RoundId(name), {{Seat(1), EntryNumber(1), {}, false}}};
  for (std::size_t award = 0; award < reported_awards_max / 4; ++award) {
    round.hands[0].awards.push_back({Seat(1), LineId(name), Amount::dollars(1), ClaimNumber(1),
                                     AwardKind::envy, Seat(2), LinkId(name), LevelId(name)});
  }
  answer.hands.emplace(reported_rounds_max, round);
  const std::string frame = frame_of(std::move(answer));
  CHECK_LE(frame.size(), limits::message_bytes_max);
  const auto heard = std::get<HeartbeatAnswer>(decode_to_table(frame).value());
  CHECK((heard.suspended == suspended));
  REQUIRE(heard.hands.has_value());
  CHECK_LT(heard.hands->size(), reported_rounds_max);
  for (const RoundHands& one : *heard.hands) CHECK((one == round));
  if (!heard.claims.empty()) CHECK_EQ(heard.claims.back().number, ClaimNumber(reported_claims_max));
}

}  // namespace linkmeter::table_claims_test
