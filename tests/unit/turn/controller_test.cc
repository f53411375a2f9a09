#include "controller/turn/controller.h"
#include "proto/host/sha256.h"

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/hash_chain.h"
#include "proto/codec/journal_codec.h"
#include "tests/support/keys.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::controller_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

// A controller over a journal in memory, with its floor open.
class House {
 public:
  House() {
    journal_.commit({encode(floor_.opening)}, rows_for(floor_.state, floor_.state.take_changes()));
    start();
  }
  // Like a restart: only the journal is left.
  void start() {
    StateRead read = read_state(journal_.head().entry, journal_.rows());
    REQUIRE_EQ(read.why, "");
    controller_.emplace(journal_, floor_.file.rules, std::move(*read.state));
  }
  Controller::Turn turn(const std::vector<InboundMessage>& received) {
    return controller_->turn(received, now);
  }
  MemoryJournal& journal() { return journal_; }
  [[nodiscard]] const State& state() const { return controller_->state(); }

 private:
  MixedFloor floor_;
  MemoryJournal journal_;
  std::optional<Controller> controller_;
};

std::string bytes_of(const std::string& table, std::uint64_t number, TableCommand command) {
  TableMessage message;
  message.table = TableId(table);
  message.number = MessageNumber(number);
  message.command = std::move(command);
  return encode(message);
}

InboundMessage lock(const std::string& table, std::uint64_t number, const std::string& round) {
  return {table, key_of(table), bytes_of(table, number, lock_of(round, {five_card(1)}))};
}

InboundMessage show(const std::string& table, std::uint64_t number, const std::string& round) {
  return {table, key_of(table), bytes_of(table, number, royal_flush_of(round, 1))};
}

InboundMessage hello(const std::string& peer, const std::string& table) {
  return {peer, key_of(peer), encode(Hello{TableId(table)})};
}

// The one reply to this peer.
ToTable reply_to(const Controller::Turn& turn, const std::string& peer) {
  std::vector<ToTable> found;
  for (const Reply& reply : turn.replies) {
    if (reply.peer == peer) found.push_back(decode_to_table(reply.bytes).value());
  }
  REQUIRE_EQ(found.size(), 1);
  return found.front();
}

// Without the checksums, which one case below tests: they are equal for the same frame only.
Acknowledgements acknowledged(const Controller::Turn& turn, const std::string& peer) {
  auto answer = std::get<Acknowledgements>(reply_to(turn, peer));
  for (Acknowledgement& one : answer.list) {
    CHECK_NE(one.mark, 0);
    one.mark = 0;
    one.awards.clear();  // ack_details_test.cc tests these
  }
  return answer;
}

Acknowledgement accepted(std::uint64_t number, std::uint64_t entry) {
  return {MessageNumber(number), EntryNumber(entry), Refusal::none};
}

Acknowledgement refused(std::uint64_t number, std::uint64_t entry, Refusal refusal) {
  return {MessageNumber(number), EntryNumber(entry), refusal};
}

}  // namespace

TEST_CASE("an acknowledgement has the checksum of the frame that it answers") {
  House house;
  const InboundMessage first = lock("C4-01", 1, "r1");
  const InboundMessage other = lock("C4-01", 1, "r2");
  const auto list = std::get<Acknowledgements>(reply_to(house.turn({first, other}), "C4-01")).list;
  REQUIRE_EQ(list.size(), 2);
  CHECK_EQ(list[0].mark, frame_checksum(sha256(first.bytes)));
  CHECK_EQ(list[1].refusal, Refusal::message_number_reused);
  CHECK_EQ(list[1].mark, frame_checksum(sha256(other.bytes)));
}

TEST_CASE("an acknowledgement names the entry and has the new head of the journal") {
  House house;
  const Head before = house.journal().head();
  const auto turn = house.turn({lock("C4-01", 1, "r1")});
  const Acknowledgements answer = acknowledged(turn, "C4-01");
  CHECK((answer.list == std::vector{accepted(1, 2)}));
  CHECK((answer.head == house.journal().head()));
  CHECK_EQ(answer.head.entry, EntryNumber(2));
  CHECK_NE(answer.head.hash, before.hash);
  CHECK((turn.changed == std::set{LinkIndex(1)}));
  CHECK(turn.refused.empty());
}

TEST_CASE("a turn is one commit for all its messages, and one reply for each table") {
  House house;
  const auto turn = house.turn({lock("C4-01", 1, "r1"), lock("C4-02", 1, "r1"),
                                lock("C4-01", 2, "r2"), show("C4-01", 3, "r1")});
  CHECK_EQ(turn.replies.size(), 2);
  CHECK((acknowledged(turn, "C4-01").list ==
         std::vector{accepted(1, 2), accepted(2, 4), accepted(3, 5)}));
  CHECK((acknowledged(turn, "C4-02").list == std::vector{accepted(1, 3)}));
  CHECK((acknowledged(turn, "C4-01").head == house.journal().head()));
  CHECK((acknowledged(turn, "C4-02").head == house.journal().head()));
  CHECK((turn.raised == std::vector{ClaimNumber(1)}));
}

TEST_CASE("if the commit fails, nobody is answered, and the restart knows nothing of the turn") {
  House house;
  house.turn({lock("C4-01", 1, "r1")});
  const Head head = house.journal().head();
  const std::vector<Row> rows = house.journal().rows();
  house.journal().fail_next_commit();
  // It throws, so there are no replies to send.
  CHECK_THROWS_AS(house.turn({lock("C4-01", 2, "r2"), hello("C4-02", "C4-02")}), Fault);
  CHECK((house.journal().head() == head));
  CHECK((house.journal().rows() == rows));
  house.start();
  CHECK_EQ(house.state().last_entry(), EntryNumber(2));
  // The same bytes, sent again, are now the first.
  const auto turn = house.turn({lock("C4-01", 2, "r2")});
  CHECK((acknowledged(turn, "C4-01").list == std::vector{accepted(2, 3)}));
}

TEST_CASE("a repeat in the same turn, in the next and after a restart counts once") {
  House house;
  const InboundMessage wager = lock("C4-01", 1, "r1");
  const auto first = house.turn({wager, wager, wager});
  CHECK((acknowledged(first, "C4-01").list ==
         std::vector{accepted(1, 2), accepted(1, 2), accepted(1, 2)}));
  const Head head = house.journal().head();
  const auto second = house.turn({wager});
  CHECK((acknowledged(second, "C4-01").list == std::vector{accepted(1, 2)}));
  CHECK((acknowledged(second, "C4-01").head == head));
  CHECK(second.changed.empty());
  house.start();
  const auto third = house.turn({wager});
  CHECK((acknowledged(third, "C4-01").list == std::vector{accepted(1, 2)}));
  CHECK((house.journal().head() == head));
  CHECK_EQ(house.state().link(LinkIndex(1)).tables[0].wagers, 1);
}

TEST_CASE("the answer to a wrong chip count says so, also the answer to a repeat") {
  House house;
  LockRound counted = lock_of("r1", {five_card(1), five_card(2)});
  counted.chips = 3;
  const InboundMessage miscounted = {"C4-01", key_of("C4-01"), bytes_of("C4-01", 1, counted)};
  Acknowledgement expected = accepted(1, 2);
  expected.chips_expected = 2;
  const auto first = house.turn({miscounted});
  CHECK((acknowledged(first, "C4-01").list == std::vector{expected}));
  REQUIRE_EQ(first.miscounted.size(), 1);
  CHECK_EQ(first.miscounted[0].table, TableId("C4-01"));
  CHECK_EQ(first.miscounted[0].round, RoundId("r1"));
  CHECK_EQ(first.miscounted[0].chips, 3);
  CHECK_EQ(first.miscounted[0].chips_expected, 2);
  house.start();
  const auto second = house.turn({miscounted});
  CHECK((acknowledged(second, "C4-01").list == std::vector{expected}));
  CHECK(second.miscounted.empty());

  // Whatever happened to the round since: the answer is the first one's.
  const InboundMessage annulled = {
      "C4-01", key_of("C4-01"), bytes_of("C4-01", 2, VoidRound{RoundId("r1"), "misdeal", Badge()})};
  CHECK((acknowledged(house.turn({annulled}), "C4-01").list == std::vector{accepted(2, 3)}));
  CHECK((acknowledged(house.turn({miscounted}), "C4-01").list == std::vector{expected}));
  // And twice in one turn.
  counted.round = RoundId("r2");
  Acknowledgement next = accepted(3, 4);
  next.chips_expected = 2;
  const InboundMessage third = {"C4-01", key_of("C4-01"), bytes_of("C4-01", 3, counted)};
  CHECK((acknowledged(house.turn({third, third}), "C4-01").list == std::vector{next, next}));

  counted.round = RoundId("r1");
  counted.chips = 2;
  const InboundMessage right = {"C4-02", key_of("C4-02"), bytes_of("C4-02", 1, counted)};
  CHECK((acknowledged(house.turn({right}), "C4-02").list == std::vector{accepted(1, 5)}));
}

TEST_CASE("a refused message is an entry, and its repeat gets the same refusal") {
  House house;
  const InboundMessage close = {"C4-01", key_of("C4-01"),
                                bytes_of("C4-01", 1, CloseRound{RoundId("r1"), Badge()})};
  const auto first = house.turn({close});
  const std::vector expected{refused(1, 2, Refusal::round_unknown)};
  CHECK((acknowledged(first, "C4-01").list == expected));
  REQUIRE_EQ(first.refused.size(), 1);
  CHECK_EQ(first.refused[0].refusal, Refusal::round_unknown);
  CHECK_EQ(first.refused[0].table, TableId("C4-01"));
  const auto second = house.turn({close});
  CHECK((acknowledged(second, "C4-01").list == expected));
  CHECK(second.refused.empty());
  CHECK_EQ(house.journal().head().entry, EntryNumber(2));
}

TEST_CASE("a message over another table's connection is refused and uses up no number") {
  House house;
  InboundMessage stolen = lock("C4-01", 1, "r1");
  stolen.peer = "C4-02";
  stolen.key = key_of("C4-02");
  const auto turn = house.turn({stolen});
  CHECK((acknowledged(turn, "C4-02").list == std::vector{refused(1, 0, Refusal::table_not_yours)}));
  CHECK_EQ(turn.replies.size(), 1);
  CHECK_EQ(house.journal().head().entry, EntryNumber(1));
  CHECK((acknowledged(house.turn({lock("C4-01", 1, "r1")}), "C4-01").list ==
         std::vector{accepted(1, 2)}));
}

TEST_CASE("malformed bytes are refused and stop nobody else in the turn") {
  House house;
  const auto turn = house.turn({{"C4-01", key_of("C4-01"), "\xff\xff"},
                                {"C4-01", key_of("C4-01"), ""},
                                lock("C4-01", 1, "r1"),
                                {"", "", "x"}});
  CHECK((acknowledged(turn, "C4-01").list == std::vector{refused(0, 0, Refusal::message_malformed),
                                                         refused(0, 0, Refusal::message_malformed),
                                                         accepted(1, 2)}));
  CHECK((acknowledged(turn, "").list == std::vector{refused(0, 0, Refusal::message_malformed)}));
  CHECK_EQ(turn.refused.size(), 3);
  CHECK_EQ(house.journal().head().entry, EntryNumber(2));
}

TEST_CASE("a message that is not journaled is answered with entry 0 and the current head") {
  House house;
  const auto turn = house.turn({lock("C4-01", 2, "r1"), lock("X-99", 1, "r1")});
  CHECK((acknowledged(turn, "C4-01").list ==
         std::vector{refused(2, 0, Refusal::message_out_of_order)}));
  CHECK((acknowledged(turn, "X-99").list == std::vector{refused(1, 0, Refusal::key_unknown)}));
  CHECK((acknowledged(turn, "X-99").head == house.journal().head()));
  CHECK_EQ(house.journal().head().entry, EntryNumber(1));
}

TEST_CASE("a Hello is answered with the table's last number and the head") {
  House house;
  const auto first = house.turn({hello("C4-01", "C4-01")});
  CHECK((std::get<Welcome>(reply_to(first, "C4-01")) ==
         Welcome{TableId("C4-01"), MessageNumber(0), house.journal().head(), Refusal::none}));
  house.turn({lock("C4-01", 1, "r1"), lock("C4-01", 2, "r2")});
  house.start();
  const std::string asked = encode(Hello{TableId("C4-01"), {}, 7});
  const auto second = house.turn({{"C4-01", key_of("C4-01"), asked}});
  Welcome welcome = std::get<Welcome>(reply_to(second, "C4-01"));
  CHECK_EQ(std::exchange(welcome.open_rounds, {}).size(), 2);
  CHECK_EQ(std::exchange(welcome.open_round_count, 0), 2);
  CHECK(
      (welcome ==
       Welcome{TableId("C4-01"), MessageNumber(2), house.journal().head(), Refusal::none, {}, 7}));
}

TEST_CASE("a Hello with an unknown key, or in another table's name, is refused") {
  House house;
  const auto turn = house.turn({hello("X-99", "X-99"), hello("C4-02", "C4-01")});
  const Welcome stranger = std::get<Welcome>(reply_to(turn, "X-99"));
  CHECK_EQ(stranger.refusal, Refusal::key_unknown);
  const Welcome other = std::get<Welcome>(reply_to(turn, "C4-02"));
  CHECK_EQ(other.refusal, Refusal::table_not_yours);
  CHECK_EQ(other.last_number, MessageNumber(0));
  CHECK_EQ(turn.refused.size(), 2);
}

TEST_CASE("a table's key cannot speak for a table that does not exist") {
  House house;
  InboundMessage lost = lock("X-99", 1, "r1");
  lost.key = key_of("C4-01");
  const auto turn = house.turn({lost});
  CHECK((acknowledged(turn, "X-99").list == std::vector{refused(1, 0, Refusal::table_unknown)}));
  CHECK_EQ(house.journal().head().entry, EntryNumber(1));
}

TEST_CASE("an empty turn does nothing") {
  House house;
  const Head head = house.journal().head();
  const auto turn = house.turn({});
  CHECK(turn.replies.empty());
  CHECK((house.journal().head() == head));
}

TEST_CASE("the journal contains the decided entries, and its rows equal the state") {
  House house;
  house.turn({lock("C4-01", 1, "r1"), lock("C4-02", 1, "r1")});
  house.turn({show("C4-01", 2, "r1"), show("C4-02", 2, "r1")});
  State replayed;
  house.journal().read(EntryNumber(1), [&](const StoredEntry& stored) {
    replayed.apply(decode_entry(stored.bytes).value());
    return true;
  });
  CHECK((replayed == house.state()));
  const StateRead read = read_state(house.journal().head().entry, house.journal().rows());
  REQUIRE(read.state.has_value());
  CHECK((*read.state == house.state()));
}

}  // namespace linkmeter::controller_test
