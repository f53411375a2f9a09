// How many rounds a table may begin, and how many other messages it may send: at once, and later,
// by recorded time.
#include "meters/state/pace.h"

#include <doctest/doctest.h>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "meters/values/limits.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::pace_test {
namespace {

constexpr std::int64_t second_us = 1'000'000, hour_us = 3'600 * second_us;

// Ten rounds an hour at C4-01, so 80 at once.
struct House : MixedFloor {
  Timestamp now = Timestamp::from_microseconds(4'000'000);
  std::uint64_t rounds = 0;

  House() {
    file = std::get<FloorFile>(parse_with_catalogue(with_pace(10)));
    opening = open_floor(FloorOpened{file.floor, file.text, file.catalogue_texts, standard_staff(),
                                     keys_of(file.floor)},
                         Timestamp::from_microseconds(1'000'000));
    state = State();
    state.apply(opening);
  }
  static std::string with_pace(int pace) {
    const std::string table = "id = \"C4-01\"\n";
    std::string text = mixed_floor_text;
    return text.insert(text.find(table) + table.size(), "pace = " + std::to_string(pace) + "\n");
  }
  [[nodiscard]] Decision lock() const {
    const std::string round = "r" + std::to_string(rounds + 1);
    return decide(state, file.rules, message("C4-01", lock_of(round, {five_card(1)})), now);
  }
  // Locks and closes a round; false: it exceeds the pace.
  bool plays() {
    const Decision decision = lock();
    if (const auto* refusal = std::get_if<Refusal>(&decision)) {
      CHECK_EQ(name(*refusal), "pace_exceeded");
      return false;
    }
    state.apply(std::get<Entry>(decision));
    ++rounds;
    const CloseRound close{RoundId("r" + std::to_string(rounds)), Badge()};
    state.apply(
        std::get<Entry>(decide(state, file.rules, message("C4-01", TableCommand(close)), now)));
    return true;
  }
  std::uint64_t plays_on() {
    std::uint64_t count = 0;
    while (plays()) ++count;
    return count;
  }
  // Whether the message of C4-01 becomes an entry. If so, it is applied.
  bool says(const TableCommand& command) {
    const Decision decision = decide(state, file.rules, message("C4-01", command), now);
    if (const auto* refusal = std::get_if<Refusal>(&decision)) {
      CHECK_EQ(name(*refusal), "pace_exceeded");
      return false;
    }
    state.apply(std::get<Entry>(decision));
    return true;
  }
  std::uint64_t says_on(const TableCommand& command) {
    std::uint64_t count = 0;
    while (says(command)) ++count;
    return count;
  }
  [[nodiscard]] Refusal last_answer() const {
    const TableSession& session = state.session(TableIndex(1));
    return session.find_answer(session.last_number())->refusal;
  }
};

const TableCommand unknown_close = CloseRound{RoundId("no such round"), Badge()};

ShowHands empty_show(const std::string& round) {
  ShowHands show;
  show.round = RoundId(round);
  return show;
}

}  // namespace

TEST_CASE(
    "a table may begin as many rounds at once as in one shift; the next is refused without an "
    "entry") {
  House house;
  CHECK_EQ(house.plays_on(), 80);
  const EntryNumber last = house.state.last_entry();
  const MessageNumber number = house.state.session(TableIndex(1)).last_number();
  CHECK_FALSE(house.plays());
  CHECK_EQ(house.state.last_entry(), last);
  CHECK_EQ(house.state.session(TableIndex(1)).last_number(), number);
}

// Two managers confirm a clock that was a month ahead: recorded time goes back with it.
TEST_CASE("a table continues when the time was set back") {
  House house;
  const Timestamp before = house.now;
  house.now = house.now.after(30 * 24 * hour_us);
  REQUIRE(house.plays());
  house.now = before;
  CHECK_EQ(house.plays_on(), 80);
}

TEST_CASE("after that, one round each time that the pace allows one, under the same number") {
  House house;
  house.plays_on();
  house.now = house.now.after(hour_us / 10 - 1);
  CHECK_FALSE(house.plays());
  house.now = house.now.after(1);
  CHECK(house.plays());
  CHECK_FALSE(house.plays());
  house.now = house.now.after(hour_us);
  CHECK_EQ(house.plays_on(), 10);
  // However long nobody plays, at most one shift's rounds are saved up.
  house.now = house.now.after(1'000 * hour_us);
  CHECK_EQ(house.plays_on(), 80);
}

TEST_CASE("messages of an open round are accepted, and other tables continue") {
  House house;
  for (int count = 0; count < 79; ++count) house.plays();
  house.state.apply(std::get<Entry>(house.lock()));  // the 80th, open
  ++house.rounds;
  CHECK(std::holds_alternative<Refusal>(house.lock()));
  CHECK_EQ(name(house.refusal("C4-01", royal_flush_of("r80", 1))), "none");
  CHECK_EQ(name(house.refusal("C4-02", lock_of("r1", {five_card(1)}))), "none");
}

TEST_CASE("a refused lock and a repeat do not use up the pace; a wrong count does") {
  House house;
  const Timestamp before = house.state.session(TableIndex(1)).paced_until();
  house.take("C4-01", lock_of("r1", {five_card(77)}));
  CHECK_EQ(house.state.session(TableIndex(1)).paced_until(), before);
  CHECK_GT(house.state.session(TableIndex(1)).refusals_paced_until(), before);
  LockRound miscounted = lock_of("r1", {five_card(1)});
  miscounted.chips = 7;
  house.take("C4-01", miscounted);
  CHECK_GT(house.state.session(TableIndex(1)).paced_until(), before);
  // A repeat is answered at any pace.
  house.plays_on();
  TableMessage again = house.message("C4-01", lock_of("r80", {five_card(1)}));
  again.number = MessageNumber(2);
  again.digest[0] = 2;
  CHECK(std::holds_alternative<Answer>(decide(house.state, house.file.rules, again, house.now)));
}

// Ten rounds an hour are 80 in a shift, with 24 refused messages for each: 1,920. After that, one
// every 15 s.
TEST_CASE("refused messages have their own pace; the next one is refused without an entry") {
  House house;
  CHECK_EQ(house.says_on(unknown_close), 1'920);
  const EntryNumber last = house.state.last_entry();
  const MessageNumber number = house.state.session(TableIndex(1)).last_number();
  CHECK_FALSE(house.says(unknown_close));
  CHECK_EQ(house.state.last_entry(), last);
  CHECK_EQ(house.state.session(TableIndex(1)).last_number(), number);
  // A refused lock counts as a refused message. A valid one, and another table's message, is taken.
  CHECK_FALSE(house.says(lock_of("r1", {five_card(77)})));
  CHECK(house.says(lock_of("r1", {five_card(1)})));
  CHECK_EQ(house.state.session(TableIndex(1)).last_number(), number.next());
  CHECK_EQ(name(house.refusal("C4-02", unknown_close)), "round_unknown");
  house.now = house.now.after(15 * second_us - 1);
  CHECK_FALSE(house.says(unknown_close));
  house.now = house.now.after(1);
  CHECK(house.says(unknown_close));
  CHECK_FALSE(house.says(unknown_close));
  house.now = house.now.after(hour_us);
  CHECK_EQ(house.says_on(unknown_close), 240);
}

TEST_CASE("after a flood, shows are still accepted, and a frozen table ends its open rounds") {
  House house;
  for (const char* round : {"r1", "r2", "r3"}) house.says(lock_of(round, {five_card(1)}));
  LockRound miscounted = lock_of("r4", {five_card(1)});
  miscounted.chips = 7;
  house.says(miscounted);
  house.take("TGM-1", FreezeTable{TableId("C4-01"), "its key is stolen"});
  CHECK_EQ(house.says_on(lock_of("r5", {five_card(1)})), 1'920);
  CHECK_EQ(house.last_answer(), Refusal::table_frozen);
  CHECK(house.says(royal_flush_of("r1", 1)));
  CHECK_EQ(house.last_answer(), Refusal::none);
  CHECK(house.says(CloseRound{RoundId("r1"), Badge()}));
  // Empty shows are entries too, and have the same limit.
  CHECK_EQ(house.says_on(empty_show("r2")), 1'919);
  CHECK_FALSE(house.says(royal_flush_of("r2", 1)));
  const ResolveCount resolve{
      RoundId("r4"), {{Seat(1), WagerId("crazy-4/five-card"), Amount::dollars(5)}}, Badge("F-1")};
  CHECK(house.says(resolve));
  CHECK_EQ(house.last_answer(), Refusal::none);
  CHECK(house.says(VoidRound{RoundId("r2"), "a flood", Badge(), Seat(1)}));
  CHECK(house.says(VoidRound{RoundId("r2"), "a flood", Badge()}));
  CHECK(house.says(CloseRound{RoundId("r3"), Badge()}));
  CHECK(house.says(CloseRound{RoundId("r4"), Badge()}));
  CHECK_EQ(house.last_answer(), Refusal::none);
  CHECK(house.state.session(TableIndex(1)).rounds().empty());
}

// What an outbox collected in a shift arrives at once. Each of six seats shows alone, then the
// dealer.
TEST_CASE("the outbox of a shift is accepted at once, with as many shows as a round can have") {
  House house;
  std::vector<AskedWager> six;
  for (std::uint8_t seat = 1; seat <= 6; ++seat) six.push_back(five_card(seat));
  for (int number = 1; number <= 80; ++number) {
    const std::string round = "r" + std::to_string(number);
    REQUIRE(house.says(lock_of(round, six)));
    for (std::uint8_t seat = 1; seat <= 6; ++seat) {
      ShowHands show = empty_show(round);
      show.hands = {{Seat(seat), {}, true, Amount()}};
      REQUIRE(house.says(show));
      REQUIRE_EQ(house.last_answer(), Refusal::none);
    }
    for (int more = 0; more < 18; ++more) REQUIRE(house.says(empty_show(round)));
    REQUIRE(house.says(CloseRound{RoundId(round), Badge()}));
  }
  CHECK_FALSE(house.says(lock_of("r81", six)));
}

// A shift of rounds on a suspended link: 22 refused messages for each round.
TEST_CASE("the outbox of a shift is accepted at once, even if all of it is refused") {
  House house;
  house.take("TGM-1", SuspendLink{LinkId("C4"), "its sign is dark"});
  for (int number = 1; number <= 80; ++number) {
    const std::string round = "r" + std::to_string(number);
    REQUIRE(house.says(lock_of(round, {five_card(1)})));
    CHECK_EQ(house.last_answer(), Refusal::link_suspended);
    for (int more = 0; more < 20; ++more) REQUIRE(house.says(empty_show(round)));
    REQUIRE(house.says(CloseRound{RoundId(round), Badge()}));
    CHECK_EQ(house.last_answer(), Refusal::round_unknown);
  }
}

TEST_CASE("refused messages never exceed the pace, however they are spread over time") {
  House house;
  const Timestamp begin = house.now;
  std::uint64_t taken = 0, step = 1;
  while (house.now < begin.after(10 * hour_us)) {
    step = step * 48'271 % 2'147'483'647;  // a fixed pseudo-random sequence
    for (std::uint64_t tries = step % 300; tries > 0 && house.says(unknown_close); --tries) {
      ++taken;
    }
    house.now = house.now.after(static_cast<std::int64_t>(step % 600) * second_us);
    const auto passed = house.now.microseconds() - begin.microseconds();
    REQUIRE_LE(taken, 1'920 + static_cast<std::uint64_t>(passed / (15 * second_us)) + 1);
  }
  CHECK_GT(taken, 1'920 + 9 * 240);
}

TEST_CASE("the used-up pace is in the state tables") {
  House house;
  REQUIRE(house.says(lock_of("shown", {five_card(1)})));
  REQUIRE(house.says(royal_flush_of("shown", 1)));
  CHECK_GT(house.state.session(TableIndex(1)).shows_paced_until(), house.now);
  house.plays_on();
  house.says_on(unknown_close);
  house.take("TGM-1", FreezeTable{TableId("C4-02"), "its shoe is open"});
  const auto rows = rows_of(house.state);
  const StateRead read = read_state(house.state.last_entry(), rows);
  REQUIRE_EQ(read.why, "");
  REQUIRE(read.state.has_value());
  CHECK((*read.state == house.state));
  // The same answer after a restart.
  house.state = *read.state;
  CHECK_FALSE(house.says(unknown_close));
  CHECK_EQ(read.state->session(TableIndex(2)).frozen(), "its shoe is open");
  CHECK_EQ(read.state->session(TableIndex(2)).frozen_by().text(), "TGM-1");
}

TEST_CASE("times at the ends of the range do not overflow") {
  const TableConfig terms;
  TableSession session;
  const Timestamp last = Timestamp::from_microseconds(std::numeric_limits<std::int64_t>::max());
  const Timestamp first = Timestamp::from_microseconds(std::numeric_limits<std::int64_t>::min());
  session.pace(paced_after(terms, session, last));
  CHECK_EQ(session.paced_until(), last);
  CHECK_FALSE(exceeds_pace(terms, session, first));  // the time was set back
  CHECK_FALSE(exceeds_pace(terms, session, last));
  session.pace_refusals(messages_paced_after(terms, session.refusals_paced_until(), last));
  CHECK_EQ(session.refusals_paced_until(), last);
  CHECK_FALSE(exceeds_message_pace(terms, session, MessageRefused{}, first));
  CHECK_FALSE(exceeds_message_pace(terms, session, HandsShown{}, last));
}

// The figures below: rounds an hour that a fast dealer with a shuffler deals to one player.
TEST_CASE(
    "without a pace in the floor file, the game's default is more than twice the dealing speed") {
  const auto file = std::get<FloorFile>(parse_with_catalogue(House::with_pace(10)));
  const std::map<std::string, std::uint32_t> dealt = {
      {"blackjack", 400},   {"three-card-prime", 200}, {"crazy-4", 180},
      {"raise-it-up", 180}, {"pai-gow-poker", 90},     {"poker", 120}};
  std::set<std::string> games;
  for (const TableConfig& table : file.floor.tables) {
    CAPTURE(table.id.text());
    if (table.id == TableId("C4-01")) {
      CHECK_EQ(table.pace, 10);
      continue;
    }
    games.insert(table.game.text());
    CHECK_GT(table.pace, 2 * dealt.at(table.game.text()));
    CHECK_LT(table.pace, limits::pace_default);
  }
  CHECK_EQ(games.size(), dealt.size());
  CHECK_LT(default_pace(GameId("poker")), default_pace(GameId("blackjack")));
  CHECK_EQ(default_pace(GameId("faro")), limits::pace_default);
}

TEST_CASE("a journal without a pace means the game's default; any other pace is in the journal") {
  House house;
  const auto bytes_with = [&house](std::uint32_t pace) {
    Entry entry = house.opening;
    std::get<FloorOpened>(entry.fact).floor.tables[1].pace = pace;
    const std::string bytes = encode(entry);
    const std::optional<Entry> read = decode_entry(bytes);
    REQUIRE(read.has_value());
    CHECK_EQ(std::get<FloorOpened>(read->fact).floor.tables[1].pace, pace);
    return bytes.size();
  };
  const std::size_t without = bytes_with(600);
  CHECK_GT(bytes_with(10), without);
  CHECK_GT(bytes_with(1'200), without);
}

TEST_CASE("a floor file's pace is a number of rounds an hour within its bounds") {
  for (const int wrong : {0, -1, 10'000'001}) {
    CHECK(std::holds_alternative<Violations>(parse_with_catalogue(House::with_pace(wrong))));
  }
}

}  // namespace linkmeter::pace_test
