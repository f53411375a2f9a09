#include "controller/turn/operator_reply.h"

#include <doctest/doctest.h>
#include <string>

#include "tests/support/mixed_floor.h"

namespace linkmeter::operator_reply_test {
namespace {

std::string told(const OperatorCommand& act, Refusal refusal) {
  static const MixedFloor floor;
  ControlReply reply = refusal_reply(refusal);
  add_unknown_name(act, floor.file.floor, reply);
  const std::string said(sentence(refusal));
  return reply.text.substr(reply.text.starts_with(said) ? said.size() : 0);
}

}  // namespace

TEST_CASE("a refusal names the object that does not exist") {
  const LinkId known("RIU"), none("NOPE");
  CHECK_EQ(told(SuspendLink{none, "x"}, Refusal::link_unknown), ": NOPE");
  CHECK_EQ(told(Propose{ResumeLink{none}}, Refusal::link_unknown), ": NOPE");
  // If one of two links is missing, the reply names it; if the link exists, it names the level.
  const auto transfer = [](const LinkId& from, const char* level, const LinkId& to) {
    return Propose{TransferMeter{from, LevelId(level), to, LevelId("main"), Amount::cents(1),
                                 TransferReason::merged, ""}};
  };
  CHECK_EQ(told(transfer(known, "main", none), Refusal::link_unknown), ": NOPE");
  CHECK_EQ(told(transfer(known, "mega", known), Refusal::link_unknown), ": RIU mega");
  CHECK_EQ(told(ValidateClaim{ClaimNumber(7)}, Refusal::claim_unknown), ": 7");
  CHECK_EQ(told(VoidSlip{SlipNumber(9), VoidReason::misprint, ""}, Refusal::slip_unknown), ": 9");
  CHECK_EQ(told(Confirm{ProposalNumber(3), ""}, Refusal::proposal_unknown), ": 3");
  CHECK_EQ(told(Propose{RemovePerson{Badge("X-9")}}, Refusal::person_unknown), ": X-9");
  CHECK_EQ(told(Propose{Revoke{EnrolmentKind::table, "T-9"}}, Refusal::not_enrolled), ": T-9");
  CorrectHand correct;
  correct.table = TableId("T-9");
  CHECK_EQ(told(correct, Refusal::table_unknown), ": T-9");
  CorrectDealer dealer;
  dealer.table = TableId("T-9");
  CHECK_EQ(told(dealer, Refusal::table_unknown), ": T-9");
  CorrectPot pot;
  pot.table = TableId("T-9");
  CHECK_EQ(told(pot, Refusal::table_unknown), ": T-9");
  CHECK_EQ(told(FreezeTable{TableId("T-9"), ""}, Refusal::table_unknown), ": T-9");
  CHECK_EQ(told(Propose{UnfreezeTable{TableId("T-9")}}, Refusal::table_unknown), ": T-9");
  const ResumeLinks resume{{{known, "x"}, {none, "x"}}};
  CHECK_EQ(told(Propose{resume}, Refusal::link_unknown), ": NOPE");
}

TEST_CASE("nothing is added if nothing is unknown, and long or odd names are shortened") {
  CHECK_EQ(told(SuspendLink{LinkId("RIU"), "x"}, Refusal::link_suspended_already), "");
  CHECK_EQ(told(SuspendLink{LinkId("NOPE"), "x"}, Refusal::right_missing), "");
  const std::string name =
      told(SuspendLink{LinkId(std::string(500, 'x')), ""}, Refusal::link_unknown);
  CHECK_LT(name.size(), 100);
  CHECK_EQ(told(SuspendLink{LinkId("a\x1b[2Jb"), ""}, Refusal::link_unknown), ": a?[2Jb");
}

}  // namespace linkmeter::operator_reply_test
