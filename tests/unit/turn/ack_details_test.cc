#include "controller/turn/ack_details.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "controller/turn/controller.h"
#include "meters/values/limits.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/keys.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::ack_details_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

InboundMessage message(std::uint64_t number, TableCommand command) {
  TableMessage said;
  said.table = TableId("C4-01");
  said.number = MessageNumber(number);
  said.command = std::move(command);
  return {"C4-01", key_of("C4-01"), encode(said)};
}

std::vector<Acknowledgement> answers_of(const Controller::Turn& turn) {
  std::vector<Acknowledgement> all;
  for (const Reply& reply : turn.replies) {
    CHECK_LE(reply.bytes.size(), limits::message_bytes_max);
    const auto decoded = decode_to_table(reply.bytes);
    REQUIRE(decoded.has_value());
    const auto& list = std::get<Acknowledgements>(*decoded).list;
    all.insert(all.end(), list.begin(), list.end());
  }
  return all;
}

}  // namespace

TEST_CASE("an acknowledgement lists the awards of a show, and a repeat gets the same list") {
  MixedFloor floor;
  MemoryJournal journal;
  journal.commit({encode(floor.opening)}, rows_for(floor.state, floor.state.take_changes()));
  auto read = read_state(journal.head().entry, journal.rows());
  REQUIRE(read.state.has_value());
  Controller controller(journal, floor.file.rules, std::move(*read.state));
  const InboundMessage lock = message(1, lock_of("r1", {five_card(1), five_card(2)}));
  const InboundMessage show = message(2, royal_flush_of("r1", 1));
  CHECK(answers_of(controller.turn({lock}, now)).at(0).awards.empty());

  const Acknowledgement first = answers_of(controller.turn({show}, now)).at(0);
  REQUIRE_EQ(first.refusal, Refusal::none);
  std::vector<AwardNotice> journaled;
  journal.read(first.entry, [&journaled, &floor](const StoredEntry& stored) {
    const Entry entry = decode_entry(stored.bytes).value();
    for (const Award& award : std::get<HandsShown>(entry.fact).awards) {
      const LinkConfig& link = floor.file.floor.link(award.link);
      journaled.push_back({award.seat, award.line, award.amount, award.claim, award.kind,
                           award.holder, link.id,
                           award.level ? link.levels.at(award.level->value()).id : LevelId(),
                           award.on_dealer, award.waits_for});
    }
    return false;
  });
  REQUIRE_GE(journaled.size(), 2);  // the line, and the envy of the other seat
  CHECK((first.awards == journaled));
  CHECK(first.awards.front().claim.has_value());
  CHECK_FALSE(first.awards.front().level.empty());
  CHECK_EQ(first.awards.back().holder, Seat(1));
  CHECK_EQ(first.awards.back().waits_for, first.awards.front().claim);
  CHECK((answers_of(controller.turn({show}, now)).at(0) == first));
  // A repeated lock brings nothing.
  CHECK(answers_of(controller.turn({lock}, now)).at(0).awards.empty());
}

TEST_CASE("acknowledgements are split into frames that fit, in order") {
  const std::string line(limits::name_length_max, 'x');
  const AwardNotice award{Seat(255),
                          LineId(line),
                          limits::lifetime_max,
                          ClaimNumber(UINT64_MAX),
                          AwardKind::lucky_bonus,
                          Seat(255),
                          LinkId(line),
                          LevelId(line)};
  Acknowledgements all;
  all.head.entry = EntryNumber(7);
  for (std::uint64_t number = 1; number <= 2'000; ++number) {
    Acknowledgement one{MessageNumber(number), EntryNumber(UINT64_MAX), Refusal::none, UINT64_MAX};
    if (number % 3 == 0) one.awards.assign(number % reported_awards_max, award);
    if (number % 500 == 0) one.awards.assign(reported_awards_max, award);
    all.list.push_back(std::move(one));
  }
  Acknowledgements joined;
  for (const std::string& frame : frames_of(all)) {
    const auto decoded = decode_to_table(frame);  // refuses a frame that is too long
    REQUIRE(decoded.has_value());
    const auto& part = std::get<Acknowledgements>(*decoded);
    CHECK((part.head == all.head));
    CHECK_FALSE(part.list.empty());
    joined.list.insert(joined.list.end(), part.list.begin(), part.list.end());
  }
  CHECK((joined.list == all.list));
}

TEST_CASE("if a frame cannot hold all awards, it has the first ones") {
  HandsShown shown;
  for (int count = 0; count < 300; ++count) {
    Award award;
    award.amount = Amount::cents(count);
    shown.awards.push_back(award);
  }
  Entry entry;
  entry.fact = shown;
  Acknowledgement told;
  Floor floor;
  floor.links.emplace_back();
  add_details(entry, floor, told);
  REQUIRE_EQ(told.awards.size(), reported_awards_max);
  CHECK_EQ(told.awards.back().amount, Amount::cents(reported_awards_max - 1));
}

}  // namespace linkmeter::ack_details_test
