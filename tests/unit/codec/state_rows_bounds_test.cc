// Rows of a session and of a day at their bounds: the maximum is a valid state, one more is not.
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/state_codec.h"
#include "proto/state.pb.h"
#include "tests/support/busy_floor.h"

namespace linkmeter::state_rows_bounds_test {
namespace {

const std::string incomplete = "the state tables are not complete";
// A table of the busy floor that has sent nothing.
const std::string at_tcp_01 = "/" + big_endian(9, 4);

template <class Message>
Row row_of(const std::string& key, const Message& message) {
  const std::string content = message.SerializeAsString();
  return Row{key, row_checksum(key, content) + content};
}

// The result of reading the busy floor's rows together with these.
std::string why_with(const std::vector<Row>& added) {
  static const BusyFloor busy;
  std::vector<Row> rows = busy.tables.rows();
  rows.insert(rows.end(), added.begin(), added.end());
  const StateRead again = read_state(busy.floor.state.last_entry(), rows);
  return again.state ? "it is a state" : again.why;
}

Row desk_row(std::uint64_t messages, std::uint64_t ended) {
  state::Desk session;
  session.set_last_number(messages);
  session.set_ended_count(ended);
  return row_of("desk" + at_tcp_01, session);
}

// A full part of a ring.
Row answers_row(std::uint64_t part) {
  state::Answers answers;
  for (std::size_t at = 0; at < limits::answers_per_row; ++at) {
    answers.add_numbers(part * limits::answers_per_row + at);
    answers.add_entries(1);
    answers.add_refusals(0);
  }
  answers.set_digests(std::string(limits::answers_per_row * 32, 'd'));
  return row_of("answers" + at_tcp_01 + "/" + big_endian(part, 2), answers);
}

Row ended_row(std::uint64_t part) {
  state::EndedRounds ended;
  for (std::size_t at = 0; at < limits::ended_per_row; ++at) {
    const std::string name = std::to_string(part * limits::ended_per_row + at);
    ended.mutable_ids()->append(1, static_cast<char>(name.size())).append(name);
  }
  return row_of("ended" + at_tcp_01 + "/" + big_endian(part, 2), ended);
}

std::vector<Row> rows_up_to(std::uint64_t parts, const std::function<Row(std::uint64_t)>& make) {
  std::vector<Row> rows;
  for (std::uint64_t part = 0; part < parts; ++part) rows.push_back(make(part));
  return rows;
}

}  // namespace

TEST_CASE("the ring buffer of answers wraps at its size") {
  constexpr std::size_t parts = limits::answers_remembered / limits::answers_per_row;
  std::vector<Row> rows = rows_up_to(parts, answers_row);
  rows.push_back(desk_row(limits::answers_remembered + 7, 0));
  CHECK_EQ(why_with(rows), "it is a state");
  rows.push_back(answers_row(parts));
  CHECK_EQ(why_with(rows), "the state row answers is another release's");
}

TEST_CASE("the ring buffer of ended rounds wraps at its size") {
  constexpr std::size_t parts = limits::ended_rounds_remembered / limits::ended_per_row;
  std::vector<Row> rows = rows_up_to(parts, ended_row);
  rows.push_back(desk_row(0, limits::ended_rounds_remembered + 7));
  CHECK_EQ(why_with(rows), "it is a state");
  rows.push_back(ended_row(parts));
  CHECK_EQ(why_with(rows), "the state row ended is another release's");
}

TEST_CASE("the number of open rounds of a table is bounded") {
  std::vector<Row> rows;
  const auto open_another = [&rows] {
    state::Round round;
    round.set_id("r" + std::to_string(rows.size()));
    rows.push_back(row_of("round" + at_tcp_01 + "/" + round.id(), round));
  };
  while (rows.size() < limits::rounds_open_per_table_max) open_another();
  CHECK_EQ(why_with(rows), "it is a state");
  open_another();
  CHECK_EQ(why_with(rows), incomplete);
}

TEST_CASE("the number of facts after a day's end is bounded") {
  state::DayRecord day;
  day.set_day(20'000);
  day.set_report(std::string(32, 'r'));
  for (std::size_t at = 0; at < limits::day_facts_stored_max; ++at) day.add_facts(at);
  const std::string key = "day/" + big_endian(day.day(), 4);
  CHECK_EQ(why_with({row_of(key, day)}), "it is a state");
  day.add_facts(1);
  CHECK_EQ(why_with({row_of(key, day)}), "the state row day is another release's");
}

TEST_CASE("a link's row may name only tables of the floor") {
  const BusyFloor busy;
  std::vector<Row> rows = busy.tables.rows();
  constexpr std::uint32_t no_table = 10;
  const std::string c4 = "link/" + big_endian(1, 4);
  for (Row& row : rows) {
    if (row.key == "floor") {
      state::Floor floor;
      REQUIRE(floor.ParseFromString(row.value->substr(row_checksum_size)));
      floor.mutable_floor()->mutable_links(1)->set_tables(0, no_table);
      row = row_of(row.key, floor);
    } else if (row.key == c4) {
      journal::LinkReading book;
      REQUIRE(book.ParseFromString(row.value->substr(row_checksum_size)));
      book.mutable_tables(0)->set_table(no_table);
      row = row_of(row.key, book);
    }
  }
  CHECK_EQ(read_state(busy.floor.state.last_entry(), rows).why, incomplete);
}

}  // namespace linkmeter::state_rows_bounds_test
