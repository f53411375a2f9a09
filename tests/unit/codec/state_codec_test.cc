#include "proto/codec/state_codec.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <string>

#include "proto/codec/big_endian.h"
#include "proto/codec/fnv1a.h"
#include "tests/support/busy_floor.h"
#include "tests/support/random_values.h"

namespace linkmeter::state_codec_test {
namespace {

using Busy = BusyFloor;

StateRead read(const Busy& busy, const std::vector<Row>& rows) {
  return read_state(busy.floor.state.last_entry(), rows);
}

}  // namespace

TEST_CASE("the stored rows equal the state after every kind of entry") {
  Busy busy;
  const auto same = [&busy] {
    const StateRead again = read(busy, busy.tables.rows());
    REQUIRE_EQ(again.why, "");
    return *again.state == busy.floor.state;
  };
  CHECK(same());
  // Slips: a void one with its copy, and a paid one.
  busy.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK(same());
  busy.take("F-1", VoidSlip{SlipNumber(1), VoidReason::wrong_source, "till 4"});
  busy.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK(same());
  busy.take("C-1", PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(2)});
  CHECK(same());
  // A corrected hand, with its earlier draw, and its awards.
  ShowHands drawn;
  drawn.round = RoundId("d1");
  drawn.hands = {
      {Seat(2), cards_of({"Ks", "Qs", "Js", "9s", "8s"}), false, Amount(), LineId("flush")}};
  busy.take("C4-03", drawn);
  CHECK(same());
  busy.take("F-1", CorrectHand{TableId("C4-03"), RoundId("d1"), Seat(2),
                               cards_of({"Ks", "Qs", "Js", "Ts", "9s"}), false,
                               HandReason::misread_card, "till 4"});
  CHECK(same());
  busy.take(
      "F-1",
      CorrectHand{TableId("C4-03"), RoundId("d1"), Seat(2), {}, false, HandReason::wrong_seat, ""});
  CHECK(same());
  busy.take("C4-02", ResolveCount{RoundId("r3"), {five_card(4)}, Badge("F-1")});
  CHECK(same());
}

TEST_CASE("the stored rows equal the state after the ring buffers have wrapped") {
  Busy busy;
  for (std::uint64_t number = 0; number < limits::answers_remembered + 10; ++number) {
    busy.take(
        "P-01",
        PlayPot{
            RoundId("p" + std::to_string(number)), Amount::dollars(30), {}, false, {}, Badge()});
  }
  const StateRead again = read(busy, busy.tables.rows());
  REQUIRE_EQ(again.why, "");
  CHECK((*again.state == busy.floor.state));
}

// The size of a commit's writes does not grow with the state. A ring writes one row for many
// messages; a round that begins and ends in the commit writes none.
TEST_CASE("many entries may be written in one commit and change few rows") {
  Busy busy;
  for (int round = 0; round < 300; ++round) {
    const std::string id = "m" + std::to_string(round);
    busy.floor.take("C4-02", lock_of(id, {five_card(1)}));
    busy.floor.take("C4-02", CloseRound{RoundId(id), Badge()});
  }
  const std::vector<Row> rows = rows_for(busy.floor.state, busy.floor.state.take_changes());
  const auto count_of = [&rows](const std::string& kind) {
    return std::count_if(rows.begin(), rows.end(),
                         [&kind](const Row& row) { return row.key.starts_with(kind); });
  };
  CHECK_LE(count_of("answers/"), 600 / limits::answers_per_row + 1);
  CHECK_LE(count_of("ended/"), 300 / limits::ended_per_row + 1);
  CHECK_EQ(count_of("round/"), 0);
  busy.tables.write(rows);
  const StateRead again = read(busy, busy.tables.rows());
  REQUIRE_EQ(again.why, "");
  CHECK((*again.state == busy.floor.state));
}

TEST_CASE("a damaged, moved or cut row is detected") {
  const Busy busy;
  const std::vector<Row> rows = busy.tables.rows();
  for (std::size_t index = 0; index < rows.size(); ++index) {
    CAPTURE(rows[index].key);
    std::vector<Row> changed = rows;
    std::string& value = changed[index].value.value();
    for (std::size_t at = 0; at < value.size(); ++at) {
      for (const unsigned bit : {1U, 128U}) {
        const char kept = value[at];
        value[at] = static_cast<char>(static_cast<unsigned char>(kept) ^ bit);
        REQUIRE_FALSE(read(busy, changed).state.has_value());
        value[at] = kept;
      }
    }
    for (std::size_t size = 0; size < rows[index].value->size(); ++size) {
      value = rows[index].value->substr(0, size);
      REQUIRE_FALSE(read(busy, changed).state.has_value());
    }
    changed = rows;
    std::swap(changed[index].value, changed[(index + 1) % rows.size()].value);
    const StateRead moved = read(busy, changed);
    REQUIRE_FALSE(moved.state.has_value());
    CHECK_NE(moved.why.find("damaged"), std::string::npos);
  }
}

TEST_CASE("state tables without the floor, a link or a claim are incomplete") {
  const Busy busy;
  for (const std::string kind : {"floor", "link/"}) {
    CAPTURE(kind);
    std::vector<Row> rows = busy.tables.rows();
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&kind](const Row& row) { return row.key.starts_with(kind); });
    REQUIRE(found != rows.end());
    rows.erase(found);
    const StateRead again = read(busy, rows);
    CHECK_FALSE(again.state.has_value());
    CHECK_NE(again.why.find("not complete"), std::string::npos);
  }
  CHECK_FALSE(read_state(EntryNumber(1), {}).state.has_value());
}

TEST_CASE("rows of random bytes are refused") {
  const Busy busy;
  RandomValues random(21);
  for (int round = 0; round < 5'000; ++round) {
    std::vector<Row> rows = busy.tables.rows();
    Row& row = rows[random.below(rows.size())];
    row.key = random.coin() ? row.key.substr(0, random.below(row.key.size())) : random.bytes(9);
    row.value = random.coin() ? row.value : std::optional(random.bytes(random.below(40)));
    REQUIRE_FALSE(read(busy, rows).state.has_value());
  }
}

TEST_CASE("rows of another release are refused but not reported as damage") {
  const Busy busy;
  std::vector<Row> rows = busy.tables.rows();
  const auto floor =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.key == "floor"; });
  REQUIRE(floor != rows.end());
  // The previous version, with its correct checksum.
  std::string content = floor->value->substr(8);
  REQUIRE_EQ(content.substr(0, 2), "\x08\x0a");
  content[1] = '\x09';
  floor->value = big_endian(Fnv1a().add("floor").add("=").add(content).value(), 8) + content;
  CHECK(read(busy, rows).is_other_version);
  CHECK_EQ(read(busy, rows).why, "the state is of version 9, and this release keeps 10");
}

}  // namespace linkmeter::state_codec_test
