// What a running controller does when memory and disk differ, and how it suspends links by itself.
#include "controller/integrity/balance_check.h"

#include <doctest/doctest.h>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "controller/store/audit.h"
#include "controller/turn/controller.h"
#include "meters/rules/laws.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::balance_check_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);
constexpr LinkIndex link(1);  // C4

State with_book(const State& state, LinkIndex place, const LinkBalances& book) {
  std::vector<LinkBalances> books;
  std::vector<TableSession> sessions;
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    books.push_back(LinkIndex(at) == place ? book : state.link(LinkIndex(at)));
  }
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    sessions.push_back(state.session(TableIndex(at)));
  }
  return State::restored(state.last_entry(), state.floor(), books, sessions, state.claims(),
                         {state.people(), state.proposals(), state.last_proposal(),
                          state.enrolments(), state.recovery()},
                         state.configuration(), state.slips());
}

std::vector<Row> row_of(const State& state, LinkIndex place) {
  Changes changes;
  changes.links.insert(place);
  return rows_for(state, changes);
}

// A journal with a won claim on C4, and a controller whose memory a test can change.
class House {
 public:
  House() {
    commit(floor_.opening);
    commit(floor_.take("C4-01", lock_of("r1", {five_card(2)})));
    commit(floor_.take("C4-01", royal_flush_of("r1", 2)));
    right_ = floor_.state;
  }
  [[nodiscard]] const State& right() const { return right_; }
  MemoryJournal& journal() { return journal_; }
  Controller& start(const State& memory) {
    return controller_.emplace(journal_, floor_.file.rules, memory);
  }
  // The fact of the last entry.
  [[nodiscard]] Fact last() const {
    std::optional<Entry> entry;
    journal_.read(journal_.head().entry, [&](const StoredEntry& stored) {
      entry = decode_entry(stored.bytes);
      return false;
    });
    return entry.value().fact;
  }
  // One cent too much on a meter of C4.
  [[nodiscard]] LinkBalances unbalanced() const {
    LinkBalances book = right_.link(link);
    book.levels[0].pool.held += Amount::cents(1);
    return book;
  }
  // Valid by every law, but not the right one.
  [[nodiscard]] LinkBalances lawful_but_other() const {
    LinkBalances book = right_.link(link);
    book.levels[0].hits += 1;
    return book;
  }

 private:
  void commit(const Entry& entry) {
    journal_.commit({encode(entry)}, rows_for(floor_.state, floor_.state.take_changes()));
  }

  MixedFloor floor_;
  MemoryJournal journal_;
  State right_;
  std::optional<Controller> controller_;
};

bool says(const std::optional<std::string>& wrong, const std::string& part) {
  return wrong && wrong->find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("if memory and disk agree, nothing is changed") {
  House house;
  for (std::uint32_t at = 0; at < house.right().floor().links.size(); ++at) {
    CHECK_FALSE(mismatch(house.right(), house.journal(), LinkIndex(at)));
  }
}

TEST_CASE("the rows of the whole state equal the rows written by its changes") {
  House house;
  const std::vector<Row> all = rows_of(house.right()), stored = house.journal().rows();
  REQUIRE_EQ(all.size(), stored.size());
  for (std::size_t at = 0; at < all.size(); ++at) CHECK_EQ(all[at].key, stored[at].key);
  CHECK(all == stored);
  CHECK(rows_to_mend(house.journal().rows(), rows_of(house.right())).empty());
}

TEST_CASE("a repair writes changed and missing rows, erases others, and nothing more") {
  const std::vector<Row> right{{"a", "1"}, {"c", "3"}, {"d", "4"}};
  const std::vector<Row> stored{{"a", "1"}, {"b", "2"}, {"c", "x"}, {"e", "5"}};
  const std::vector<Row> wanted{{"b", {}}, {"c", "3"}, {"d", "4"}, {"e", {}}};
  CHECK(rows_to_mend(stored, right) == wanted);
  CHECK(rows_to_mend({}, right) == right);
}

TEST_CASE("every kind of difference is named") {
  House house;
  const auto found = [&](const LinkBalances& memory) {
    return mismatch(with_book(house.right(), link, memory), house.journal(), link);
  };
  CHECK(says(found(house.unbalanced()), "M14"));
  CHECK(says(found(house.lawful_but_other()), "memory and disk differ"));
  LinkBalances moved = house.right().link(link);  // balanced, but without a claim
  moved.levels[0].pool.pending += Amount::cents(1);
  moved.levels[0].pool.held -= Amount::cents(1);
  CHECK(says(found(moved), "open claims"));

  LinkBalances flipped = house.right().link(link);  // a sum of it overflows
  flipped.levels[0].pool.held = Amount::from_units(std::numeric_limits<std::int64_t>::max());
  flipped.handle_before = Amount::from_units(std::numeric_limits<std::int64_t>::min());
  CHECK(says(found(flipped), "memory breaks a law of money: broken law:"));

  std::vector<Row> rows = row_of(house.right(), link);
  rows[0].value->back() ^= 1;
  house.journal().commit({}, rows);
  CHECK(says(mismatch(house.right(), house.journal(), link), "damaged"));
  rows[0].value = std::nullopt;
  house.journal().commit({}, rows);
  CHECK(says(mismatch(house.right(), house.journal(), link), "missing"));
}

TEST_CASE("memory that breaks a law is rebuilt from the entries, and the link is suspended") {
  House house;
  Controller& controller = house.start(with_book(house.right(), link, house.unbalanced()));
  const Controller::Turn turn = controller.recover(link, "memory breaks M14", now);
  CHECK(turn.changed.contains(link));
  LinkBalances wanted = house.right().link(link);
  wanted.suspended = "memory breaks M14";
  CHECK(controller.state().link(link) == wanted);
  CHECK(house.last() == Fact(LinkSuspended{link, "memory breaks M14", Badge()}));
  CHECK(audit(house.journal()).is_clean());
}

TEST_CASE("wrong memory that keeps the laws is rebuilt from the entries, too") {
  House house;
  Controller& controller = house.start(with_book(house.right(), link, house.lawful_but_other()));
  static_cast<void>(controller.recover(link, "memory differs", now));
  LinkBalances wanted = house.right().link(link);
  wanted.suspended = "memory differs";
  CHECK(controller.state().link(link) == wanted);
  CHECK(audit(house.journal()).is_clean());
}

TEST_CASE("wrong rows are rebuilt from the entries, also for a suspended link") {
  House house;
  Controller& controller = house.start(house.right());
  house.journal().commit({},
                         row_of(with_book(house.right(), link, house.lawful_but_other()), link));
  REQUIRE_FALSE(audit(house.journal()).is_clean());
  static_cast<void>(controller.recover(link, "the disk differs", now));
  CHECK(controller.state().link(link).suspended == "the disk differs");
  CHECK(audit(house.journal()).is_clean());

  LinkBalances other = controller.state().link(link);
  other.levels[0].hits += 1;
  house.journal().commit({}, row_of(with_book(controller.state(), link, other), link));
  REQUIRE_FALSE(audit(house.journal()).is_clean());
  // The person who resumes the link reads about both, each once.
  static_cast<void>(controller.recover(link, "again", now));
  CHECK(controller.state().link(link).suspended == "the disk differs; again");
  CHECK(audit(house.journal()).is_clean());
  const Head head = house.journal().head();
  static_cast<void>(controller.recover(link, "again", now));
  CHECK(house.journal().head() == head);
}

TEST_CASE("if memory and disk both break a law, the entries decide") {
  House house;
  const State wrong = with_book(house.right(), link, house.unbalanced());
  Controller& controller = house.start(wrong);
  house.journal().commit({}, row_of(wrong, link));
  static_cast<void>(controller.recover(link, "wrong", now));
  CHECK(controller.state().link(link).levels == house.right().link(link).levels);
  CHECK(audit(house.journal()).is_clean());
}

TEST_CASE("if the journal is damaged, too, the process ends and nothing is written") {
  House house;
  const State wrong = with_book(house.right(), link, house.unbalanced());
  Controller& controller = house.start(wrong);
  house.journal().commit({"no entry"}, {});
  const Head head = house.journal().head();
  CHECK_THROWS_AS(static_cast<void>(controller.recover(link, "wrong", now)), Fault);
  CHECK(house.journal().head() == head);
}

TEST_CASE("links that suspend themselves: one entry each, one commit, and the first reason stays") {
  House house;
  Controller& controller = house.start(house.right());
  const LinkIndex other(0);
  const Controller::Turn turn =
      controller.suspend({{link, "the disk is full"}, {other, "the disk is full"}}, now);
  CHECK(turn.changed == std::set<LinkIndex>{other, link});
  CHECK(house.journal().head().entry == EntryNumber(5));
  const Controller::Turn again = controller.suspend({{link, "the map is full"}}, now);
  CHECK(again.changed.empty());
  CHECK(house.journal().head().entry == EntryNumber(5));
  CHECK(controller.state().link(link).suspended == "the disk is full");
  CHECK(audit(house.journal()).is_clean());
}

TEST_CASE("a failed commit of a suspension ends the process") {
  House house;
  Controller& controller = house.start(house.right());
  house.journal().fail_next_commit();
  CHECK_THROWS_AS(static_cast<void>(controller.suspend({{link, "full"}}, now)), Fault);
}

TEST_CASE("a clock that was set is an entry") {
  House house;
  Controller& controller = house.start(house.right());
  controller.record_clock_change(std::chrono::microseconds(-3'600'000'000), now);
  CHECK(house.last() == Fact(ClockChanged{-3'600'000'000}));
  CHECK(audit(house.journal()).is_clean());
}

TEST_CASE("each round checks every link once, one at a time") {
  using std::chrono::microseconds;
  BalanceCheck recount(microseconds(60'000'000));
  std::vector<LinkIndex> counted;
  for (std::int64_t at = 0; at < 60'000'000; at += 100'000) {
    if (const auto due = recount.due(microseconds(at), 15)) {
      counted.push_back(*due);
      CHECK_FALSE(recount.due(microseconds(at), 15));
    }
  }
  REQUIRE(counted.size() == 14);  // the fifteenth is due at second 60
  for (std::uint32_t at = 0; at < counted.size(); ++at) CHECK(counted[at] == LinkIndex(at));
  CHECK(recount.due(microseconds(60'000'000), 15) == LinkIndex(14));
  CHECK(recount.due(microseconds(64'000'000), 15) == LinkIndex(0));
  CHECK_FALSE(recount.due(microseconds(99'000'000), 0));
}

}  // namespace linkmeter::balance_check_test
