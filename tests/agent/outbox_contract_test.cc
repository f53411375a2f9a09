// One contract for every outbox: what the simulation learns from the one in memory is true for the
// one on disk.
#include <lmdb.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proto/host/fault.h"
#include "table-agent/link/lmdb_outbox.h"
#include "table-agent/link/node_fault.h"
#include "table-agent/link/table_agent.h"
#include "tests/support/keys.h"
#include "tests/support/memory_outbox.h"

#include <doctest/doctest.h>

namespace linkmeter::outbox_contract_test {
namespace {

const TableId table("C4-01");

Head head(std::uint64_t entry) {
  Head made;
  made.entry = EntryNumber(entry);
  made.hash.fill(static_cast<std::uint8_t>(entry));
  return made;
}

// The answer to an agent's first Hello.
std::string welcome() {
  Welcome welcome{table, MessageNumber(0), head(1), Refusal::none};
  welcome.question = 1;
  return encode(ToTable(welcome));
}

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "outbox-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::filesystem::path outbox() const { return path_ / "C4-01.outbox"; }

 private:
  std::filesystem::path path_;
};

// Both shelves make an outbox, and return it as it is after a crash of the agent.
class MemoryShelf {
 public:
  Outbox& outbox() { return outbox_; }
  void reopen() { outbox_.lose_unsynced(); }

 private:
  MemoryOutbox outbox_;
};

class LmdbShelf {
 public:
  LmdbShelf() { reopen(); }
  Outbox& outbox() { return *outbox_; }
  void reopen() {
    outbox_.reset();
    outbox_ = std::make_unique<LmdbOutbox>(folder_.outbox(), table);
  }

 private:
  Folder folder_;
  std::unique_ptr<LmdbOutbox> outbox_;
};

std::vector<StoredMessage> messages(std::uint64_t first, std::uint64_t last) {
  std::vector<StoredMessage> made;
  for (std::uint64_t number = first; number <= last; ++number) {
    made.push_back({MessageNumber(number), std::string(number, '\0') + "frame"});
  }
  return made;
}

}  // namespace

TEST_CASE_TEMPLATE("an outbox stores what it was given", Shelf, MemoryShelf, LmdbShelf) {
  Shelf shelf;
  CHECK(shelf.outbox().last_number() == MessageNumber(0));
  CHECK(shelf.outbox().unacknowledged().empty());
  CHECK(shelf.outbox().witness() == Head{});
  CHECK(shelf.outbox().place("script/a").empty());

  // More than 255 messages: numbers are read in their order, not in the order of their last byte.
  shelf.outbox().append(messages(1, 300), {"script/a", "300 lines"});
  for (int opening = 0; opening < 2; ++opening) {
    CHECK(shelf.outbox().last_number() == MessageNumber(300));
    CHECK(shelf.outbox().unacknowledged() == messages(1, 300));
    CHECK(shelf.outbox().place("script/a") == "300 lines");
    shelf.reopen();
  }

  shelf.outbox().acknowledge(MessageNumber(299), head(7), {}, {});
  for (int opening = 0; opening < 2; ++opening) {
    CHECK(shelf.outbox().last_number() == MessageNumber(300));
    CHECK(shelf.outbox().unacknowledged() == messages(300, 300));
    CHECK(shelf.outbox().witness() == head(7));
    CHECK(shelf.outbox().place("script/a") == "300 lines");
    shelf.reopen();
  }

  // With the answer, if it moved the driver's position.
  shelf.outbox().acknowledge(MessageNumber(300), head(8), {Position{"device", "answered"}}, {});
  for (int opening = 0; opening < 2; ++opening) {
    CHECK(shelf.outbox().unacknowledged().empty());
    CHECK(shelf.outbox().witness() == head(8));
    CHECK(shelf.outbox().place("device") == "answered");
    CHECK(shelf.outbox().place("script/a") == "300 lines");
    shelf.reopen();
  }
}

TEST_CASE_TEMPLATE("message numbers are never reused", Shelf, MemoryShelf, LmdbShelf) {
  Shelf shelf;
  shelf.outbox().append(messages(1, 3), {"script/a", "3"});
  shelf.outbox().acknowledge(MessageNumber(3), head(4), {}, {});
  shelf.reopen();
  CHECK(shelf.outbox().unacknowledged().empty());
  CHECK(shelf.outbox().last_number() == MessageNumber(3));
  shelf.outbox().append(messages(4, 4), {"script/a", "4"});
  shelf.reopen();
  CHECK(shelf.outbox().unacknowledged() == messages(4, 4));
}

TEST_CASE_TEMPLATE(
    "messages that a restored journal lost become unacknowledged again, byte for byte", Shelf,
    MemoryShelf, LmdbShelf) {
  Shelf shelf;
  shelf.outbox().append(messages(1, 300), {"script/a", "300 lines"});
  shelf.outbox().acknowledge(MessageNumber(2), head(12), {}, {EntryNumber(10), EntryNumber(12)});
  shelf.outbox().acknowledge(MessageNumber(290), head(500), {}, {EntryNumber(14)});
  CHECK_THROWS_AS(shelf.outbox().resend_after(head(501)), Fault);
  shelf.reopen();
  CHECK(shelf.outbox().resend_after(head(14)) == 287);
  for (int opening = 0; opening < 2; ++opening) {
    CHECK(shelf.outbox().unacknowledged() == messages(4, 300));
    CHECK(shelf.outbox().witness() == head(14));
    CHECK(shelf.outbox().last_number() == MessageNumber(300));
    CHECK(shelf.outbox().place("script/a") == "300 lines");
    shelf.reopen();
  }
  // A repeat changes nothing; a backup from before that goes further back.
  CHECK(shelf.outbox().resend_after(head(14)) == 0);
  CHECK(shelf.outbox().resend_after(head(1)) == 3);
  CHECK(shelf.outbox().unacknowledged() == messages(1, 300));
  shelf.outbox().acknowledge(MessageNumber(300), head(400), {}, {});
  CHECK(shelf.outbox().unacknowledged().empty());
}

TEST_CASE_TEMPLATE("messages after a number become unacknowledged again, and the history is stored",
                   Shelf, MemoryShelf, LmdbShelf) {
  Shelf shelf;
  CHECK(shelf.outbox().history().empty());
  shelf.outbox().append(messages(1, 30), {"script/a", "30 lines"});
  shelf.outbox().acknowledge(MessageNumber(20), head(50), {}, {});
  // Whatever their entry numbers are: only the message numbers count.
  CHECK(shelf.outbox().requeue_behind(MessageNumber(12), head(40), {head(42)}) == 8);
  for (int opening = 0; opening < 2; ++opening) {
    CHECK(shelf.outbox().unacknowledged() == messages(13, 30));
    CHECK(shelf.outbox().witness() == head(40));
    CHECK(shelf.outbox().history() == std::vector{head(42)});
    CHECK(shelf.outbox().last_number() == MessageNumber(30));
    CHECK(shelf.outbox().place("script/a") == "30 lines");
    shelf.reopen();
  }
  CHECK(shelf.outbox().requeue_behind(MessageNumber(12), head(40), {head(42)}) == 0);
  shelf.outbox().acknowledge(MessageNumber(30), head(90), {}, {});
  shelf.outbox().note_history({head(42), head(60)});
  shelf.reopen();
  CHECK(shelf.outbox().history() == std::vector{head(42), head(60)});
  // Messages of another outbox of the table are not here: then nothing changes.
  Shelf other;
  other.outbox().go_on_after(MessageNumber(5));
  other.outbox().append(messages(6, 8), {"p", "q"});
  other.outbox().acknowledge(MessageNumber(8), head(9), {}, {});
  CHECK_THROWS_AS(other.outbox().requeue_behind(MessageNumber(4), head(3), {head(4)}), NodeFault);
  other.reopen();
  CHECK(other.outbox().unacknowledged().empty());
  CHECK(other.outbox().witness() == head(9));
  CHECK(other.outbox().history().empty());
  CHECK(other.outbox().requeue_behind(MessageNumber(5), head(3), {head(4)}) == 3);
}

TEST_CASE_TEMPLATE("an outbox resends nothing unless it still has all of it", Shelf, MemoryShelf,
                   LmdbShelf) {
  // 64 kB each, fifty at a time; the first are forgotten.
  Shelf shelf;
  std::uint64_t last = 0;
  while (last < Outbox::kept_bytes_max / 64'000 + 50) {
    std::vector<StoredMessage> some;
    std::vector<EntryNumber> entries;
    for (int count = 0; count < 50; ++count) {
      some.push_back({MessageNumber(++last), std::string(64'000, 'x')});
      entries.emplace_back(last);
    }
    shelf.outbox().append(some, {"p", "q"});
    shelf.outbox().acknowledge(MessageNumber(last), head(last), {}, entries);
  }
  CHECK_THROWS_AS(shelf.outbox().resend_after(head(3)), Fault);
  shelf.reopen();
  CHECK_THROWS_AS(shelf.outbox().resend_after(head(3)), Fault);
  CHECK(shelf.outbox().unacknowledged().empty());
  CHECK(shelf.outbox().resend_after(head(last - 2)) == 2);
}

TEST_CASE_TEMPLATE("a new outbox resends its own messages", Shelf, MemoryShelf, LmdbShelf) {
  Shelf shelf;
  shelf.outbox().go_on_after(MessageNumber(40));
  shelf.outbox().append(messages(41, 42), {"script/a", "2"});
  shelf.outbox().acknowledge(MessageNumber(42), head(90), {}, {EntryNumber(80), EntryNumber(90)});
  shelf.reopen();
  CHECK(shelf.outbox().resend_after(head(70)) == 2);
  CHECK(shelf.outbox().unacknowledged() == messages(41, 42));
}

TEST_CASE_TEMPLATE("a new outbox takes over the numbers of a lost one", Shelf, MemoryShelf,
                   LmdbShelf) {
  Shelf shelf;
  shelf.outbox().go_on_after(MessageNumber(40));
  shelf.reopen();
  CHECK(shelf.outbox().last_number() == MessageNumber(40));
  CHECK(shelf.outbox().unacknowledged().empty());
  shelf.outbox().append(messages(41, 42), {"script/a", "2"});
  shelf.reopen();
  CHECK(shelf.outbox().unacknowledged() == messages(41, 42));
}

TEST_CASE_TEMPLATE("the nodes of the last Welcome are there after a restart", Shelf, MemoryShelf,
                   LmdbShelf) {
  Shelf shelf;
  const NodeAddress a{"a", key_of("a"), "tcp://10.0.0.5:6057"};
  const NodeAddress b{"b", key_of("b"), "ipc:///run/linkmeter/b"};
  Welcome named{table, MessageNumber(0), head(1), Refusal::none};
  named.question = 1;
  named.nodes = {a, b, {"c", key_of("c"), "nowhere"}};
  {
    TableAgent agent(table, shelf.outbox());
    CHECK(agent.nodes().list().empty());
    CHECK(agent.to_send(Timestamp()).size() == 1);
    CHECK(agent.receive(encode(ToTable(named)), Timestamp()).nodes_changed);
  }
  shelf.outbox().append(messages(1, 3), {"script/a", "3"});
  shelf.reopen();
  CHECK((TableAgent(table, shelf.outbox()).nodes().list() == std::vector{a, b}));
  CHECK(shelf.outbox().unacknowledged() == messages(1, 3));
}

TEST_CASE_TEMPLATE("each driver has its own position", Shelf, MemoryShelf, LmdbShelf) {
  Shelf shelf;
  shelf.outbox().append(messages(1, 1), {"deal/7", "1 1"});
  shelf.outbox().append({}, {"deal/8", "5 0"});
  shelf.outbox().append({}, {"deal/7", "1 2"});
  shelf.reopen();
  CHECK(shelf.outbox().place("deal/7") == "1 2");
  CHECK(shelf.outbox().place("deal/8") == "5 0");
  CHECK(shelf.outbox().place("deal/").empty());
  CHECK(shelf.outbox().last_number() == MessageNumber(1));
}

TEST_CASE_TEMPLATE("positions are listed by the prefix of the driver's name", Shelf, MemoryShelf,
                   LmdbShelf) {
  Shelf shelf;
  CHECK(shelf.outbox().places("script/").empty());
  CHECK(shelf.outbox().places("").empty());
  for (const char* play : {"script/b", "deal/7", "script", "script/a", "scripts/a", "script0"}) {
    shelf.outbox().append({}, {play, std::string("at ") + play});
  }
  shelf.outbox().append(messages(1, 2), {"script/b", "further"});
  shelf.reopen();
  using Positions = std::vector<Position>;
  CHECK(shelf.outbox().places("script/") ==
        Positions{{"script/a", "at script/a"}, {"script/b", "further"}});
  CHECK(shelf.outbox().places("deal/") == Positions{{"deal/7", "at deal/7"}});
  CHECK(shelf.outbox().places("deal/8").empty());
  CHECK(shelf.outbox().places("z").empty());
  CHECK(shelf.outbox().places("").size() == 6);
}

TEST_CASE_TEMPLATE("after a kill between storing and sending, the restart sends the stored bytes",
                   Shelf, MemoryShelf, LmdbShelf) {
  Shelf shelf;
  const CloseRound close{RoundId("r1"), Badge()};
  {
    TableAgent agent(table, shelf.outbox());
    agent.submit(close, {"script/a", "1"}, Timestamp::from_microseconds(1'234));
  }
  const auto stored = shelf.outbox().unacknowledged();
  shelf.reopen();
  TableAgent agent(table, shelf.outbox());
  CHECK(agent.to_send(Timestamp::from_microseconds(0)).size() == 1);
  agent.receive(welcome(), Timestamp::from_microseconds(1));
  const auto frames = agent.to_send(Timestamp::from_microseconds(1));
  REQUIRE(frames.size() == 1);
  REQUIRE(stored.size() == 1);
  CHECK(frames[0] == stored[0].bytes);
}

TEST_CASE("an answer and its effect on the driver's position are one commit") {
  MemoryOutbox outbox;
  TableAgent agent(table, outbox);
  agent.submit(CloseRound{RoundId("r1"), Badge()}, {"test", "1"}, Timestamp());
  CHECK(agent.to_send(Timestamp()).size() == 1);
  agent.receive(welcome(), Timestamp());
  CHECK(agent.to_send(Timestamp()).size() == 1);
  Acknowledgements answers;
  answers.list.push_back({MessageNumber(1), EntryNumber(2), Refusal::none});
  answers.head = head(2);
  const std::string answer = encode(ToTable(answers));
  const TableAgent::OnReply on_reply = [](const std::vector<Answered>& answered) {
    CHECK(answered.size() == 1);
    return std::optional<Position>({"test", "answered"});
  };
  SUBCASE("stored") {
    CHECK(agent.receive(answer, Timestamp(), on_reply).answered.size() == 1);
    CHECK(outbox.unacknowledged().empty());
    CHECK(outbox.place("test") == "answered");
  }
  SUBCASE("the power went before") {
    outbox.fail_next(MemoryOutbox::Trouble::throws_before_storing);
    CHECK_THROWS_AS(agent.receive(answer, Timestamp(), on_reply), Fault);
    CHECK(outbox.unacknowledged().size() == 1);
    CHECK(outbox.place("test") == "1");
  }
  SUBCASE("the power went after") {
    outbox.fail_next(MemoryOutbox::Trouble::throws_after_storing);
    CHECK_THROWS_AS(agent.receive(answer, Timestamp(), on_reply), Fault);
    CHECK(outbox.unacknowledged().empty());
    CHECK(outbox.place("test") == "answered");
  }
  SUBCASE("a play that no answer moves stays where it is") {
    agent.receive(answer, Timestamp());
    CHECK(outbox.place("test") == "1");
  }
}

TEST_CASE("memory outbox: faults before and after storing") {
  MemoryOutbox outbox;
  outbox.fail_next(MemoryOutbox::Trouble::throws_before_storing);
  CHECK_THROWS_AS(outbox.append(messages(1, 1), {"script/a", "1"}), Fault);
  CHECK(outbox.last_number() == MessageNumber(0));
  outbox.fail_next(MemoryOutbox::Trouble::throws_after_storing);
  CHECK_THROWS_AS(outbox.append(messages(1, 1), {"script/a", "1"}), Fault);
  CHECK(outbox.last_number() == MessageNumber(1));
  outbox.append(messages(2, 2), {"script/a", "2"});

  outbox.set_syncing(false);
  outbox.append(messages(3, 3), {"script/a", "3"});
  outbox.lose_unsynced();
  CHECK(outbox.unacknowledged() == messages(1, 2));
  CHECK(outbox.place("script/a") == "2");
  outbox.set_syncing(true);
  outbox.append(messages(3, 3), {"script/a", "3"});
  outbox.lose_unsynced();
  CHECK(outbox.unacknowledged() == messages(1, 3));
}

}  // namespace linkmeter::outbox_contract_test
