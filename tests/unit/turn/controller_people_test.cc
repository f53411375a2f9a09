#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include "controller/turn/controller.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/operator_codec.h"
#include "tests/support/keys.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::controller_people_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

// A controller over a journal in memory, with its floor and staff.
class House {
 public:
  explicit House(std::set<std::string> own_keys = {}) {
    journal_.commit({encode(floor_.opening)}, rows_for(floor_.state, floor_.state.take_changes()));
    controller_.emplace(journal_, floor_.file.rules, std::move(floor_.state), std::move(own_keys));
  }
  Controller::Turn turn(const std::vector<OperatorRequest>& asked) {
    return controller_->turn({}, now, asked);
  }
  void play(std::uint64_t number, TableCommand command) {
    TableMessage message;
    message.table = TableId("C4-01");
    message.number = MessageNumber(number);
    message.command = std::move(command);
    CHECK_EQ(controller_->turn({{"C4-01", key_of("C4-01"), encode(message)}}, now).refused.size(),
             0);
  }
  Controller::Turn store(const std::vector<SlipCopy>& copies) {
    return controller_->store(copies, now);
  }
  // The one reply to one request.
  ControlReply reply(const OperatorRequest& request) {
    const auto done = turn({request});
    REQUIRE_EQ(done.person_replies.size(), 1);
    CHECK_EQ(done.person_replies[0].peer, request.peer);
    CHECK(done.replies.empty());
    return decode_control_reply(done.person_replies[0].bytes).value();
  }
  std::vector<std::string> facts_after(EntryNumber entry) {
    std::vector<std::string> names;
    journal_.read(entry.next(), [&](const StoredEntry& stored) {
      names.emplace_back(name(decode_entry(stored.bytes).value().fact));
      return true;
    });
    return names;
  }
  MemoryJournal& journal() { return journal_; }
  [[nodiscard]] const State& state() const { return controller_->state(); }

 private:
  MixedFloor floor_;
  MemoryJournal journal_;
  std::optional<Controller> controller_;
};

using Names = std::vector<std::string>;

OperatorRequest asks(const std::string& badge, OperatorCommand act) {
  return {"peer", Badge(badge), true, std::move(act)};
}

LinkId first_link(const House& house) { return house.state().floor().links[0].id; }

OperatorRequest suspends(const House& house, const std::string& badge, bool is_good) {
  return {"peer", Badge(badge), is_good, SuspendLink{first_link(house), "sign dark"}};
}

}  // namespace

TEST_CASE("a request with a right PIN is a sign-in and an act in one commit") {
  House house;
  const auto turn = house.turn({suspends(house, "TGM-1", true)});
  CHECK_EQ(house.facts_after(EntryNumber(1)), Names{"signed_in", "link_suspended"});
  CHECK(turn.changed.contains(LinkIndex(0)));
  CHECK(turn.refused.empty());
  REQUIRE_EQ(turn.acted.size(), 1);
  CHECK_EQ(turn.acted[0].act, "suspend_link");
  const ControlReply reply = decode_control_reply(turn.person_replies.at(0).bytes).value();
  CHECK_EQ(reply.refusal, Refusal::none);
  CHECK_EQ(reply.entry, EntryNumber(3));
  CHECK_EQ(house.state().link(LinkIndex(0)).suspended, "sign dark");
  // The disk holds the controller's state.
  CHECK((read_state(house.journal().head().entry, house.journal().rows()).state == house.state()));
}

TEST_CASE("a wrong PIN is an entry, and the act is not decided") {
  House house;
  const ControlReply reply = house.reply(suspends(house, "TGM-1", false));
  CHECK_EQ(reply.refusal, Refusal::pin_wrong);
  CHECK_EQ(reply.entry, EntryNumber(2));
  CHECK_EQ(house.facts_after(EntryNumber(1)), Names{"sign_in_failed"});
  CHECK_EQ(house.state().link(LinkIndex(0)).suspended, "");
}

TEST_CASE("a PIN that could not be verified is not an entry and counts toward no lock") {
  House house;
  OperatorRequest unchecked = suspends(house, "TGM-1", false);
  unchecked.unchecked = "the PIN could not be verified: no memory";
  OperatorRequest recovers = asks("TGM-1", Recover{});
  recovers.unchecked = unchecked.unchecked;
  for (const OperatorRequest& one : {unchecked, recovers}) {
    CHECK_EQ(house.reply(one).refusal, Refusal::too_many_requests);
  }
  CHECK_EQ(house.facts_after(EntryNumber(1)), Names{});
  CHECK_EQ(house.state().link(LinkIndex(0)).suspended, "");
}

TEST_CASE("an unknown badge leaves no entry and learns nothing; the log names it") {
  House house;
  const auto turn = house.turn({suspends(house, "nobody", false)});
  CHECK_EQ(house.facts_after(EntryNumber(1)), Names{});
  const ControlReply reply = decode_control_reply(turn.person_replies.at(0).bytes).value();
  ControlReply wrong = house.reply(suspends(house, "TGM-1", false));
  wrong.entry = EntryNumber();
  CHECK((reply == wrong));
  REQUIRE_EQ(turn.refused.size(), 1);
  CHECK_EQ(turn.refused[0].refusal, Refusal::person_unknown);
  CHECK_EQ(turn.refused[0].by, Badge("nobody"));
}

TEST_CASE("five wrong PINs in a turn lock the person before the right one after them") {
  House house;
  std::vector<OperatorRequest> asked(limits::sign_in_failures_max, suspends(house, "F-1", false));
  asked.push_back(suspends(house, "F-1", true));
  const auto turn = house.turn(asked);
  CHECK_EQ(decode_control_reply(turn.person_replies.at(5).bytes).value().refusal,
           Refusal::person_locked);
  CHECK_EQ(house.facts_after(EntryNumber(6)), Names{"act_refused"});
  CHECK_EQ(house.state().link(LinkIndex(0)).suspended, "");
}

TEST_CASE("a manager's right PIN at the control socket ends the manager's lock") {
  House house;
  std::vector<OperatorRequest> asked(limits::sign_in_failures_max, suspends(house, "TGM-1", false));
  for (OperatorRequest& one : asked) one.source = RequestSource::web;
  house.turn(asked);
  OperatorRequest good = suspends(house, "TGM-1", true);
  good.source = RequestSource::web;
  CHECK_EQ(house.turn({good}).socket_replies.at(0).reply.refusal, Refusal::person_locked);
  CHECK_EQ(house.reply(suspends(house, "TGM-1", true)).refusal, Refusal::none);
  CHECK_EQ(house.state().link(LinkIndex(0)).suspended, "sign dark");
}

TEST_CASE("an act without the right is refused by name, with its person") {
  House house;
  const ControlReply reply = house.reply(suspends(house, "C-1", true));
  CHECK_EQ(reply.refusal, Refusal::right_missing);
  CHECK_EQ(reply.entry, EntryNumber(3));
  CHECK_EQ(house.facts_after(EntryNumber(1)), Names{"signed_in", "act_refused"});
}

TEST_CASE("a proposal's reply has its number and summary, which the confirmation needs") {
  House house;
  house.turn({suspends(house, "TGM-1", true)});
  const ControlReply proposed =
      house.reply({"a", Badge("TGM-1"), true, Propose{ResumeLink{first_link(house)}}});
  CHECK_EQ(proposed.proposal, ProposalNumber(1));
  CHECK_EQ(proposed.summary, "resume " + first_link(house).text() + ": sign dark");
  const ControlReply confirmed =
      house.reply({"b", Badge("FM-1"), true, Confirm{proposed.proposal, proposed.summary}});
  CHECK_EQ(confirmed.refusal, Refusal::none);
  CHECK_EQ(house.state().link(LinkIndex(0)).suspended, "");
}

TEST_CASE("the system's own keys cannot be enrolled") {
  House house({key_of("controller"), key_of("operator")});
  for (const char* own : {"controller", "operator"}) {
    for (const EnrolmentKind kind : {EnrolmentKind::table, EnrolmentKind::viewer}) {
      const Enrol enrol{{kind, house.state().floor().tables[0].id.text(), key_of(own)}};
      CHECK_EQ(house.reply({"a", Badge("E-1"), true, Propose{enrol}}).refusal, Refusal::key_taken);
    }
  }
  const Enrol enrol{{EnrolmentKind::viewer, "SIGN-1", key_of("SIGN-1")}};
  CHECK_EQ(house.reply({"a", Badge("E-1"), true, Propose{enrol}}).refusal, Refusal::none);
}

TEST_CASE("a controller's own key is the key of its node") {
  House house({key_of("controller"), key_of("operator")});
  const Enrol enrol{{EnrolmentKind::node, "a", key_of("controller")}};
  CHECK_EQ(house.reply({"a", Badge("E-1"), true, Propose{enrol}}).refusal, Refusal::none);
}

TEST_CASE("malformed bytes are answered and logged and leave no entry") {
  House house;
  const auto turn = house.turn({{"peer", {}, false, {}}});
  CHECK_EQ(decode_control_reply(turn.person_replies.at(0).bytes).value().refusal,
           Refusal::message_malformed);
  REQUIRE_EQ(turn.refused.size(), 1);
  CHECK_EQ(turn.refused[0].refusal, Refusal::message_malformed);
  CHECK_EQ(house.facts_after(EntryNumber(1)), Names{});
}

TEST_CASE("a commit that fails answers nobody") {
  House house;
  house.journal().fail_next_commit();
  CHECK_THROWS_AS(house.turn({suspends(house, "TGM-1", true)}), Fault);
}

TEST_CASE("a turn lists the slips that it issued, and copies of slips are journaled once") {
  House house;
  house.play(1, lock_of("r1", {five_card(1)}));
  house.play(2, royal_flush_of("r1", 1));
  house.turn({asks("F-1", ValidateClaim{ClaimNumber(1)})});
  const Controller::Turn turn =
      house.turn({asks("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay})});
  CHECK_EQ(turn.issued, std::vector<SlipNumber>{SlipNumber(1)});
  const ControlReply reply = decode_control_reply(turn.person_replies.at(0).bytes).value();
  CHECK_EQ(reply.slip, SlipNumber(1));
  CHECK_EQ(reply.text, "slip 1 is issued for claim 1: $50,000.45, hand pay at the cage");
  const EntryNumber before = house.state().last_entry();
  Digest digest{};
  digest[0] = 7;
  house.store({{SlipNumber(1), digest}, {SlipNumber(1), Digest{}}, {SlipNumber(9), digest}});
  CHECK_EQ(house.facts_after(before), Names{"slip_stored"});
  CHECK_EQ(house.state().find_slip(SlipNumber(1))->stored, digest);
}

}  // namespace linkmeter::controller_people_test
