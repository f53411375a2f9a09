#include "meters/state/table_session.h"

#include <doctest/doctest.h>
#include <string>

namespace linkmeter::table_session_test {
namespace {

Answer answer(std::uint64_t number) {
  Answer one;
  one.number = MessageNumber(number);
  one.entry = EntryNumber(10 + number);
  one.digest[0] = static_cast<std::uint8_t>(number);
  return one;
}

Round round(const std::string& id) {
  Round one;
  one.id = RoundId(id);
  return one;
}

RoundId ended_id(std::uint64_t count) { return RoundId("r" + std::to_string(count)); }

}  // namespace

TEST_CASE("a new session has answered nothing, not even number 0") {
  const TableSession session;
  CHECK_EQ(session.last_number(), MessageNumber(0));
  CHECK(session.find_answer(MessageNumber(0)) == nullptr);
  CHECK(session.find_answer(MessageNumber(1)) == nullptr);
  CHECK(session.find_round(RoundId("")) == nullptr);
  CHECK_FALSE(session.has_ended(RoundId("")));
}

TEST_CASE("exactly the latest answers up to the limit are remembered") {
  TableSession session;
  const std::uint64_t last = 3 * limits::answers_remembered + 17;
  for (std::uint64_t number = 1; number <= last; ++number) {
    session.remember(answer(number));
    REQUIRE_EQ(session.last_number(), MessageNumber(number));
    const std::uint64_t oldest =
        number < limits::answers_remembered ? 1 : number - limits::answers_remembered + 1;
    const Answer* found = session.find_answer(MessageNumber(oldest));
    REQUIRE(found != nullptr);
    REQUIRE((*found == answer(oldest)));
    REQUIRE(session.find_answer(MessageNumber(oldest - 1)) == nullptr);
    REQUIRE(session.find_answer(MessageNumber(number + 1)) == nullptr);
  }
  CHECK_LE(session.answers().size(), limits::answers_remembered);
}

TEST_CASE("open rounds are found and kept in the order of their ids, whenever they opened") {
  TableSession session;
  for (const char* id : {"r2", "r10", "a", "r1"}) session.open_round(round(id));
  REQUIRE_EQ(session.rounds().size(), 4);
  CHECK_EQ(session.rounds()[0].id, RoundId("a"));
  CHECK_EQ(session.rounds()[1].id, RoundId("r1"));
  CHECK_EQ(session.rounds()[2].id, RoundId("r10"));
  CHECK_EQ(session.rounds()[3].id, RoundId("r2"));
  session.round(RoundId("r10")).blocked = true;
  CHECK(session.find_round(RoundId("r10"))->blocked);
  CHECK(session.find_round(RoundId("r11")) == nullptr);
}

TEST_CASE("an ended round is not open, and is remembered for some time") {
  TableSession session;
  const std::uint64_t ended = 2 * limits::ended_rounds_remembered + 5;
  for (std::uint64_t count = 0; count < ended; ++count) {
    session.open_round(round(ended_id(count).text()));
    session.end_round(ended_id(count));
    REQUIRE(session.rounds().empty());
    REQUIRE(session.has_ended(ended_id(count)));
    REQUIRE_EQ(session.ended_count(), count + 1);
  }
  CHECK(session.has_ended(ended_id(ended - limits::ended_rounds_remembered)));
  CHECK_FALSE(session.has_ended(ended_id(ended - limits::ended_rounds_remembered - 1)));
  CHECK_EQ(session.ended().size(), limits::ended_rounds_remembered);
}

TEST_CASE("a pot ends a round that was never open") {
  TableSession session;
  session.end_round(RoundId("h1"));
  CHECK(session.has_ended(RoundId("h1")));
}

TEST_CASE("a session is restored from its stored values") {
  TableSession session;
  for (std::uint64_t number = 1; number <= 5; ++number) session.remember(answer(number));
  session.open_round(round("r7"));
  session.end_round(RoundId("r6"));
  const TableSession again =
      TableSession::restored(session.last_number(), session.answers(), session.rounds(),
                             session.ended(), session.ended_count());
  CHECK((again == session));
}

}  // namespace linkmeter::table_session_test
