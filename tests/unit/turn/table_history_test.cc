// A controller on a restored journal: which tables it keeps waiting, which it asks to repeat
// messages, and which it still does not believe.
#include "controller/turn/table_history.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "controller/integrity/restore_marker.h"
#include "controller/store/journal_reader.h"
#include "meters/rules/decide_restoration.h"
#include "tests/support/controller_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::table_history_test {
namespace {

constexpr Timestamp now = ControllerHouse::now;

struct House : ControllerHouse {
  // With the restore command: the start enters the marker. Each restoration has its own time.
  void restore(const Copy& copy) {
    put_back(copy);
    restored_at_ = restored_at_.after(1'000'000);
    controller().record_restoration({head().entry, head().hash, restored_at_, now}, now);
  }
  void accept() {
    both(waiting_restoration(state())->to_accept());
    REQUIRE_EQ(waiting_restoration(state()), nullptr);
  }
  Welcome welcome(const std::string& table, const Head& witness, std::vector<Head> history = {}) {
    Hello hello{TableId(table), witness};
    hello.history = std::move(history);
    const auto turn = this->turn(table, encode(hello));
    REQUIRE_EQ(turn.replies.size(), 1);
    return std::get<Welcome>(decode_to_table(turn.replies[0].bytes).value());
  }
  [[nodiscard]] Head last_restored() const {
    return find_head(journal(), state().restorations().back().entry).value();
  }

 private:
  Timestamp restored_at_ = now;
};

}  // namespace

TEST_CASE("until a restoration is accepted, no table is welcome and no message is journaled") {
  House house;
  house.say("C4-01", 1);
  const House::Copy backup = house.copy();
  const Head seen = house.say("C4-01", 2).head;
  house.restore(backup);
  const Head waiting = house.head();
  CHECK_EQ(house.welcome("C4-01", seen).refusal, Refusal::history_not_accepted);
  CHECK_EQ(house.welcome("C4-02", {}).refusal, Refusal::history_not_accepted);
  const auto answer = house.say("C4-01", 2);
  REQUIRE_EQ(answer.list.size(), 1);
  CHECK_EQ(answer.list[0].refusal, Refusal::history_not_accepted);
  CHECK_EQ(answer.list[0].entry, EntryNumber());
  const auto beat = house.turn("C4-01", encode(Heartbeat{TableId("C4-01")}));
  CHECK(beat.heard.empty());
  CHECK_EQ(beat.refused.at(0).refusal, Refusal::history_not_accepted);
  CHECK((house.head() == waiting));
}

TEST_CASE(
    "after the acceptance, a table that saw more resends the missing messages; others resend "
    "nothing") {
  House house;
  const Head early = house.say("C4-01", 1).head;
  const House::Copy backup = house.copy();
  const Head end = house.head();
  house.say("C4-01", 2);
  const Head seen = house.say("C4-01", 3).head;
  house.restore(backup);
  house.accept();
  const Welcome again = house.welcome("C4-01", seen);
  CHECK_EQ(again.refusal, Refusal::none);
  CHECK_EQ(again.last_number, MessageNumber(1));
  CHECK((again.again_after == end));
  CHECK((again.history == std::vector{house.last_restored()}));
  CHECK(again.suspended.empty());
  // Each number is taken once, and a repeat gets the same answer.
  const auto taken = house.say("C4-01", 2);
  CHECK_EQ(taken.list.at(0).refusal, Refusal::none);
  CHECK_EQ(house.say("C4-01", 2).list.at(0).entry, taken.list.at(0).entry);
  for (const Head& before : {Head{}, early}) {
    const Welcome welcome = house.welcome("C4-02", before);
    CHECK_EQ(welcome.refusal, Refusal::none);
    CHECK_FALSE(welcome.again_after);
    CHECK((welcome.history == std::vector{house.last_restored()}));
  }
}

TEST_CASE("a table that sends a message before its Hello is asked for the Hello first") {
  House house;
  house.say("C4-01", 1);
  house.restore(house.copy());
  house.accept();
  CHECK_EQ(house.say("C4-01", 2).list.at(0).refusal, Refusal::message_out_of_order);
  CHECK_EQ(house.welcome("C4-01", {}).refusal, Refusal::none);
  CHECK_EQ(house.say("C4-01", 2).list.at(0).refusal, Refusal::none);
}

TEST_CASE("files copied back without the command are detected, also after an earlier restoration") {
  House house;
  const House::Copy backup = house.copy();
  const Head lost = house.say("C4-01", 1).head;
  house.restore(backup);
  house.accept();
  const Welcome followed = house.welcome("C4-01", lost);
  REQUIRE(followed.again_after);
  house.say("C4-01", 1);
  const House::Copy old = house.copy();
  const Head seen = house.say("C4-01", 2).head;
  house.put_back(old);
  const Welcome answer = house.welcome("C4-01", seen, followed.history);
  CHECK_EQ(answer.refusal, Refusal::history_differs);
  CHECK_FALSE(answer.again_after);
  CHECK_NE(house.state().link(LinkIndex(1)).suspended, "");  // C4, the table's own
}

TEST_CASE("files from between two restorations, copied back without the command, are detected") {
  House house;
  const House::Copy backup = house.copy();
  const Head lost = house.say("C4-01", 1).head;
  house.restore(backup);
  house.accept();
  const Welcome first = house.welcome("C4-01", lost);
  house.say("C4-01", 1);
  const House::Copy between = house.copy();
  const Head then = house.say("C4-01", 2).head;
  house.restore(backup);  // so its journal does not know the first restoration
  house.accept();
  const Welcome second = house.welcome("C4-01", then, first.history);
  REQUIRE(second.again_after);
  REQUIRE_EQ(second.history.size(), 1);
  house.say("C4-01", 1);
  house.say("C4-01", 2);
  const Head seen = house.say("C4-01", 3).head;
  house.put_back(between);
  const std::vector<Head> told{first.history[0], second.history[0]};
  const Welcome answer = house.welcome("C4-01", seen, told);
  CHECK_EQ(answer.refusal, Refusal::history_differs);
  CHECK_FALSE(answer.again_after);
}

TEST_CASE("a table that was away during several restorations goes back to the first of them") {
  House house;
  const House::Copy first = house.copy();
  const Head first_end = house.head();
  house.say("C4-01", 1);
  const Head away = house.say("C4-01", 2).head;  // it has not been seen since
  house.say("C4-02", 1);
  house.restore(first);
  house.accept();
  const Head told_first = house.last_restored();
  house.welcome("C4-02", {});
  house.say("C4-02", 1);
  const House::Copy second = house.copy();
  const Head second_end = house.head();
  const Head there = house.say("C4-02", 2).head;
  house.restore(second);
  house.accept();
  const Welcome one = house.welcome("C4-01", away);
  CHECK((one.again_after == first_end));
  CHECK_EQ(one.last_number, MessageNumber(0));
  CHECK((one.history == std::vector{told_first, house.last_restored()}));
  const Welcome two = house.welcome("C4-02", there, {told_first});
  CHECK((two.again_after == second_end));
  CHECK_EQ(two.last_number, MessageNumber(1));
}

TEST_CASE("the same backup restored a second time is another restoration") {
  House house;
  const House::Copy backup = house.copy();
  const Head end = house.head();
  const Head lost = house.say("C4-01", 1).head;
  house.restore(backup);
  house.accept();
  const Welcome first = house.welcome("C4-01", lost);
  house.say("C4-01", 1);
  const Head seen = house.say("C4-01", 2).head;
  house.restore(backup);
  house.accept();
  const Welcome second = house.welcome("C4-01", seen, first.history);
  CHECK((second.again_after == end));
  CHECK_EQ(second.last_number, MessageNumber(0));
  CHECK((second.history != first.history));
}

TEST_CASE("a witness head that contradicts the backup itself is not covered by the acceptance") {
  House house;
  house.say("C4-01", 1);
  house.say("C4-01", 2);
  Head forged = house.head();
  forged.hash[0] ^= 1U;
  house.restore(house.copy());
  house.accept();
  CHECK_EQ(house.welcome("C4-01", forged).refusal, Refusal::history_differs);
}

TEST_CASE("the marker of a restoration is journaled once, and only in its own journal") {
  const ScopedDirectory directory;
  const std::filesystem::path mark = directory.path() / restore_marker_name;
  House house;
  house.say("C4-01", 1);
  const HistoryRestored restored{house.head().entry, house.head().hash, now, now.after(-5)};
  const auto entered = [&] {
    return append_restored(house.controller(), house.journal(), directory.path(), now);
  };
  CHECK_FALSE(entered());
  write_restore_marker(directory.path(), restored);
  CHECK((read_restore_marker(directory.path()) == restored));
  CHECK(entered());
  CHECK_FALSE(std::filesystem::exists(mark));
  REQUIRE_EQ(house.state().restorations().size(), 1);
  CHECK((house.state().restorations()[0].fact == restored));
  // Killed between the entry and the removal.
  const Head head = house.head();
  write_restore_marker(directory.path(), restored);
  CHECK(entered());
  CHECK((house.head() == head));
  CHECK_FALSE(std::filesystem::exists(mark));

  HistoryRestored other = restored;
  other.hash[0] ^= 1U;
  write_restore_marker(directory.path(), other);
  CHECK_THROWS_WITH_AS(entered(), doctest::Contains("it belongs to another journal"), Fault);
  other = restored;
  other.ended_with = EntryNumber(99);
  write_restore_marker(directory.path(), other);
  CHECK_THROWS_WITH_AS(entered(), doctest::Contains("it belongs to another journal"), Fault);
  for (const std::string text : {"", "{}", "[1]", R"({"mark":"linkmeter-restored 1"})"}) {
    std::ofstream(mark, std::ios::trunc) << text;
    CHECK_THROWS_WITH_AS(entered(), doctest::Contains("damaged"), Fault);
  }
  CHECK((house.head() == head));
}

}  // namespace linkmeter::table_history_test
