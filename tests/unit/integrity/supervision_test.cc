// Supervision in the turn: heartbeats, which tables were heard, and the tables as witnesses of the
// journal.
#include <doctest/doctest.h>
#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/time/calendar.h"
#include "meters/floor/config_digest.h"
#include "tests/support/controller_house.h"

namespace linkmeter::supervision_test {
namespace {

constexpr TableIndex c4_01(1), c4_02(2);  // of the mixed floor
constexpr LinkIndex c4(1);

struct House : ControllerHouse {
  Controller::Turn suspend(LinkIndex link, const std::string& reason) {
    return controller().suspend({{link, reason}}, now);
  }
  // A round at the table is one entry. Returns the head in its acknowledgement.
  Head lock(const std::string& table, std::uint64_t number, std::uint8_t seat = 1) {
    return say(table, number, seat).head;
  }
  [[nodiscard]] std::set<std::string> reasons() const {
    std::set<std::string> reasons;
    for (std::uint32_t link = 0; link < state().floor().links.size(); ++link) {
      reasons.insert(state().link(LinkIndex(link)).suspended);
    }
    return reasons;
  }
};

InboundMessage hello(const std::string& table, const Head& witness = {}) {
  return {table, key_of(table), encode(Hello{TableId(table), witness})};
}
InboundMessage heartbeat(const std::string& table, std::uint64_t unacknowledged = 0) {
  return {table, key_of(table), encode(Heartbeat{TableId(table), unacknowledged})};
}

template <class Kind>
Kind only(const Controller::Turn& turn) {
  REQUIRE_EQ(turn.replies.size(), 1);
  const ToTable reply = decode_to_table(turn.replies[0].bytes).value();
  REQUIRE(std::holds_alternative<Kind>(reply));
  return std::get<Kind>(reply);
}

using Nobody = std::set<TableIndex>;
using Reasons = std::set<std::string>;

}  // namespace

TEST_CASE("a heartbeat is answered in its turn without an entry") {
  House house;
  house.turn({hello("C4-01")});
  const auto turn = house.turn({heartbeat("C4-01", 9), heartbeat("C4-01", 7)});
  HeartbeatAnswer expected{TableId("C4-01"), {}, false};
  expected.hands.emplace();  // hands are reported, and no round is open
  CHECK((only<HeartbeatAnswer>(turn) == expected));
  CHECK((turn.heard == Nobody{c4_01}));
  CHECK((turn.outboxes == std::map<TableIndex, std::uint64_t>{{c4_01, 7}}));
  CHECK(turn.refused.empty());
  CHECK_EQ(house.head().entry, EntryNumber(1));
}

TEST_CASE("a table without a Hello since the start is asked for one and does not count as heard") {
  House house;
  house.turn({hello("C4-01")});
  house.start();
  const auto turn = house.turn({heartbeat("C4-01")});
  CHECK(only<HeartbeatAnswer>(turn).wants_hello);
  CHECK(turn.heard.empty());
  CHECK(turn.outboxes.empty());
  house.turn({hello("C4-01")});
  CHECK_FALSE(only<HeartbeatAnswer>(house.turn({heartbeat("C4-01")})).wants_hello);
}

TEST_CASE("impossible counters are refused by name, logged, and not journaled") {
  House house;
  house.turn({hello("C4-01")});
  house.lock("C4-01", 1);
  const Calendar calendar("America/New_York", "06:00");
  const Timestamp later = house.now.after(2 * 86'400'000'000);
  REQUIRE_FALSE(house.controller().end_days(calendar, {}, later).empty());
  const EntryNumber before = house.head().entry;
  Heartbeat beat{TableId("C4-01"), 0};
  beat.counts = ReportedCounts{MessageNumber(1),
                               MessageNumber(1),
                               {{house.state().floor().link(c4).id, 1, 1,
                                 Amount::from_units(std::numeric_limits<std::int64_t>::min())}}};
  const auto turn = house.turn({{"C4-01", key_of("C4-01"), encode(beat)}});
  REQUIRE_EQ(turn.refused.size(), 1);
  CHECK_EQ(turn.refused[0].refusal, Refusal::counters_out_of_range);
  CHECK_EQ(turn.refused[0].table, TableId("C4-01"));
  CHECK((turn.heard == Nobody{c4_01}));  // the table is still connected
  CHECK_EQ(house.head().entry, before);
  // Later valid counts are entered, once.
  beat.counts->links[0].handle = Amount::dollars(5);
  for (int time = 0; time < 2; ++time) {
    const auto honest = house.turn({{"C4-01", key_of("C4-01"), encode(beat)}});
    CHECK(honest.refused.empty());
    CHECK_EQ(house.head().entry, before.next());
  }
}

TEST_CASE("a heartbeat with an unknown key, or in another table's name, is refused") {
  House house;
  house.turn({hello("C4-01"), hello("C4-02")});
  const InboundMessage stolen = {"C4-02", key_of("C4-02"), encode(Heartbeat{TableId("C4-01")})};
  const auto turn = house.turn({stolen});
  const auto answer = only<Acknowledgements>(turn);
  REQUIRE_EQ(answer.list.size(), 1);
  CHECK_EQ(answer.list[0].refusal, Refusal::table_not_yours);
  CHECK_EQ(answer.list[0].entry, EntryNumber(0));
  CHECK(turn.heard.empty());
  CHECK_EQ(turn.refused.size(), 1);
  CHECK_EQ(only<Acknowledgements>(house.turn({heartbeat("X-99")})).list[0].refusal,
           Refusal::key_unknown);
}

TEST_CASE("Hellos and messages count as heard, also refused ones from the table's own key") {
  House house;
  CHECK((house.turn({hello("C4-01"), hello("C4-02")}).heard == Nobody{c4_01, c4_02}));
  TableMessage message;
  message.table = TableId("C4-01");
  message.number = MessageNumber(1);
  message.command = CloseRound{RoundId("r1"), Badge()};  // no such round
  CHECK((house.turn({{"C4-01", key_of("C4-01"), encode(message)}}).heard == Nobody{c4_01}));
  CHECK((house.turn({{"C4-01", key_of("C4-01"), encode(message)}}).heard == Nobody{c4_01}));
  CHECK(house.turn({{"C4-02", key_of("C4-02"), encode(message)}}).heard.empty());
  CHECK(house.turn({{"C4-01", key_of("C4-01"), "\xff"}}).heard.empty());
}

TEST_CASE("Welcome and heartbeat answer name the table's suspended links") {
  House house;
  const auto suspended = house.suspend(c4, "a display is dark");
  CHECK((suspended.suspended == std::vector{c4}));
  const LinkId link = house.state().floor().link(c4).id;
  const std::vector<SuspendedLink> expected{{link, "a display is dark"}};
  CHECK((only<Welcome>(house.turn({hello("C4-01")})).suspended == expected));
  CHECK((only<HeartbeatAnswer>(house.turn({heartbeat("C4-01")})).suspended == expected));
  CHECK(only<Welcome>(house.turn({hello("RIU-01")})).suspended.empty());
}

// such a fund stays open until it is paid out or transferred, and may still be won.
TEST_CASE(
    "a poker table learns that its fund no longer collects and that a pot contributed nothing") {
  House house;
  const std::vector<LinkId> poker{LinkId("POKER")};
  PlayPot pot;
  pot.pot = Amount::dollars(20);  // large enough
  pot.board = cards_of({"2c", "3d", "4h", "5s", "9c"});
  pot.showdown = false;
  pot.hands = {{Seat(1), {}, true, Amount()}, {Seat(2), {}, false, Amount::dollars(19)}};
  const auto play = [&](std::uint64_t number) {
    pot.round = RoundId("h" + std::to_string(number));
    const Acknowledgement answer = house.say("P-01", number, pot).list.at(0);
    REQUIRE_EQ(answer.refusal, Refusal::none);
    return answer.no_contribution;
  };
  CHECK(only<Welcome>(house.turn({hello("P-01")})).stopped.empty());
  CHECK_FALSE(play(1));
  house.both(StopCollecting{LinkId("POKER"), "the room closes"});
  CHECK(play(2));
  CHECK(play(2));  // a repeat
  CHECK((only<Welcome>(house.turn({hello("P-01")})).stopped == poker));
  CHECK((only<HeartbeatAnswer>(house.turn({heartbeat("P-01")})).stopped == poker));
  CHECK(only<Welcome>(house.turn({hello("P-01")})).suspended.empty());
  pot.pot = Amount::cents(1'999);  // no pot of this size ever contributed
  pot.hands.back().won = Amount::cents(1'999);
  CHECK_FALSE(play(3));
  // Other tables are not told, and a link of wagers is reported as suspended.
  house.both(StopCollecting{LinkId("RIU"), ""});
  const auto riu = only<Welcome>(house.turn({hello("RIU-01")}));
  CHECK(riu.stopped.empty());
  CHECK_EQ(riu.suspended.size(), 1);
}

TEST_CASE("a table with another configuration than the one in force is told so") {
  House house;
  const MixedFloor mixed;
  const auto checksum_of = [](const Floor& floor, const FloorRules& rules) {
    return table_config_digest(sha256(table_config_text(floor, rules, c4_01)));
  };
  const auto told = [&house](const std::string& mark) {
    Hello said{TableId("C4-01")};
    said.floor = mark;
    const InboundMessage received{"C4-01", key_of("C4-01"), encode(said)};
    return only<Welcome>(house.turn({received})).refusal;
  };
  const std::string mark = checksum_of(mixed.file.floor, mixed.file.rules);
  CHECK_EQ(told(mark), Refusal::none);
  CHECK_EQ(told(""), Refusal::none);  // an agent of a release that does not send it
  Floor other = mixed.file.floor;
  other.links.at(c4.value()).unit = Amount::dollars(1);
  CHECK_EQ(told(checksum_of(other, mixed.file.rules)), Refusal::configuration_differs);
  FloorRules rules = mixed.file.rules;
  rules.links.at(c4.value()).paytable.lines.front().pays.multiple += 1;
  CHECK_EQ(told(checksum_of(mixed.file.floor, rules)), Refusal::configuration_differs);
  // A text that this release does not write is not compared; nor are the terms of other tables.
  std::string newer = checksum_of(other, mixed.file.rules);
  newer.front() = table_config_version + 1;
  CHECK_EQ(told(newer), Refusal::none);
  Floor elsewhere = mixed.file.floor;
  elsewhere.tables.at(0).seats = 2;
  CHECK_EQ(checksum_of(elsewhere, mixed.file.rules), mark);
  std::reverse(elsewhere.links.begin(), elsewhere.links.end());
  FloorRules reversed = mixed.file.rules;
  std::reverse(reversed.links.begin(), reversed.links.end());
  CHECK_EQ(checksum_of(elsewhere, reversed), mark);  // a floor file in another order
}

TEST_CASE(
    "messages of a table with another configuration are refused until it has the one in force") {
  House house;
  const MixedFloor mixed;
  Floor other = mixed.file.floor;
  other.links.at(c4.value()).unit = Amount::dollars(1);
  const auto say_hello = [&house, &mixed](const Floor& floor) {
    Hello said{TableId("C4-01")};
    said.floor = table_config_digest(sha256(table_config_text(floor, mixed.file.rules, c4_01)));
    return house.turn({{"C4-01", key_of("C4-01"), encode(said)}}).heard;
  };
  TableMessage message;
  message.table = TableId("C4-01");
  message.number = MessageNumber(1);
  message.command = CloseRound{RoundId("r1"), Badge()};  // no such round
  const auto answered = [&house, &message] {
    const auto turn = house.turn({{"C4-01", key_of("C4-01"), encode(message)}});
    return only<Acknowledgements>(turn).list.at(0).refusal;
  };
  CHECK((say_hello(other) == Nobody{}));
  CHECK_EQ(answered(), Refusal::configuration_differs);
  CHECK_EQ(house.head().entry.value(), 1);  // it did not use up its number
  CHECK((say_hello(mixed.file.floor) == Nobody{c4_01}));
  CHECK_EQ(answered(), Refusal::round_unknown);
}

TEST_CASE("a table whose witness head is in the journal is welcome") {
  House house;
  const Head seen = house.lock("C4-01", 1);
  house.lock("C4-02", 1);
  CHECK_EQ(only<Welcome>(house.turn({hello("C4-01", seen)})).refusal, Refusal::none);
  house.start();
  CHECK_EQ(only<Welcome>(house.turn({hello("C4-01", seen)})).refusal, Refusal::none);
  CHECK((house.reasons() == Reasons{""}));
}

TEST_CASE(
    "a journal that is behind a table's witness head suspends the table's links once, with the "
    "reason") {
  House house;
  house.lock("C4-01", 1);
  const House::Copy old = house.copy();
  const Head seen = house.lock("C4-01", 2);
  REQUIRE_EQ(seen.entry, EntryNumber(3));

  house.put_back(old);
  const auto turn = house.turn({hello("C4-01", seen)});
  const Welcome answer = only<Welcome>(turn);
  CHECK_EQ(answer.refusal, Refusal::history_differs);
  REQUIRE_EQ(turn.refused.size(), 1);
  CHECK_EQ(turn.refused[0].refusal, Refusal::history_differs);
  CHECK(turn.heard.empty());
  const std::size_t links = house.state().floor().links_of(c4_01).size();
  CHECK_EQ(turn.suspended.size(), links);
  CHECK_EQ(turn.changed.size(), links);
  CHECK((house.reasons() ==
         Reasons{"",
                 "table C4-01 saw entry 3, which this journal does not have: restored from an "
                 "old copy?"}));
  CHECK_EQ(house.head().entry.value(), 2 + links);
  CHECK((answer.head == house.head()));

  // Now the journal has another entry with that number. Nothing more is journaled.
  const auto again = house.turn({hello("C4-01", seen), hello("C4-01", seen)});
  CHECK_EQ(decode_to_table(again.replies[0].bytes).value().index(), 0);
  CHECK(again.suspended.empty());
  CHECK_EQ(house.head().entry.value(), 2 + links);
  house.start();
  CHECK_EQ(only<Welcome>(house.turn({hello("C4-01", seen)})).refusal, Refusal::history_differs);
  CHECK_EQ(house.head().entry.value(), 2 + links);
}

TEST_CASE("a journal that differs from a witness head suspends the table's links") {
  House house;
  house.lock("C4-01", 1);
  const House::Copy old = house.copy();
  const Head seen = house.lock("C4-01", 2, 1);
  house.put_back(old);
  house.lock("C4-02", 1, 2);  // another entry 3
  CHECK_EQ(only<Welcome>(house.turn({hello("C4-01", seen)})).refusal, Refusal::history_differs);
  CHECK((house.reasons() ==
         Reasons{"",
                 "table C4-01 saw entry 3, which this journal has with another hash: restored "
                 "from an old copy?"}));
}

TEST_CASE(
    "one table's witness head suspends only its own links; a second table's suspends every link") {
  House house;
  Head forged = house.head();
  forged.hash[0] ^= 1U;
  CHECK((house.turn({hello("C4-01", forged)}).suspended == std::vector<LinkIndex>{c4}));
  // The same table repeats it, and other tables have seen what the journal has.
  CHECK(house.turn({hello("C4-01", forged), hello("RIU-01", Head{})}).suspended.empty());
  const std::size_t links = house.state().floor().links.size();
  CHECK_EQ(house.turn({hello("RIU-01", forged)}).suspended.size(), links - 1);
  CHECK_FALSE(house.reasons().contains(""));
}

TEST_CASE("a table that later agrees with the journal no longer disputes it") {
  House house;
  Head forged = house.head();
  forged.hash[0] ^= 1U;
  house.turn({hello("C4-01", forged)});
  house.turn({hello("C4-01", Head{})});
  const auto turn = house.turn({hello("RIU-01", forged)});
  CHECK((turn.suspended == std::vector<LinkIndex>{LinkIndex(0)}));
}

TEST_CASE("two agents on one key freeze the table: no new round, open rounds continue") {
  House house;
  house.lock("C4-01", 1);
  Timestamp at = House::now;
  const auto speak = [&](const std::string& connection) {
    at = at.after(1'000'000);
    return house.turn({{connection, key_of("C4-01"), encode(Heartbeat{TableId("C4-01"), 0})}}, at);
  };
  std::vector<TableIndex> frozen;
  for (int count = 0; count < 6 && frozen.empty(); ++count) {
    frozen = speak(count % 2 == 0 ? "one" : "other").frozen;
  }
  REQUIRE((frozen == std::vector<TableIndex>{c4_01}));
  CHECK_EQ(house.state().session(c4_01).frozen(), "two agents speak with this table's key");
  // Both connections are told.
  for (const char* connection : {"one", "other"}) {
    const auto told = only<HeartbeatAnswer>(speak(connection));
    CHECK_EQ(told.frozen, "two agents speak with this table's key");
  }
  CHECK_EQ(only<Welcome>(house.turn({hello("C4-01")})).frozen,
           "two agents speak with this table's key");
  CHECK_EQ(house.say("C4-01", 2).list.at(0).refusal, Refusal::table_frozen);
  CHECK_EQ(house.say("C4-02", 1).list.at(0).refusal, Refusal::none);
}

TEST_CASE("a recovery and a failed check are added to the reason of suspended links") {
  House house;
  house.suspend(c4, "monthly check");
  std::vector<Digest> codes(6);
  for (std::size_t at = 0; at < codes.size(); ++at) {
    codes[at].fill(static_cast<std::uint8_t>(1 + at));
  }
  const NewRecoveryCodes made{{codes[0], codes[1], codes[2]}};
  house.ask("TGM-1", Propose{made});
  house.ask("FM-1", Confirm{house.state().last_proposal(),
                            summary(DualControlCommand(made)),
                            {codes[3], codes[4], codes[5]}});
  const auto text = [&house] { return house.state().link(c4).suspended; };
  const Recover recover{{codes[0], codes[1], codes[3], codes[4]}, "sealed"};
  const auto used = house.controller().turn({}, house.now, {{"a", Badge("TGM-1"), true, recover}});
  REQUIRE_EQ(used.person_replies.size(), 1);
  CHECK_EQ(text(), "monthly check; recovery codes were used for TGM-1");
  const std::vector<SelfChecked::Failure> failures{{"software", "a byte differs"}};
  static_cast<void>(house.controller().record_check(failures, {}, "1", house.now));
  const std::string all =
      "monthly check; recovery codes were used for TGM-1; software wrong: a byte differs";
  CHECK_EQ(text(), all);
  // The same mismatch is not reported again.
  const std::size_t before = house.head().entry.value();
  static_cast<void>(house.controller().record_check(failures, {}, "1", house.now));
  CHECK_EQ(house.head().entry.value(), before + 1);
  // A mismatch that a balance check finds.
  static_cast<void>(house.controller().recover(c4, "the state differs", house.now));
  CHECK_EQ(text(), all + "; the state differs");
}

TEST_CASE("a reason that does not fit beside the earlier one replaces it") {
  House house;
  const std::string before(limits::reason_length_max - 5, 'm');
  house.suspend(c4, before);
  const std::vector<SelfChecked::Failure> failures{{"software", "a byte differs"}};
  static_cast<void>(house.controller().record_check(failures, {}, "1", house.now));
  CHECK_EQ(house.state().link(c4).suspended, "software wrong: a byte differs");
}

TEST_CASE("a table's dispute ends when its key is replaced") {
  for (const bool is_revoked : {true, false}) {
    House house;
    Head forged = house.head();
    forged.hash[0] ^= 1U;
    house.turn({hello("C4-01", forged)});
    if (is_revoked) {
      house.both(Revoke{EnrolmentKind::table, "C4-01"}, "E-1", "TGM-1");
    } else {
      house.both(Enrol{{EnrolmentKind::table, "C4-01", std::string(40, 'n')}}, "E-1", "TGM-1");
    }
    const auto turn = house.turn({hello("RIU-01", forged)});
    CHECK((turn.suspended == std::vector<LinkIndex>{LinkIndex(0)}));
  }
}

TEST_CASE("a link that is suspended already keeps its reason") {
  House house;
  house.suspend(c4, "a display is dark");
  Head forged = house.head();
  forged.hash[0] ^= 1U;
  const auto turn = house.turn({hello("C4-01", forged)});
  CHECK(turn.suspended.empty());  // it is the only link of that table
  CHECK_EQ(house.state().link(c4).suspended, "a display is dark");
}

TEST_CASE("only a table of the floor counts as a witness, and only over its own connection") {
  House house;
  Head forged;
  forged.entry = EntryNumber(812);
  const auto turn =
      house.turn({{"X-99", key_of("X-99"), encode(Hello{TableId("X-99"), forged})},
                  {"C4-02", key_of("C4-02"), encode(Hello{TableId("C4-01"), forged})},
                  {"C4-01", key_of("C4-01"), encode(Hello{TableId("C4-01"), Head{}})}});
  CHECK(turn.suspended.empty());
  CHECK_EQ(house.head().entry, EntryNumber(1));
  CHECK((house.reasons() == Reasons{""}));
}

TEST_CASE("a turn with a witness and messages is still one commit") {
  House house;
  Head forged;
  forged.entry = EntryNumber(812);
  TableMessage message;
  message.table = TableId("C4-02");
  message.number = MessageNumber(1);
  message.command = lock_of("r1", {five_card(1)});
  const auto turn =
      house.turn({hello("C4-01", forged), {"C4-02", key_of("C4-02"), encode(message)}});
  REQUIRE_EQ(turn.replies.size(), 2);
  for (const Reply& reply : turn.replies) {
    const ToTable told = decode_to_table(reply.bytes).value();
    if (const auto* answer = std::get_if<Acknowledgements>(&told)) {
      // After the suspension in the journal, so it is refused with this name.
      CHECK_EQ(answer->list.at(0).refusal, Refusal::link_suspended);
      CHECK((answer->head == house.head()));
    }
  }
}

}  // namespace linkmeter::supervision_test
