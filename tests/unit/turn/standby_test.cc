// A standby: it refuses tables and people by name, follows the writer's entries, and takes nothing
// else for them. follow_test.cc of tests/property follows random floors.
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/store/journal_signature.h"
#include "proto/codec/operator_codec.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/host/signing_key.h"
#include "proto/journal.pb.h"
#include "tests/support/controller_house.h"

namespace linkmeter::standby_test {
namespace {

constexpr const char* writer_endpoint = "tcp://10.0.0.5:6057";
const std::vector<NodeAddress> both_nodes{{"a", key_of("node-a"), writer_endpoint},
                                          {"b", key_of("node-b"), "tcp://10.0.0.6:6057"}};

struct Standby : ControllerHouse {
  Standby() {
    controller().set_standby(writer_endpoint);
    controller().set_nodes(both_nodes);
  }
  Controller::Turn ask_one(const OperatorRequest& request) {
    return controller().turn({}, now, {request});
  }
  Controller::Turn follow(const ControllerHouse& writer) {
    return controller().follow(entries_after(writer, head().entry));
  }
  static std::vector<StoredEntry> entries_after(const ControllerHouse& house, EntryNumber entry) {
    std::vector<StoredEntry> all;
    house.journal().read(entry.next(), [&all](const StoredEntry& one) {
      all.push_back(one);
      return true;
    });
    return all;
  }
};

Welcome welcome_in(const Controller::Turn& turn) {
  REQUIRE_EQ(turn.replies.size(), 1);
  return std::get<Welcome>(decode_to_table(turn.replies[0].bytes).value());
}

Acknowledgement acknowledged_in(const Controller::Turn& turn) {
  REQUIRE_EQ(turn.replies.size(), 1);
  const auto all = std::get<Acknowledgements>(decode_to_table(turn.replies[0].bytes).value());
  CHECK((all.head == Head()));  // a standby's head is nobody's witness
  REQUIRE_EQ(all.list.size(), 1);
  return all.list[0];
}

Hello hello_of(const std::string& table) {
  Hello hello{TableId(table)};
  hello.question = 7;
  return hello;
}

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

// The entry with the hash that belongs to it after `before`.
StoredEntry chained(const Head& before, std::string bytes) {
  const EntryNumber number = before.entry.next();
  const Digest hash = chain_hash(before.hash, number, bytes);
  return {number, hash, std::move(bytes)};
}

}  // namespace

TEST_CASE("a standby answers a Hello with the writer and all nodes") {
  Standby standby;
  const Welcome told = welcome_in(standby.turn("C4-01", encode(hello_of("C4-01"))));
  Welcome expected{TableId("C4-01"), {}, {}, Refusal::not_the_writer};
  expected.question = 7;
  expected.writer = writer_endpoint;
  expected.nodes = both_nodes;
  CHECK((told == expected));

  standby.controller().set_standby("");  // nobody knows the writer
  CHECK_EQ(welcome_in(standby.turn("C4-01", encode(hello_of("C4-01")))).writer, "");
}

TEST_CASE("a standby checks keys as a writer does, and tells a stranger nothing") {
  Standby standby;
  const auto stranger = standby.turn({{"x", key_of("x"), encode(hello_of("C4-01"))}});
  const Welcome told = welcome_in(stranger);
  CHECK_EQ(told.refusal, Refusal::key_unknown);
  CHECK_EQ(told.writer, "");
  CHECK(told.nodes.empty());
  const auto other = standby.turn({{"x", key_of("C4-01"), encode(hello_of("C4-02"))}});
  CHECK_EQ(welcome_in(other).refusal, Refusal::table_not_yours);
  CHECK_EQ(welcome_in(other).writer, "");
  const auto garbage = standby.turn({{"x", key_of("C4-01"), "no message"}});
  CHECK_EQ(acknowledged_in(garbage).refusal, Refusal::message_malformed);
  REQUIRE_EQ(garbage.refused.size(), 1);
}

TEST_CASE("a standby takes no message, heartbeat or sign-in of a table") {
  Standby standby;
  const Head before = standby.head();
  TableMessage message;
  message.table = TableId("C4-01");
  message.number = MessageNumber(1);
  message.command = lock_of("r1", {five_card(1)});
  const std::string bytes = encode(message);
  const auto turn = standby.turn("C4-01", bytes);
  const Acknowledgement told = acknowledged_in(turn);
  CHECK_EQ(told.number, MessageNumber(1));
  CHECK_EQ(told.entry, EntryNumber());
  CHECK_EQ(told.refusal, Refusal::not_the_writer);
  CHECK_EQ(told.mark, frame_checksum(sha256(bytes)));
  CHECK(turn.heard.empty());
  REQUIRE_EQ(turn.refused.size(), 1);
  CHECK_EQ(turn.refused[0].refusal, Refusal::not_the_writer);
  const Heartbeat heartbeat{TableId("C4-01"), 1, false, {}};
  CHECK_EQ(acknowledged_in(standby.turn("C4-01", encode(heartbeat))).refusal,
           Refusal::not_the_writer);
  const TableSignIn sign_in{1, Badge("F-1"), "1234", false};
  CHECK_EQ(acknowledged_in(standby.turn("C4-01", encode(sign_in))).refusal,
           Refusal::not_the_writer);
  CHECK((standby.head() == before));
  CHECK_EQ(standby.state().session(TableIndex(1)).last_number(), MessageNumber(0));
}

TEST_CASE("a standby refuses every person's request and names the writer") {
  Standby standby;
  const Head before = standby.head();
  const OperatorCommand act = SuspendLink{LinkId("C4"), "sign dark"};
  for (const bool is_good : {true, false}) {
    OperatorRequest request{"peer", Badge("FM-1"), is_good, act};
    const auto at_control = standby.ask_one(request);
    REQUIRE_EQ(at_control.person_replies.size(), 1);
    const auto reply = decode_control_reply(at_control.person_replies[0].bytes).value();
    CHECK_EQ(reply.refusal, Refusal::not_the_writer);
    CHECK_EQ(reply.entry, EntryNumber());
    CHECK_EQ(reply.text, "this controller is a standby; the writer is another node: " +
                             std::string(writer_endpoint));
    request.source = RequestSource::web;
    const auto in_browser = standby.ask_one(request);
    REQUIRE_EQ(in_browser.socket_replies.size(), 1);
    CHECK_EQ(in_browser.socket_replies[0].reply.refusal, Refusal::not_the_writer);
    REQUIRE_EQ(in_browser.refused.size(), 1);
    CHECK_EQ(in_browser.refused[0].act, "suspend_link");
  }
  OperatorRequest login{"peer", Badge("FM-1"), false, std::nullopt};
  login.signs_in = true;
  CHECK_EQ(standby.ask_one(login).refused.at(0).refusal, Refusal::not_the_writer);
  CHECK((standby.head() == before));
  CHECK_EQ(standby.state().people().at(Badge("FM-1")).failures, 0);
}

TEST_CASE("a standby reports what the writer's entries change, and serves when it is the writer") {
  ControllerHouse writer;
  Standby standby;
  writer.say("C4-01", 1, lock_of("r1", {five_card(1)}));
  writer.say("C4-01", 2, royal_flush_of("r1", 1));
  auto turn = standby.follow(writer);
  CHECK_EQ(turn.raised, std::vector<ClaimNumber>{ClaimNumber(1)});
  CHECK(turn.changed.contains(LinkIndex(1)));
  CHECK(turn.replies.empty());
  CHECK(turn.acted.empty());
  CHECK_FALSE(turn.enrolments_changed);
  writer.ask("F-1", ValidateClaim{ClaimNumber(1)});
  writer.ask("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  turn = standby.follow(writer);
  CHECK_EQ(turn.issued, std::vector<SlipNumber>{SlipNumber(1)});
  CHECK(turn.raised.empty());
  static_cast<void>(writer.controller().suspend({{LinkIndex(2), "disk"}}, writer.now));
  writer.both(Enrol{{EnrolmentKind::node, "b", key_of("node-b")}}, "E-1", "TGM-1");
  turn = standby.follow(writer);
  CHECK_EQ(turn.suspended, std::vector<LinkIndex>{LinkIndex(2)});
  CHECK(turn.enrolments_changed);
  CHECK((standby.state() == writer.state()));
  CHECK((standby.head() == writer.head()));

  standby.controller().set_standby(std::nullopt);
  const WriterChange change{"b", WriterReason::expired, 3'000'000};
  CHECK_EQ(standby.controller().record_writer(change, standby.now), Refusal::none);
  CHECK_EQ(standby.state().writer().value().node, "b");
  CHECK_EQ(standby.state().writer().value().epoch, 1);
  const Welcome told = welcome_in(standby.turn("C4-01", encode(hello_of("C4-01"))));
  CHECK_EQ(told.refusal, Refusal::none);
  CHECK_EQ(told.last_number, MessageNumber(2));
  CHECK_EQ(told.writer, "");
  CHECK((told.nodes == both_nodes));
  // The message that the writer before had not answered.
  CHECK_EQ(standby.say("C4-01", 3).list.at(0).refusal, Refusal::none);
}

TEST_CASE("two managers let a standby go on alone; until then nothing of it stays") {
  Standby house;
  house.controller().set_standby(std::nullopt);
  for (const std::string name : {"a", "b"}) {
    house.both(Enrol{{EnrolmentKind::node, name, key_of("node-" + name)}}, "E-1", "TGM-1");
  }
  const WriterChange begun{"a", WriterReason::started, 0};
  REQUIRE_EQ(house.controller().record_writer(begun, house.now), Refusal::none);
  const LeaveCluster leave{"b", house.head().entry, house.now, true};
  const auto request = [](const std::string& badge, OperatorCommand act, bool is_good = true) {
    return OperatorRequest{"peer", Badge(badge), is_good, std::move(act)};
  };
  const OperatorRequest propose = request("TGM-1", Propose{leave});
  // A node that etcd lets write cannot leave.
  const auto at_writer = house.ask_one(propose);
  CHECK_EQ(decode_control_reply(at_writer.person_replies.at(0).bytes).value().refusal,
           Refusal::leave_not_possible);

  house.controller().set_standby("");
  const Head before = house.head();
  const State state = house.state();
  const auto asks = [&](const std::vector<OperatorRequest>& all) {
    std::vector<Controller::TimedRequest> asked;
    for (const OperatorRequest& one : all) asked.push_back({one, house.now});
    return house.controller().leave_cluster(asked);
  };
  const Controller::Leaving proposed = asks({propose});
  CHECK_EQ(proposed.reply.refusal, Refusal::none);
  CHECK_EQ(proposed.reply.summary, summary(leave));
  CHECK_FALSE(proposed.has_left);
  const Confirm confirm{proposed.reply.proposal, summary(leave)};
  const Confirm unread{proposed.reply.proposal, "leave"};
  for (const OperatorRequest& no :
       {request("TGM-1", confirm), request("F-1", confirm), request("FM-1", confirm, false),
        request("FM-1", unread), request("E-9", confirm)}) {
    const Controller::Leaving refused = asks({propose, no});
    CHECK_NE(refused.reply.refusal, Refusal::none);
    CHECK_FALSE(refused.has_left);
  }
  CHECK((house.head() == before));
  CHECK((house.state() == state));
  CHECK(house.controller().is_standby());

  const Controller::Leaving left = asks({propose, request("FM-1", confirm)});
  CHECK_EQ(left.reply.refusal, Refusal::none);
  CHECK(left.has_left);
  CHECK_FALSE(house.controller().is_standby());
  CHECK((house.state().writer() == WriterChanged{"b", 2, WriterReason::left, "a", 0}));
  CHECK_EQ(welcome_in(house.turn("C4-01", encode(hello_of("C4-01")))).refusal, Refusal::none);
  Standby other;
  CHECK(other.follow(house).replies.empty());
  CHECK((other.state() == house.state()));
}

TEST_CASE("with a proposal to leave, nobody confirms another open proposal on a standby") {
  Standby house;
  house.controller().set_standby(std::nullopt);
  house.both(Enrol{{EnrolmentKind::node, "b", key_of("node-b")}}, "E-1", "TGM-1");
  const WriterChange begun{"b", WriterReason::started, 0};
  REQUIRE_EQ(house.controller().record_writer(begun, house.now), Refusal::none);
  // The change of parameters would replace the rules, and forget which tables are welcome.
  CHECK_EQ(welcome_in(house.turn("C4-01", encode(hello_of("C4-01")))).refusal, Refusal::none);
  const MixedFloor floor;
  ChangeParameters change;
  change.floor_text = floor.file.text;
  change.floor_text.replace(change.floor_text.find("[house]"), 7,
                            "[house]\ngaming_day_start = \"07:00\"");
  change.catalogue_texts = floor.file.catalogue_texts;
  house.ask("TGM-1", Propose{change});
  house.ask("FM-1", Propose{Enrol{{EnrolmentKind::node, "c", key_of("node-c")}}});
  const std::vector<Proposal> open = house.state().proposals();
  REQUIRE_EQ(open.size(), 2);
  house.controller().set_standby("");
  const FloorRules rules = house.controller().rules();
  const State state = house.state();
  const Head before = house.head();
  const LeaveCluster leave{"b", before.entry, house.now, true};
  const OperatorRequest propose{"peer", Badge("TGM-1"), true, Propose{leave}};
  const auto confirms = [&](const std::string& badge, ProposalNumber number,
                            const std::string& words, bool is_good = true) {
    const OperatorRequest confirm{"peer", Badge(badge), is_good, Confirm{number, words}};
    return house.controller().leave_cluster({{propose, house.now}, {confirm, house.now}});
  };
  for (const Proposal& other : open) {
    for (const char* badge : {"FM-1", "TGM-1", "E-1", "nobody"}) {
      for (const bool is_good : {true, false}) {
        const auto told = confirms(badge, other.number, summary(other.act), is_good);
        CHECK_EQ(told.reply.refusal, Refusal::not_the_writer);
        CHECK_FALSE(told.has_left);
      }
    }
  }
  const ProposalNumber leaving = house.state().last_proposal().next();
  CHECK_EQ(confirms("FM-1", leaving.next(), summary(leave)).reply.refusal, Refusal::not_the_writer);
  const OperatorRequest suspend{"peer", Badge("FM-1"), true, SuspendLink{LinkId("C4"), "dark"}};
  CHECK_EQ(house.controller().leave_cluster({{suspend, house.now}}).reply.refusal,
           Refusal::not_the_writer);
  CHECK((house.controller().rules() == rules));
  CHECK((house.state() == state));
  CHECK((house.head() == before));
  CHECK(house.controller().is_standby());

  CHECK(confirms("FM-1", leaving, summary(leave)).has_left);
  CHECK((house.controller().rules() == rules));
  const auto beat = house.turn("C4-01", encode(Heartbeat{TableId("C4-01"), 0, false, {}}));
  REQUIRE_EQ(beat.replies.size(), 1);
  CHECK_FALSE(
      std::get<HeartbeatAnswer>(decode_to_table(beat.replies[0].bytes).value()).wants_hello);
}

TEST_CASE("a controller without nodes names none") {
  ControllerHouse house;
  const Welcome told = welcome_in(house.turn("C4-01", encode(hello_of("C4-01"))));
  CHECK(told.nodes.empty());
  CHECK_EQ(told.writer, "");
}

TEST_CASE("a node that is alone names the enrolled nodes, and no controller that is not one does") {
  ControllerHouse house;
  const auto told = [&] {
    return welcome_in(house.turn("C4-01", encode(hello_of("C4-01")))).nodes;
  };
  house.both(Enrol{{EnrolmentKind::node, "b", key_of("node-b")}}, "E-1", "TGM-1");
  house.controller().set_own_keys({key_of("node-a"), key_of("operator")});
  CHECK(told().empty());
  house.both(Enrol{{EnrolmentKind::node, "a", key_of("node-a")}}, "E-1", "TGM-1");
  const NodeAddress a{"a", key_of("node-a"), ""}, b{"b", key_of("node-b"), ""};
  CHECK((told() == std::vector{a, b}));
  house.both(Revoke{EnrolmentKind::node, "b"}, "E-1", "TGM-1");
  CHECK((told() == std::vector{a}));
}

// The table that is served is told of a revoked key: else it would still go to the stolen machine.
TEST_CASE("a served table says Hello again when the nodes have changed, and only then") {
  ControllerHouse house;
  const std::string heartbeat = encode(Heartbeat{TableId("C4-01"), 0, false, {}});
  const auto is_asked = [&] {
    const auto turn = house.turn("C4-01", heartbeat);
    REQUIRE_EQ(turn.replies.size(), 1);
    return std::get<HeartbeatAnswer>(decode_to_table(turn.replies[0].bytes).value()).wants_hello;
  };
  const auto greet = [&] {
    const Welcome told = welcome_in(house.turn("C4-01", encode(hello_of("C4-01"))));
    CHECK_EQ(told.refusal, Refusal::none);
    CHECK_FALSE(is_asked());
    return told.nodes;
  };
  CHECK(greet().empty());
  house.controller().set_nodes(both_nodes);
  CHECK(is_asked());
  CHECK((greet() == both_nodes));
  house.controller().set_nodes(both_nodes);
  CHECK_FALSE(is_asked());
  // One that goes and comes back keeps no table busy.
  std::vector<NodeAddress> one_is_away = both_nodes;
  one_is_away[1].endpoint.clear();
  house.controller().set_nodes(one_is_away);
  CHECK_FALSE(is_asked());
  house.controller().set_nodes({both_nodes[0]});
  CHECK(is_asked());
  CHECK((greet() == std::vector{both_nodes[0]}));
  // Its messages are taken meanwhile.
  house.controller().set_nodes(both_nodes);
  CHECK_EQ(house.say("C4-01", 1).list.at(0).refusal, Refusal::none);
  greet();
  house.both(Enrol{{EnrolmentKind::node, "c", key_of("node-c")}}, "E-1", "TGM-1");
  CHECK(is_asked());
  greet();
  house.both(Enrol{{EnrolmentKind::viewer, "sign", key_of("sign")}}, "E-1", "TGM-1");
  CHECK_FALSE(is_asked());
}

TEST_CASE("a standby commits nothing that is not the next entry of its journal") {
  ControllerHouse writer;
  writer.say("C4-01", 1);
  writer.say("C4-01", 2);
  const std::vector<StoredEntry> right = Standby::entries_after(writer, EntryNumber(1));
  REQUIRE_EQ(right.size(), 2);
  const auto fault_after = [&](const std::vector<StoredEntry>& entries) {
    Standby standby;
    const Head before = standby.head();
    const std::vector<Row> rows = standby.journal().rows();
    const std::string fault =
        fault_of([&] { static_cast<void>(standby.controller().follow(entries)); });
    CHECK((standby.head() == before));
    CHECK((standby.journal().rows() == rows));
    return fault;
  };
  CHECK_EQ(fault_after({}), "");
  CHECK_NE(fault_after({right[1]}), "");            // a gap
  CHECK_NE(fault_after({right[0], right[0]}), "");  // twice
  std::vector<StoredEntry> wrong = right;
  wrong[1].hash[0] ^= 1U;
  CHECK_NE(fault_after(wrong).find("entry 3"), std::string::npos);
  wrong = right;
  wrong[0].bytes.back() = static_cast<char>(wrong[0].bytes.back() ^ 1);
  CHECK_NE(fault_after(wrong).find("entry 2"), std::string::npos);

  // In the chain, but not valid: the number of another entry, and a round that is not open.
  const Head first{EntryNumber(1), Standby().head().hash};
  CHECK_EQ(fault_after({chained(first, right[1].bytes)}), "entry 2: its bytes have another number");
  Entry entry{EntryNumber(2),
              writer.now,
              Origin{TableIndex(1), MessageNumber(1), {}, {}},
              RoundClosed{RoundId("no"), {}},
              {}};
  CHECK_EQ(fault_after({chained(first, encode(entry))}), "entry 2: the round is not open");
  // Of a later release.
  journal::Entry later;
  REQUIRE(later.ParseFromString(encode(entry)));
  later.set_needs_reader(journal_reader + 1);
  later.set_needs_release("9.1.0");
  CHECK_NE(fault_after({chained(first, later.SerializeAsString())}).find("it needs release 9.1.0"),
           std::string::npos);
}

TEST_CASE("a standby follows no signature that is wrong") {
  const SigningKey key = SigningKey::generate(), other = SigningKey::generate();
  const std::string der = public_der(key);
  ControllerHouse writer;
  writer.say("C4-01", 1);
  writer.both(ReplaceKey{KeyKind::journal, der, {}, {}});
  const auto signing = [&](const Head& head, const SigningKey& by, const std::string& named) {
    return HeadSigned{head.entry, head.hash, sha256(named), by.sign(head_text(head))};
  };
  // With the entries before it in one commit, or after them.
  const auto follow = [&](const HeadSigned& fact, bool is_alone) {
    Standby standby;
    std::vector<StoredEntry> entries = Standby::entries_after(writer, EntryNumber(1));
    if (is_alone) static_cast<void>(standby.controller().follow(std::exchange(entries, {})));
    const Entry entry{writer.head().entry.next(), writer.now, std::nullopt, fact, {}};
    entries.push_back(chained(writer.head(), encode(entry)));
    const Head before = standby.head();
    const std::string fault =
        fault_of([&] { static_cast<void>(standby.controller().follow(entries)); });
    CHECK((fault.empty() || standby.head() == before));
    return fault;
  };
  Head changed = writer.head();
  changed.hash[0] ^= 1U;
  for (const bool is_alone : {true, false}) {
    CAPTURE(is_alone);
    CHECK_EQ(follow(signing(writer.head(), key, der), is_alone), "");
    const std::string opened = std::to_string(writer.head().entry.next().value());
    CHECK_EQ(follow(signing(writer.head(), other, der), is_alone),
             "entry " + opened + ": its signature is not by the journal's key");
    CHECK_EQ(follow(signing(writer.head(), other, public_der(other)), is_alone),
             "entry " + opened + ": its signature is not by the journal's key");
    CHECK_EQ(follow(signing(changed, key, der), is_alone),
             "entry " + opened + ": it signs another journal");
  }
  // The core cannot verify it: what makes the key says that it did.
  writer.controller().set_key_maker(
      [](const State&, PersonMessage& message) { message.key_is_proved = true; });
  writer.both(ReplaceKey{KeyKind::journal, public_der(other), der, other.sign("something else")});
  Standby standby;
  CHECK_NE(fault_of([&] {
             static_cast<void>(standby.follow(writer));
           }).find("the new key is not signed by the key before"),
           std::string::npos);
  CHECK_EQ(standby.head().entry, EntryNumber(1));
}

TEST_CASE("an entry that another release encoded otherwise keeps its bytes") {
  Standby standby;
  const Entry entry{EntryNumber(2), standby.now, std::nullopt, ClockChanged{7}, {}};
  journal::Entry message;
  REQUIRE(message.ParseFromString(encode(entry)));
  message.set_needs_reader(journal_reader);
  message.set_needs_release("0.3.7");
  const StoredEntry stored = chained(standby.head(), message.SerializeAsString());
  static_cast<void>(standby.controller().follow({stored}));
  CHECK((standby.head() == Head{stored.number, stored.hash}));
}

}  // namespace linkmeter::standby_test
