#include "controller/auth/authenticator.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <deque>
#include <string>
#include <vector>

#include "controller/auth/panel_logins.h"
#include "controller/auth/pin.h"
#include "controller/turn/table_status.h"
#include "controller/turn/unmarked_people.h"
#include "meters/rules/decide.h"
#include "proto/codec/wire_codec.h"
#include "tests/support/failing_digests.h"
#include "tests/support/one_table_house.h"
#include "tests/support/staff.h"

namespace linkmeter::authenticator_test {
namespace {

constexpr Timestamp at_start = Timestamp::from_microseconds(2);

struct Crowd final : PinRequestSource {
  explicit Crowd(std::deque<PinRequest> asked) : waiting(std::move(asked)) {}
  std::optional<PinRequest> next() override {
    if (waiting.empty()) return std::nullopt;
    PinRequest first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  }
  [[nodiscard]] bool is_waiting() const override { return !waiting.empty(); }
  std::deque<PinRequest> waiting;
};

State house() {
  FloorOpened opened = one_table_floor();
  opened.people = {person_of("F-1", Department::table_games, {Role::floorperson})};
  opened.people[0].pin = hash_pin("1234");
  opened.enrolments = {{EnrolmentKind::table, "T-01", std::string(40, 'k')}};
  State state;
  state.apply(open_floor(opened, Timestamp::from_microseconds(1)));
  return state;
}

PinRequest sign_in(const std::string& peer, const std::string& pin,
                   const std::string& badge = "F-1") {
  PinRequest asked{OperatorRequest{peer, Badge(badge), false, {}}, pin};
  asked.request.signs_in = true;
  return asked;
}

OperatorRequest taken(Authenticator& session, const State& state) {
  while (true) {
    if (auto request = session.take(state, at_start)) return *request;
    REQUIRE(session.is_busy());
    pollfd awaited{session.descriptor(), POLLIN, 0};
    ::poll(&awaited, 1, 20'000);
  }
}

InboundMessage said(const TableSignIn& sign_in, const std::string& key = std::string(40, 'k')) {
  return {"peer", key, encode(sign_in)};
}

}  // namespace

TEST_CASE("a standby takes requests in turns and verifies no PIN that nobody needs") {
  const State state = house();
  Crowd many({sign_in("a1", "1234"), sign_in("a2", "9")});
  Crowd few({sign_in("b1", "1234", "NOBODY")});
  Authenticator session({&many, &few});
  std::vector<std::string> order;
  const auto nobody = [](const OperatorRequest&) { return false; };
  while (const auto request = session.take(state, at_start, nobody)) {
    order.push_back(request->peer);
    CHECK_FALSE(request->is_good);
    CHECK_FALSE(session.is_busy());
  }
  CHECK(order == std::vector<std::string>{"a1", "b1", "a2"});
}

TEST_CASE("sources take turns, and a source's own requests keep their order") {
  const State state = house();
  Crowd many({sign_in("a1", "1234"), sign_in("a2", "9"), sign_in("a3", "1234")});
  Crowd few({sign_in("b1", "1234", "NOBODY")});
  Authenticator session({&many, &few});
  CHECK(session.is_waiting());
  std::vector<std::pair<std::string, bool>> order;
  for (int at = 0; at < 4; ++at) {
    const OperatorRequest request = taken(session, state);
    order.emplace_back(request.peer, request.is_good);
  }
  const std::vector<std::pair<std::string, bool>> expected = {
      {"a1", true}, {"b1", false}, {"a2", false}, {"a3", true}};
  CHECK((order == expected));
  CHECK_FALSE(session.is_waiting());
  CHECK_FALSE(session.take(state, at_start).has_value());
}

TEST_CASE("a second person's PIN is verified only after a right first PIN") {
  const State state = [] {
    FloorOpened opened = one_table_floor();
    opened.people = {person_of("A-1", Department::finance, {Role::accountant}),
                     person_of("F-1", Department::table_games, {Role::floorperson})};
    opened.people[0].pin = hash_pin("1111");
    opened.people[1].pin = hash_pin("2222");
    State made;
    made.apply(open_floor(opened, Timestamp::from_microseconds(1)));
    return made;
  }();
  const auto found = [&](const std::string& pin, const std::string& second,
                         const std::string& witness = "F-1") {
    OperatorRequest request{"x", Badge("A-1"), false, {}};
    request.act = AdjustDisplay{LinkId("POKER"), Amount(), std::nullopt, "", Badge(witness)};
    Crowd crowd({PinRequest{request, pin, "", second}});
    Authenticator session({&crowd});
    const OperatorRequest looked = taken(session, state);
    CHECK_FALSE(session.is_busy());
    const std::string told =
        looked.is_witness_good ? *looked.is_witness_good ? "good" : "wrong" : "not looked at";
    return std::string(looked.is_good ? "good" : "wrong") + ", " + told;
  };
  CHECK_EQ(found("1111", "2222"), "good, good");
  CHECK_EQ(found("1111", "1111"), "good, wrong");
  CHECK_EQ(found("9", "2222"), "wrong, not looked at");
  CHECK_EQ(found("1111", ""), "good, not looked at");
  CHECK_EQ(found("1111", "1111", "A-1"), "good, not looked at");
  CHECK_EQ(found("1111", "2222", "NOBODY"), "good, wrong");
}

TEST_CASE(
    "a PIN whose verification fails is neither right nor wrong, and the next one is verified") {
  const State state = house();
  Crowd crowd({sign_in("a1", "1234"), sign_in("a2", "1234")});
  Authenticator session({&crowd});
  {
    const FailingDigests failing;
    const OperatorRequest failed = taken(session, state);
    CHECK_FALSE(failed.is_good);
    CHECK(failed.unchecked.starts_with("the PIN could not be verified: "));
  }
  const OperatorRequest right = taken(session, state);
  CHECK(right.is_good);
  CHECK_EQ(right.unchecked, "");
}

TEST_CASE("new PIN keys count at once, and judge no PIN that is compared with the old ones") {
  FloorOpened opened = one_table_floor();
  opened.people = {person_of("F-1", Department::table_games, {Role::floorperson}),
                   person_of("F-2", Department::table_games, {Role::floorperson})};
  for (Person& person : opened.people) person.pin = hash_pin("1234", "new key");
  State state;
  state.apply(open_floor(opened, Timestamp::from_microseconds(1)));
  OperatorRequest counted{"a2", Badge("F-1"), false, {}};
  counted.act = AdjustDisplay{LinkId("POKER"), Amount(), std::nullopt, "", Badge("F-2")};
  Crowd crowd({sign_in("a1", "1234"), PinRequest{counted, "1234", "", "1234"}, sign_in("a3", "9"),
               sign_in("a4", "1234")});
  Authenticator session({&crowd}, {"old key"});
  REQUIRE_FALSE(session.take(state, at_start));
  REQUIRE(session.is_busy());
  session.set_keys({"new key"});
  const OperatorRequest outdated = taken(session, state);
  CHECK_FALSE(outdated.is_good);
  CHECK_MESSAGE(outdated.unchecked.find("PIN key was replaced") != std::string::npos,
                outdated.unchecked);
  const OperatorRequest with_witness = taken(session, state);
  CHECK(with_witness.is_good);
  CHECK(with_witness.is_witness_good == true);
  // The same keys again change nothing.
  REQUIRE_FALSE(session.take(state, at_start));
  session.set_keys({"new key"});
  const OperatorRequest wrong = taken(session, state);
  CHECK_FALSE(wrong.is_good);
  CHECK(wrong.unchecked.empty());
  CHECK(taken(session, state).is_good);
}

TEST_CASE("bytes that are not a request are passed on at once, without verifying a PIN") {
  const State state = house();
  Crowd crowd({PinRequest{OperatorRequest{"x", {}, false, {}}, ""}});
  Authenticator session({&crowd});
  const auto request = session.take(state, at_start);
  REQUIRE(request.has_value());
  CHECK_EQ(request->peer, "x");
  CHECK_FALSE(session.is_busy());
}

TEST_CASE("only sign-ins of panels are taken out of the tables' messages") {
  const State state = house();
  PanelLogins panels;
  std::vector<InboundMessage> received = {
      {"peer", std::string(40, 'k'), encode(Heartbeat{TableId("T-01")})},
      said({7, Badge("F-1"), "1234"}),
      said({8, Badge("F-1"), "1234"}, std::string(40, 'x')),  // signed with a key of no table
      {"peer", std::string(40, 'k'), "\x22\xff"}};
  CHECK(panels.take(received, state, {}).empty());
  CHECK_EQ(received.size(), 3);
  const auto asked = panels.next();
  REQUIRE(asked.has_value());
  CHECK_EQ(asked->pin, "1234");
  CHECK_EQ(asked->request.question, 7);
  CHECK(asked->request.signs_in);
  CHECK((asked->request.source == RequestSource::table));
  CHECK_FALSE(panels.next().has_value());
}

TEST_CASE("the number of waiting sign-ins of one table is bounded") {
  const State state = house();
  PanelLogins panels;
  std::vector<InboundMessage> received;
  for (std::uint64_t question = 1; question <= 100; ++question) {
    received.push_back(said({question, Badge("F-" + std::to_string(question)), "1234"}));
  }
  CHECK(panels.take(received, state, {}).empty());
  CHECK(received.empty());
  std::size_t waiting = 0;
  while (panels.next()) ++waiting;
  CHECK_EQ(waiting, PanelLogins::waiting_of_table_max);
}

TEST_CASE("wrong PINs from an untrusted panel delay the person") {
  const State state = house();
  PanelLogins panels;
  std::chrono::microseconds now{};
  const auto ask = [&](bool is_untrusted_origin) {
    std::vector<InboundMessage> received = {said({7, Badge("F-1"), "9", is_untrusted_origin})};
    return panels.take(received, state, now);
  };
  for (int at = 0; at < 3; ++at) {
    CHECK(ask(true).empty());
    const auto asked = panels.next();
    REQUIRE(asked.has_value());
    CHECK_FALSE(asked->request.counts);
    Controller::SocketReply wrong{RequestSource::table, "peer", 7, Badge("F-1"), {}};
    wrong.reply.refusal = Refusal::pin_wrong;
    CHECK_EQ(panels.answer(wrong, state, now).peer, "peer");
  }
  const auto replies = ask(true);
  REQUIRE_EQ(replies.size(), 1);
  const auto told = std::get<TableSignedIn>(decode_to_table(replies[0].bytes).value());
  CHECK_EQ(told.question, 7);
  CHECK_EQ(told.wait_s, 60);
  CHECK_FALSE(panels.next().has_value());
  now = std::chrono::seconds(60);
  CHECK(ask(true).empty());
  CHECK(panels.next().has_value());
}

TEST_CASE("wrong PINs count only at a table from which the person's right PIN came") {
  const State state = house();
  PanelLogins panels;
  std::chrono::microseconds now{};
  const auto counts = [&](Refusal becomes) {
    // An agent's claim that its origin is a trusted one is ignored.
    std::vector<InboundMessage> received = {said({7, Badge("F-1"), "9"})};
    if (!panels.take(received, state, now).empty()) return std::string("waits");
    const auto asked = panels.next();
    REQUIRE(asked.has_value());
    Controller::SocketReply told{RequestSource::table, "peer", 7, Badge("F-1"), {}};
    told.reply.refusal = becomes;
    CHECK_EQ(panels.answer(told, state, now).peer, "peer");
    return std::string(asked->request.counts ? "counts" : "does not count");
  };
  // A thief of the table's key locks nobody who was never at the table.
  for (int at = 0; at < 3; ++at) CHECK_EQ(counts(Refusal::pin_wrong), "does not count");
  CHECK_EQ(counts(Refusal::pin_wrong), "waits");
  now = std::chrono::seconds(60);
  CHECK_EQ(counts(Refusal::none), "does not count");
  for (int at = 0; at < 5; ++at) CHECK_EQ(counts(Refusal::pin_wrong), "counts");
  now += LoginThrottle::trusted_for;
  CHECK_EQ(counts(Refusal::pin_wrong), "does not count");
}

TEST_CASE("a locked person's PIN is not verified over HTTP, even if it is right") {
  State state = house();
  for (std::uint64_t entry = 2; entry <= 6; ++entry) {
    state.apply({EntryNumber(entry),
                 Timestamp::from_microseconds(1),
                 std::nullopt,
                 SignInFailed{Badge("F-1"), std::nullopt},
                 {}});
  }
  const auto is_good = [&state](RequestSource source) {
    Crowd crowd({sign_in("a", "1234")});
    crowd.waiting.front().request.source = source;
    Authenticator session({&crowd});
    return taken(session, state).is_good;
  };
  CHECK(is_good(RequestSource::control));
  CHECK_FALSE(is_good(RequestSource::web));
  CHECK_FALSE(is_good(RequestSource::table));
  CHECK_FALSE(is_good(RequestSource::staff));
}

TEST_CASE("a table learns whose login at its panel has ended") {
  State state = house();
  const std::uint64_t mark = pin_mark(state.find_person(Badge("F-1"))->pin);
  const PanelPerson same{Badge("F-1"), {"floorperson"}, mark};
  const PanelPerson other{Badge("F-1"), {"floorperson", "dealer"}, mark};
  const PanelPerson nobody{Badge("X-1"), {"dealer"}, mark};
  CHECK(ended_logins({}, state, at_start).empty());
  CHECK(ended_logins({same}, state, at_start).empty());
  CHECK((ended_logins({same, other, nobody}, state, at_start) ==
         std::vector{Badge("F-1"), Badge("X-1")}));
  for (std::uint64_t entry = 2; entry <= 6; ++entry) {
    CHECK(ended_logins({same}, state, at_start).empty());
    state.apply({EntryNumber(entry),
                 Timestamp::from_microseconds(1),
                 std::nullopt,
                 SignInFailed{Badge("F-1"), std::nullopt},
                 {}});
  }
  CHECK((ended_logins({same}, state, at_start) == std::vector{Badge("F-1")}));  // he is locked
}

TEST_CASE("a login at a panel with an earlier PIN has ended") {
  State state = house();
  const PanelPerson marked{
      Badge("F-1"), {"floorperson"}, pin_mark(state.find_person(Badge("F-1"))->pin)};
  const PanelPerson unmarked{Badge("F-1"), {"floorperson"}};
  const TableIndex table(0);
  UnmarkedPeople panels;
  const auto ended = [&](const PanelPerson& one) {
    return !ended_logins(panels.marked(table, {one}, state), state, at_start).empty();
  };
  CHECK_FALSE(ended(marked));
  CHECK_FALSE(ended(unmarked));  // from an agent that sends no mark
  CHECK_FALSE(ended(unmarked));
  state.apply({EntryNumber(2), at_start, std::nullopt, PinChanged{Badge("F-1"), "another"}, {}});
  CHECK(ended(unmarked));
  CHECK(ended(unmarked));
  CHECK(ended(marked));
  // He signs in again with the new PIN.
  CHECK(panels.marked(table, {}, state).empty());
  CHECK_FALSE(ended(unmarked));
  CHECK_FALSE(ended({Badge("F-1"), {"floorperson"}, pin_mark("another")}));
}

TEST_CASE("a repeated question of a panel is not asked again, and its PIN is not lost") {
  const State state = house();
  PanelLogins panels;
  std::vector<InboundMessage> received;
  for (int at = 0; at < 4; ++at) received.push_back(said({7, Badge("F-1"), "9"}));
  CHECK(panels.take(received, state, {}).empty());
  CHECK(received.empty());
  int looked_at = 0;
  while (panels.next()) {
    ++looked_at;
    Controller::SocketReply wrong{RequestSource::table, "peer", 7, Badge("F-1"), {}};
    wrong.reply.refusal = Refusal::pin_wrong;
    static_cast<void>(panels.answer(wrong, state, {}));
  }
  CHECK_EQ(looked_at, 1);
  // Each wrong PIN that was verified is counted.
  CHECK((panels.tries().take_counts() == std::map<Badge, std::uint64_t>{{Badge("F-1"), 1}}));
}

TEST_CASE("the PIN before the last may not be used again, also after a new PIN key") {
  State state = house();
  // The result of a PIN change with these PIN keys.
  const auto change = [&state](const PinKeys& keys, const std::string& from,
                               const std::string& to) {
    Crowd crowd({PinRequest{OperatorRequest{"a", Badge("F-1"), false, ChangePin{}}, from, to}});
    Authenticator session({&crowd}, keys);
    const OperatorRequest request = taken(session, state);
    REQUIRE(request.is_good);
    PersonMessage message{request.badge, *request.act};
    message.new_pin = request.new_pin;
    const Decision decision = decide(state, FloorRules(), message, at_start);
    const Entry& entry = std::get<Entry>(decision);
    state.apply(entry);
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(no == nullptr ? "done" : name(no->refusal));
  };
  const PinKeys first{"one key", ""};
  CHECK_EQ(change(first, "1234", "271828"), "done");
  CHECK_EQ(change(first, "271828", "271828"), "pin_unchanged");
  CHECK_EQ(change(first, "271828", "141421"), "done");
  CHECK_EQ(change(first, "141421", "271828"), "pin_used_before");
  // Two managers replace the PIN key: everybody must change the PIN.
  const ReplaceKey replace{KeyKind::pin, std::string(32, 'k'), "", ""};
  const ProposalNumber number = state.last_proposal().next();
  for (const Fact& fact : {Fact(ActProposed{number, replace, Badge("F-1")}),
                           Fact(ActConfirmed{number, replace, Badge("F-1"), Badge("F-1")})}) {
    state.apply({state.last_entry().next(), at_start, std::nullopt, fact, {}});
  }
  CHECK_EQ(change({"another key", "one key"}, "141421", "271828"), "pin_used_before");
  CHECK_EQ(change({"another key", "one key"}, "141421", "173205"), "done");
  // The old key is gone, and the old PIN is still recognised.
  CHECK_EQ(change({"another key", ""}, "173205", "141421"), "pin_used_before");
}

TEST_CASE("a panel is told who signed in, or why not") {
  const State state = house();
  const auto told = [&state](Refusal refusal) {
    Controller::SocketReply one{RequestSource::table, "peer", 7, Badge("F-1"), {}};
    one.reply.refusal = refusal;
    const Reply reply = PanelLogins().answer(one, state, {});
    CHECK_EQ(reply.peer, "peer");
    return std::get<TableSignedIn>(decode_to_table(reply.bytes).value());
  };
  const TableSignedIn good = told(Refusal::none);
  CHECK_EQ(good.question, 7);
  CHECK((good.roles == std::vector<std::string>{"floorperson"}));
  CHECK_EQ(good.pin_mark, pin_mark(state.find_person(Badge("F-1"))->pin));
  CHECK_FALSE(good.rights.empty());
  const TableSignedIn bad = told(Refusal::pin_wrong);
  CHECK((bad.refusal == Refusal::pin_wrong));
  CHECK(bad.rights.empty());
  CHECK(bad.name.empty());
}

}  // namespace linkmeter::authenticator_test
