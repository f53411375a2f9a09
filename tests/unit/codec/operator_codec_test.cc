#include "proto/codec/operator_codec.h"

#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "meters/values/limits.h"
#include "proto/control.pb.h"
#include "tests/support/staff.h"

namespace linkmeter::operator_codec_test {
namespace {

// Every act, with nothing where the edge adds a hashed PIN.
std::vector<OperatorCommand> every_act() {
  Person person = person_of("F-9", Department::table_games, {Role::floorperson, Role::dealer});
  person.pin = "";
  return {ValidateClaim{ClaimNumber(7)},
          RejectClaim{ClaimNumber(7), RejectReason::game_protection, "note"},
          RejectClaim{ClaimNumber(7), RejectReason::hand_misread, ""},
          PayClaim{ClaimNumber(7), PaymentSource::table_inventory},
          PayClaim{ClaimNumber(7), PaymentSource::game_account},
          PayClaim{ClaimNumber(7), PaymentSource::hand_pay},
          PayClaim{ClaimNumber(7), PaymentSource::hand_pay, SlipNumber(12)},
          CountersignClaim{ClaimNumber(7)},
          IssueSlip{ClaimNumber(7), PaymentSource::table_inventory},
          IssueSlip{ClaimNumber(7), PaymentSource::hand_pay},
          VoidSlip{SlipNumber(12), VoidReason::misprint, ""},
          VoidSlip{SlipNumber(12), VoidReason::other_error, "torn"},
          PostNotice{LinkId("POKER"), true},
          PostNotice{LinkId("POKER"), false},
          SuspendLink{LinkId("C4-MEGA"), "sign dark"},
          CorrectHand{TableId("C4-01"),
                      RoundId("r1"),
                      Seat(2),
                      {Card::from_index(0), Card::from_index(52)},
                      true,
                      HandReason::other_error,
                      "two cards stuck together"},
          TakeReading{},
          TakeReading{{{LinkId("C4-MEGA"), LevelId("mega"), Amount::cents(123'456)}},
                      "before the storm"},
          RecordCount{GamingDay::from_number(20'000), CountKind::poker_box, TableId("P-01"),
                      LinkId("POKER"), Amount::dollars(412), "", Badge("SEC-1")},
          RecordCount{GamingDay(), CountKind::chips, TableId(), LinkId("POKER"), Amount(), "x",
                      Badge()},
          ExplainVariance{GamingDay::from_number(20'000), "late/C4-MEGA/C4-01", "5.00",
                          "a lost link", EntryNumber(77)},
          ExplainVariance{GamingDay(), "", "", "", std::nullopt},
          MoveFund{GamingDay::from_number(20'000),
                   LinkId("POKER"),
                   {TableId("P-01"), TableId("P-02")},
                   Amount::dollars(412),
                   "container 7",
                   Badge("SEC-1"),
                   Badge("F-1")},
          MoveFund{GamingDay(), LinkId(), {}, std::nullopt, "", Badge(), Badge()},
          AdjustDisplay{LinkId("POKER"), Amount::cents(52'160), Amount::cents(52'159), "x",
                        Badge("F-1")},
          AdjustDisplay{LinkId("POKER"), Amount(), std::nullopt, "", Badge("F-1")},
          SignDay{GamingDay::from_number(20'000), Digest{1, 2, 3}},
          CloseDay{GamingDay::from_number(20'001), Digest{4, 5}},
          ChangePin{},
          Propose{ResumeLink{LinkId("C4-MEGA")}},
          Propose{CorrectMeter{LinkId("C4-MEGA"), LevelId("mega"), Amount::from_units(-1),
                               CorrectionReason::mispaid_award, "note"}},
          Propose{TransferMeter{LinkId("A"), LevelId("main"), LinkId("B"), LevelId("reserve"),
                                Amount::dollars(3), TransferReason::merged, ""}},
          Propose{AddPerson{person}},
          Propose{RemovePerson{Badge("F-9")}},
          Propose{SetRoles{Badge("F-9"), {Role::dealer}}},
          Propose{ResetPin{Badge("F-9"), ""}},
          Confirm{ProposalNumber(3), "resume C4-MEGA"},
          Confirm{ProposalNumber(4), "new recovery codes", {Digest{1}, Digest{2}, Digest{3}}}};
}

}  // namespace

TEST_CASE("every request is decoded as it was sent") {
  for (const OperatorCommand& act : every_act()) {
    const ControlRequest request{Badge("TGM-1"), "123456", "\xff", act, "4711"};
    CHECK((decode_control_request(encode(request)) == request));
  }
}

TEST_CASE("every reply is decoded as it was sent") {
  const ControlReply reply{Refusal::right_missing, EntryNumber(9), ProposalNumber(2), "summary",
                           "a sentence",           SlipNumber(4)};
  CHECK((decode_control_reply(encode(reply)) == reply));
  CHECK((decode_control_reply(encode(ControlReply())) == ControlReply()));
}

TEST_CASE("a request from outside cannot contain a PIN hash") {
  Person person = person_of("F-9", Department::table_games, {Role::floorperson});
  person.failures = 4;
  person.removed = true;
  REQUIRE_FALSE(person.pin.empty());
  const auto added = decode_control_request(
      encode(ControlRequest{Badge("TGM-1"), "1234", "", Propose{AddPerson{person}}}));
  const Person& read = std::get<AddPerson>(std::get<Propose>(added.value().act).act).person;
  CHECK_EQ(read.pin, "");
  CHECK_EQ(read.failures, 0);
  CHECK_FALSE(read.removed);
  auto reset = decode_control_request(
      encode(ControlRequest{Badge("TGM-1"), "1234", "", Propose{ResetPin{Badge("F-9"), "seal"}}}));
  CHECK_EQ(*new_pin_hash_in(reset.value().act), "");
}

TEST_CASE("a PIN is hashed only for the acts that set one") {
  std::size_t count = 0;
  for (OperatorCommand act : every_act()) {
    if (std::string* place = new_pin_hash_in(act)) {
      ++count;
      CHECK_EQ(*place, "");
    }
  }
  CHECK_EQ(count, 3);  // change, add, reset
}

TEST_CASE("a request with an unknown reason or source is rejected") {
  const auto refused = [](const auto& fill) {
    control::Request request;
    fill(request);
    return !decode_control_request(request.SerializeAsString());
  };
  CHECK(refused([](control::Request&) {}));
  for (const std::uint32_t reason : {0U, 7U, 256U}) {
    CHECK(refused(
        [&](control::Request& request) { request.mutable_reject_claim()->set_reason(reason); }));
  }
  for (const std::uint32_t source : {0U, 4U, 257U}) {
    CHECK(refused(
        [&](control::Request& request) { request.mutable_pay_claim()->set_source(source); }));
  }
  for (const std::uint32_t reason : {0U, 99U}) {
    CHECK(refused(
        [&](control::Request& request) { request.mutable_void_slip()->set_reason(reason); }));
  }
  CHECK(refused([](control::Request& request) { request.mutable_issue_slip(); }));
  CHECK(refused([](control::Request& request) { request.mutable_propose(); }));
  CHECK(refused([](control::Request& request) {
    request.mutable_propose()->mutable_set_roles()->add_roles(11);
  }));
}

TEST_CASE("a request with an invalid seat, card, day, digest or amount is rejected") {
  const std::uint32_t no_day = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t too_much = std::numeric_limits<std::int64_t>::max();
  const std::string digest(32, 'd');
  const auto correct = [](control::Request& request) { return request.mutable_correct_hand(); };
  const auto count = [](control::Request& request) { return request.mutable_record_count(); };
  using Say = std::function<void(control::Request&)>;
  // The smallest request of each kind, and changes that make it invalid.
  const std::vector<std::pair<Say, std::vector<Say>>> kinds = {
      {[=](auto& request) { correct(request)->set_reason(1); },
       {[=](auto& request) { correct(request)->set_seat(256); },
        [=](auto& request) { correct(request)->set_reason(0); },
        [=](auto& request) { correct(request)->set_cards(std::string(1, '\x35')); }}},
      {[](auto& request) { request.mutable_take_reading(); },
       {[=](auto& request) { request.mutable_take_reading()->add_seen()->set_cents(too_much); },
        [=](auto& request) { request.mutable_take_reading()->add_seen()->set_cents(-too_much); }}},
      {[=](auto& request) { count(request)->set_kind(1); },
       {[=](auto& request) { count(request)->set_day(no_day); },
        [=](auto& request) { count(request)->set_kind(0); },
        [=](auto& request) { count(request)->set_cents(too_much); }}},
      {[=](auto& request) { request.mutable_confirm()->add_codes(digest); },
       {[](auto& request) { request.mutable_confirm()->add_codes("short"); }}},
      {[](auto& request) { request.mutable_explain_variance(); },
       {[=](auto& request) { request.mutable_explain_variance()->set_day(no_day); }}},
      {[](auto& request) { request.mutable_move_fund(); },
       {[=](auto& request) { request.mutable_move_fund()->set_day(no_day); },
        [=](auto& request) { request.mutable_move_fund()->set_cents(too_much); }}},
      {[](auto& request) { request.mutable_adjust_display(); },
       {[=](auto& request) { request.mutable_adjust_display()->set_kept_cents(too_much); },
        [=](auto& request) { request.mutable_adjust_display()->set_shown_cents(too_much); }}},
      {[=](auto& request) { request.mutable_sign_day()->set_report(digest); },
       {[=](auto& request) { request.mutable_sign_day()->set_day(no_day); },
        [](auto& request) { request.mutable_sign_day()->set_report("short"); }}},
      {[=](auto& request) { request.mutable_close_day()->set_report(digest); },
       {[=](auto& request) { request.mutable_close_day()->set_day(no_day); },
        [](auto& request) { request.mutable_close_day()->clear_report(); }}}};
  for (const auto& [good, spoils] : kinds) {
    control::Request request;
    good(request);
    CAPTURE(request.act_case());
    REQUIRE(decode_control_request(request.SerializeAsString()).has_value());
    for (std::size_t at = 0; at < spoils.size(); ++at) {
      CAPTURE(at);
      control::Request spoilt = request;
      spoils[at](spoilt);
      CHECK_FALSE(decode_control_request(spoilt.SerializeAsString()).has_value());
    }
  }
}

TEST_CASE("only a change of parameters may be long") {
  const std::string text(limits::control_bytes_max, 'x');
  const auto asked = [](DualControlCommand act) {
    return encode(ControlRequest{Badge("TGM-1"), "1234", "", Propose{std::move(act)}});
  };
  ChangeParameters change;
  change.floor_text = text;
  const auto read = decode_control_request(asked(change));
  REQUIRE(read.has_value());
  CHECK_EQ(std::get<ChangeParameters>(std::get<Propose>(read->act).act).floor_text, text);
  Person person = person_of("F-9", Department::table_games, {Role::floorperson});
  person.name = text;
  CHECK_FALSE(decode_control_request(asked(AddPerson{person})).has_value());
}

TEST_CASE("a reply's refusal number has one byte") {
  control::Reply reply;
  reply.set_refusal(255);
  CHECK(decode_control_reply(reply.SerializeAsString()).has_value());
  reply.set_refusal(256);
  CHECK_FALSE(decode_control_reply(reply.SerializeAsString()).has_value());
  CHECK_FALSE(decode_control_reply(std::string(limits::control_bytes_max + 1, '\0')).has_value());
}

TEST_CASE("malformed or too many bytes are not a request") {
  CHECK_FALSE(decode_control_request("").has_value());
  CHECK_FALSE(decode_control_request("\xff\xff\xff").has_value());
  ControlRequest request{Badge("TGM-1"), "1234", "", SuspendLink{LinkId("L"), ""}};
  std::get<SuspendLink>(request.act).note.assign(limits::control_bytes_max, 'x');
  CHECK_FALSE(decode_control_request(encode(request)).has_value());
  const std::string whole = encode(ControlRequest{Badge("TGM-1"), "1234", "", ChangePin{}});
  CHECK_FALSE(decode_control_request(whole.substr(0, whole.size() - 1)).has_value());
}

}  // namespace linkmeter::operator_codec_test
