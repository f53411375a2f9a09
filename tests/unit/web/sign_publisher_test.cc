#include "controller/web/sign_publisher.h"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "meters/facts/award.h"
#include "meters/game/hand.h"
#include "meters/rules/decide.h"
#include "meters/values/time_text.h"
#include "tests/support/small_floor.h"
#include "tests/support/staff.h"

namespace linkmeter::sign_publisher_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// The small floor, played with decide() and apply(), and what its board published.
struct House {
  FloorFile file = std::get<FloorFile>(parse_floor("floor.toml", floor_text, shipped_catalogue()));
  State state = opened(file);
  TablePresence presence{file.floor.tables.size(), std::chrono::seconds(2), at(0)};
  std::map<std::string, std::vector<std::string>> published;
  std::map<std::string, std::uint64_t> numbers;
  SignPublisher board{state, file.rules, presence, Notices{{"Of the house"}, {{"Of C4"}}},
                      [this](const std::string& topic, const std::string&, std::string data,
                             std::uint64_t) { published[topic].push_back(std::move(data)); }};

  static State opened(const FloorFile& file) {
    State state;
    FloorOpened floor{file.floor, "floor", {"chapter"}};
    floor.people = standard_staff();
    state.apply(open_floor(std::move(floor), Timestamp::from_microseconds(1)));
    return state;
  }
  static Moment at(int milliseconds_since) {
    const microseconds uptime = milliseconds(milliseconds_since);
    return {Timestamp::from_microseconds(1'000'000 + uptime.count()), uptime};
  }
  void say(TableCommand command, const char* table = "C4-01") {
    TableMessage message;
    message.table = TableId(table);
    message.number = MessageNumber(++numbers[table]);
    message.command = std::move(command);
    const Decision decision =
        decide(state, file.rules, message, Timestamp::from_microseconds(1'000'000));
    const auto* entry = std::get_if<Entry>(&decision);
    REQUIRE(entry != nullptr);
    REQUIRE_FALSE(std::holds_alternative<MessageRefused>(entry->fact));
    state.apply(*entry);
  }
  void lock(const std::string& round) {
    LockRound lock;
    lock.round = RoundId(round);
    lock.wagers = {{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    say(lock);
  }
  // Seats 2 and 5 each have a straight flush: seat 5 has the first turn (M6).
  void win_twice(const std::string& round) {
    LockRound lock;
    lock.round = RoundId(round);
    for (const Seat seat : {Seat(2), Seat(5)}) {
      lock.wagers.push_back({seat, WagerId("crazy-4/five-card"), Amount::dollars(5)});
    }
    say(lock);
    ShowHands show;
    show.round = RoundId(round);
    show.hands = {{Seat(2), cards({"9h", "Th", "Jh", "Qh", "Kh"}), false, {}},
                  {Seat(5), cards({"5s", "6s", "7s", "8s", "9s"}), false, {}}};
    say(show);
  }
  // The dealer's eight cards pay the whole meter to all who bet on them (M7).
  void win_shared(const std::string& round) {
    LockRound lock;
    lock.round = RoundId(round);
    ShowHands show;
    show.round = RoundId(round);
    for (const Seat seat : {Seat(3), Seat(4), Seat(6)}) {
      lock.wagers.push_back({seat, WagerId("blackjack/hit-and-run"), Amount::dollars(1)});
      show.hands.push_back({seat, cards({"Tc", "9d"}), false, {}});
    }
    say(lock, "BJ-01");
    show.dealer = cards({"2c", "2d", "2h", "2s", "3c", "3d", "Ah", "9s"});
    say(show, "BJ-01");
  }
  void settle(OperatorCommand act, const char* badge = "F-1") {
    const Decision decision = decide(state, file.rules, PersonMessage{Badge(badge), std::move(act)},
                                     Timestamp::from_microseconds(2'000'000));
    REQUIRE_FALSE(std::holds_alternative<CommandRejected>(std::get<Entry>(decision).fact));
    state.apply(std::get<Entry>(decision));
  }
  static std::vector<Card> cards(const std::vector<const char*>& texts) {
    std::vector<Card> all;
    for (const char* card : texts) all.push_back(*parse_card(card));
    return all;
  }
  void win(const std::string& round) {
    lock(round);
    ShowHands show;
    show.round = RoundId(round);
    show.hands = {{Seat(2), cards({"9h", "Th", "Jh", "Qh", "Kh"}), false, {}}};
    say(show);
  }
};

Json parsed(std::string text) {
  // The age is a placeholder until the text is sent.
  const std::size_t mark = text.find(web_age_mark);
  REQUIRE_NE(mark, std::string::npos);
  text.replace(mark, web_age_mark.size(), "0");
  return Json::parse(text);
}

// The signs of the demo's floor as it opens.
struct DemoSigns {
  FloorFile file = parsed_file();
  State state = House::opened(file);
  TablePresence presence{file.floor.tables.size(), std::chrono::seconds(2), House::at(0)};
  SignPublisher board{state, file.rules, presence, {}, {}};

  static FloorFile parsed_file() {
    std::ifstream demo(LINKMETER_SOURCE_DIR "/config/demo/floor.toml");
    const std::string text(std::istreambuf_iterator<char>(demo), {});
    return std::get<FloorFile>(parse_floor("floor.toml", text, shipped_catalogue()));
  }
  [[nodiscard]] Json sign(const char* link) const {
    return board.sign(file.floor.find_link(LinkId(link)).value(), House::at(0).as_of);
  }
};

using Rows = std::vector<std::pair<const char*, const char*>>;

Json lines_of(const Rows& rows) {
  Json list = Json::array();
  for (const auto& [line, pays] : rows) list.push_back(Json{{"line", line}, {"pays", pays}});
  return list;
}

// What a wager of $5 receives for each line.
Json envy_of(const Rows& rows, bool or_more) {
  Json list = Json::array();
  for (const auto& [line, amount] : rows) {
    const Json step{{"wager", "5.00"}, {"or_more", or_more}, {"amount", amount}};
    list.push_back(Json{{"line", line}, {"by_wager", Json::array({step})}});
  }
  return list;
}

}  // namespace

TEST_CASE("a link is published every second, a changed one after 200 ms, a win at once") {
  House house;
  const auto& signs = house.published["sign/C4-MEGA"];
  house.board.serve(House::at(1'000));
  CHECK_EQ(signs.size(), 1);
  CHECK_EQ(house.published.at("sign/RIU").size(), 1);
  CHECK_EQ(house.published.at("floor").size(), 1);
  house.board.serve(House::at(1'900));
  CHECK_EQ(signs.size(), 1);
  CHECK_EQ(house.board.time_until_due(milliseconds(1'900)), milliseconds(100));
  house.board.serve(House::at(2'000));
  CHECK_EQ(signs.size(), 2);

  house.lock("r1");
  house.board.note({LinkIndex(0)}, {}, House::at(2'010));
  house.board.serve(House::at(2'150));
  CHECK_EQ(signs.size(), 2);
  CHECK_EQ(house.board.time_until_due(milliseconds(2'150)), milliseconds(50));
  house.board.serve(House::at(2'200));
  CHECK_EQ(signs.size(), 3);
  CHECK_EQ(house.published.at("sign/RIU").size(), 2);  // the others wait for the next second

  house.win("r2");
  house.board.note({LinkIndex(0)}, {ClaimNumber(1)}, House::at(2'201));
  CHECK_EQ(signs.size(), 4);
  CHECK_EQ(house.published.at("floor").size(), 4);
}

TEST_CASE("what a node says of the nodes is of this moment, and no sign's time is") {
  House house;
  house.board.set_cluster([] { return Json{{"node", "b"}, {"lag_seconds", 5.0}}; });
  Moment behind = House::at(7'000);
  behind.behind = std::chrono::seconds(5);
  behind.as_of = behind.shown_as_of();
  house.board.serve(behind);
  const auto last = [&house](const char* topic) {
    std::string data = house.published.at(topic).back();
    for (std::size_t at = 0; (at = data.find(web_age_mark)) != std::string::npos;) {
      data.replace(at, web_age_mark.size(), "0");
    }
    return Json::parse(data);
  };
  const Json nodes = last("nodes"), floor = last("floor");
  CHECK_EQ(nodes.at("as_of"), text(House::at(7'000).as_of));
  CHECK_EQ(nodes.at("node"), "b");
  CHECK_EQ(floor.at("as_of"), text(House::at(2'000).as_of));
  house.board.set_cluster(nullptr);
  house.board.serve(House::at(9'000));
  CHECK_EQ(house.published.at("nodes").size(), 1);
  CHECK_FALSE(last("floor").contains("node"));
}

TEST_CASE("the entry number of all meters is that of the newest, also while wins come fast") {
  House house;
  house.board.serve(House::at(1'000));
  for (int win = 1; win <= 12; ++win) {
    const auto at = House::at(1'000 + 150 * win);  // more than five a second
    house.win("r" + std::to_string(win));
    house.board.note({LinkIndex(0)}, {ClaimNumber(static_cast<std::uint64_t>(win))}, at);
    house.board.serve(at);
    const Json head = parsed(house.published.at("meters").back() + "\"links\":[]}");
    const Json sign = parsed(house.published.at("sign/C4-MEGA").back());
    CHECK_EQ(head.at("entry"), sign.at("sequence"));
    CHECK_EQ(head.at("as_of"), sign.at("as_of"));
  }
}

TEST_CASE("a sign shows the meter in whole cents, never more") {
  House house;
  for (int round = 0; round < 3; ++round) house.lock("r" + std::to_string(round));
  const Json sign = house.board.sign(LinkIndex(0), Timestamp::from_microseconds(5));
  // 9 %, 7 % and 3 % of three wagers of $5: $1.35, $1.05 and $0.45 above the seeds.
  CHECK_EQ(sign["levels"][0]["amount"], "50001.35");
  CHECK_EQ(sign["levels"][1]["amount"], "5001.05");
  CHECK_EQ(sign["levels"][2]["amount"], "1250.45");
  CHECK_EQ(sign["levels"][2]["lines"],
           (Json::array({{{"line", "four_of_a_kind"}, {"pays", "100%"}}})));
  CHECK_EQ(sign["sequence"], 4);
  CHECK_EQ(sign["unit"], "5.00");
  CHECK(sign["last_award"].is_null());
  CHECK_EQ(sign["notices"], (Json::array({"Of the house", "Of C4"})));
  const Json other = house.board.sign(LinkIndex(1), Timestamp::from_microseconds(5));
  CHECK_EQ(other["notices"], (Json::array({"Of the house"})));
}

// § 645a.13(b), paytable A; § 645a.2(b)(10), § 645a.13(f): the limit, which no Envy Bonus reaches.
TEST_CASE("a sign gets the whole paytable of its chapter, its Envy and the payout limit") {
  const Json fortune = DemoSigns().sign("PG-FORTUNE");
  CHECK_EQ(fortune["paytable"], lines_of({{"seven_card_straight_flush_no_joker", "8000 to 1"},
                                          {"royal_flush_and_royal_match", "2000 to 1"},
                                          {"seven_card_straight_flush_with_joker", "1000 to 1"},
                                          {"five_aces", "400 to 1"},
                                          {"royal_flush", "150 to 1"},
                                          {"straight_flush", "50 to 1"},
                                          {"four_of_a_kind", "25 to 1"},
                                          {"full_house", "5 to 1"},
                                          {"flush", "4 to 1"},
                                          {"three_of_a_kind", "3 to 1"},
                                          {"straight", "2 to 1"}}));
  CHECK_EQ(fortune["envy"], envy_of({{"seven_card_straight_flush_no_joker", "5000.00"},
                                     {"royal_flush_and_royal_match", "1000.00"},
                                     {"seven_card_straight_flush_with_joker", "500.00"},
                                     {"five_aces", "250.00"},
                                     {"royal_flush", "50.00"},
                                     {"straight_flush", "20.00"},
                                     {"four_of_a_kind", "5.00"}},
                                    true));
  CHECK_EQ(fortune["payout_limit"], "50000.00");
  CHECK_EQ(fortune["payout_limit_covers_meter"], false);
  CHECK(fortune["bonuses"].empty());
}

// § 657a.12(e)(1), paytable C; (e)(5), of a $5 wager. The chapter has no limit.
TEST_CASE("a sign gets the meter of each line and the bonuses that the house offers") {
  const DemoSigns signs;
  const Json mega = signs.sign("C4-MEGA");
  CHECK_EQ(mega["paytable"], lines_of({{"royal_flush", "100% of mega"},
                                       {"straight_flush", "100% of major"},
                                       {"four_of_a_kind", "100% of minor"},
                                       {"full_house", "50 for 1"},
                                       {"flush", "40 for 1"},
                                       {"straight", "30 for 1"},
                                       {"three_of_a_kind", "10 for 1"}}));
  CHECK_EQ(mega["envy"],
           envy_of({{"royal_flush", "5000.00"}, {"straight_flush", "1500.00"}}, false));
  CHECK(mega["payout_limit"].is_null());
  CHECK_EQ(mega["payout_limit_covers_meter"], false);
  CHECK(mega["bonuses"].empty());
  // § 657a.12(f)(3), if the house offers them.
  const Json hand = signs.sign("C4-BONUS");
  CHECK_EQ(hand["bonuses"],
           (Json::array({{{"bonus", "magic_card"}, {"pays", "20 for 1"}, {"first_cards", 0}},
                         {{"bonus", "lucky_bonus"}, {"pays", "5 for 1"}, {"first_cards", 0}}})));
}

TEST_CASE("a win is shown with its amount and the meter after it") {
  House house;
  house.win("r1");
  house.board.note({LinkIndex(0)}, {ClaimNumber(1)}, House::at(1'000));
  const Json sign = parsed(house.published.at("sign/C4-MEGA").back());
  const Json& award = sign["last_award"];
  CHECK_EQ(award["amount"], "5000.35");
  CHECK_EQ(award["since_ms"], 1'000);
  CHECK_EQ(award["new_amount"], "5000.00");
  CHECK_EQ(award["state"], "raised");
  CHECK_EQ(sign["levels"][1]["amount"], "5000.00");
  const Json floor = parsed(house.published.at("floor").back());
  REQUIRE_EQ(floor["claims"].size(), 1);
  CHECK_EQ(floor["claims"][0]["needs"], "validation");
  CHECK(floor["recent"].empty());
}

TEST_CASE("two wins of one hand are both shown, each with the meter after it") {
  House house;
  house.win_twice("r1");
  house.board.note({LinkIndex(0)}, {ClaimNumber(1), ClaimNumber(2)}, House::at(1'000));
  const Json sign = parsed(house.published.at("sign/C4-MEGA").back());
  REQUIRE_EQ(sign["awards"].size(), 2);
  // 7 % of two wagers of $5 on the seed of $5,000; then the reseed, all of it.
  CHECK_EQ(sign["awards"][1]["seat"], 5);
  CHECK_EQ(sign["awards"][1]["amount"], "5000.70");
  CHECK_EQ(sign["awards"][1]["new_amount"], "5000.00");
  CHECK_EQ(sign["awards"][0]["seat"], 2);
  CHECK_EQ(sign["awards"][0]["amount"], "5000.00");
  CHECK_EQ(sign["awards"][0]["new_amount"], "5000.00");
  CHECK_EQ(sign["awards"][0]["asset"], "T-1041");
  CHECK_EQ(sign["awards"][0]["level"], "major");
  CHECK(sign["awards"][0]["share"].is_null());
  CHECK(sign["awards"][0]["seats"].empty());
  CHECK_EQ(sign["last_award"], sign["awards"][0]);
}

TEST_CASE("a shared award is shown as one award with the total and each share") {
  House house;
  house.win_shared("r1");
  std::vector<ClaimNumber> raised = {ClaimNumber(1), ClaimNumber(2), ClaimNumber(3)};
  house.board.note({LinkIndex(2)}, raised, House::at(1'000));
  const auto told = [&house] {
    return house.board.sign(LinkIndex(2), Timestamp::from_microseconds(3'000'000));
  };
  // 12 % of three wagers of $1 on the seed of $1,000: $1,000.36; the odd cent goes to the first in
  // turn.
  Json sign = told();
  REQUIRE_EQ(sign["awards"].size(), 1);
  CHECK_EQ(sign["awards"][0]["amount"], "1000.36");
  CHECK_EQ(sign["awards"][0]["share"], "333.46");
  CHECK_EQ(sign["awards"][0]["new_amount"], "1000.00");
  CHECK_EQ(sign["awards"][0]["state"], "raised");
  CHECK_EQ(sign["awards"][0]["seats"], (Json::array({{{"seat", 6}, {"amount", "333.46"}},
                                                     {{"seat", 4}, {"amount", "333.45"}},
                                                     {{"seat", 3}, {"amount", "333.45"}}})));
  CHECK_EQ(sign["last_award"], sign["awards"][0]);
  // It is pending until all of it is confirmed; a rejected award belongs to nobody.
  house.settle(ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(told()["last_award"]["state"], "raised");
  house.settle(ValidateClaim{ClaimNumber(2)});
  house.settle(RejectClaim{ClaimNumber(3), RejectReason::hand_misread, ""});
  CHECK_EQ(told()["last_award"]["state"], "validated");
  CHECK_EQ(told()["last_award"]["amount"], "666.91");
  // A board that starts again publishes the same.
  const SignPublisher again(house.state, house.file.rules, house.presence, {}, {});
  CHECK_EQ(again.sign(LinkIndex(2), Timestamp::from_microseconds(3'000'000))["awards"],
           told()["awards"]);
}

TEST_CASE("an image has the house's local time, whatever the machine's timezone") {
  const House house;
  Json told = house.board.sign(LinkIndex(0), Timestamp::from_microseconds(2'000'000));
  const std::string entry = " · entry " + told["sequence"].dump();
  CHECK_EQ(sign_image_of(told, "America/New_York").as_of, "as of 1969-12-31 19:00:02 EST" + entry);
  CHECK_EQ(sign_image_of(told, "Asia/Tokyo").as_of, "as of 1970-01-01 09:00:02 JST" + entry);
  // In summer, as wall clocks show it then.
  told["as_of"] = "2026-07-01T03:30:00.000000Z";
  CHECK_EQ(sign_image_of(told, "America/New_York").as_of, "as of 2026-06-30 23:30:00 EDT" + entry);
}

TEST_CASE("an image shows the latest win large and the other open ones in lines") {
  House house;
  house.win_twice("r1");
  house.board.note({LinkIndex(0)}, {ClaimNumber(1), ClaimNumber(2)}, House::at(1'000));
  const auto still = [&house](LinkIndex link, std::int64_t seconds) {
    return sign_image_of(house.board.sign(link, Timestamp::from_microseconds(seconds * 1'000'000)),
                         "America/New_York");
  };
  const SignImage fresh = still(LinkIndex(0), 2);
  REQUIRE(fresh.win.has_value());
  CHECK_EQ(fresh.win->title, "Straight flush · Major");
  CHECK_EQ(fresh.win->amount, "$5,000.00");
  CHECK_EQ(fresh.win->place, "Table C4-01 · T-1041 · Seat 2");
  CHECK_EQ(fresh.win->state, "Pending");
  REQUIRE_EQ(fresh.lines.size(), 1);
  CHECK_EQ(fresh.lines[0], "Straight flush · Table C4-01 · T-1041 · $5,000.70 · Pending");
  // After half a minute both are lines, until they are settled.
  CHECK_FALSE(still(LinkIndex(0), 31).win.has_value());
  CHECK_EQ(still(LinkIndex(0), 31).lines.size(), 2);
  house.settle(ValidateClaim{ClaimNumber(1)});
  house.settle(RejectClaim{ClaimNumber(2), RejectReason::hand_misread, ""});
  CHECK_EQ(still(LinkIndex(0), 2).win->state, "Verified");
  CHECK_EQ(still(LinkIndex(0), 2).win->amount, "$5,000.70");
  CHECK(still(LinkIndex(0), 2).lines.empty());
  // An amount older than its maximum age is not shown, in an image either.
  Json old = house.board.sign(LinkIndex(0), Timestamp::from_microseconds(2'000'000));
  old["age_ms"] = 3'000;
  CHECK_EQ(sign_image_of(old, "America/New_York").levels.size(), 3);
  old["age_ms"] = 3'001;
  CHECK_EQ(sign_image_of(old, "America/New_York").notice, "Amount not available");
  CHECK(sign_image_of(old, "America/New_York").levels.empty());
  CHECK_FALSE(sign_image_of(old, "America/New_York").win.has_value());
  // A drawn image is a PNG file.
  CHECK(sign_png(fresh, 640, 360).starts_with("\x89PNG"));

  house.win_shared("r1");
  house.board.note({LinkIndex(2)}, {ClaimNumber(3), ClaimNumber(4), ClaimNumber(5)},
                   House::at(1'000));
  CHECK_EQ(still(LinkIndex(2), 2).win->amount, "$1,000.36");
  CHECK_EQ(still(LinkIndex(2), 2).win->place, "Table BJ-01 · Seats 3, 4, 6, shared");
}

TEST_CASE("the latest awards are shown for ten minutes and until they are settled") {
  House house;
  for (int round = 1; round <= 10; ++round) {
    house.win("r" + std::to_string(round));
    const auto claim = ClaimNumber(static_cast<std::uint64_t>(round));
    house.board.note({LinkIndex(0)}, {claim}, House::at(round));
  }
  const auto claims_told = [&house](std::int64_t minutes) {
    constexpr std::int64_t minute_us = 60'000'000;
    const auto as_of = Timestamp::from_microseconds(1'000'000 + minutes * minute_us);
    const Json sign = house.board.sign(LinkIndex(0), as_of);
    std::string claims;
    for (const Json& award : sign["awards"]) {
      claims += (claims.empty() ? "" : " ") + award["claim"].dump();
    }
    return claims;
  };
  CHECK_EQ(claims_told(0), "10 9 8 7 6 5 4 3");
  house.settle(RejectClaim{ClaimNumber(9), RejectReason::hand_misread, ""});
  CHECK_EQ(claims_told(9), "10 9 8 7 6 5 4 3");
  CHECK_EQ(claims_told(10), "10 8 7 6 5 4 3");
}

TEST_CASE("a settled claim moves from the list to the last settled ones") {
  House house;
  for (int round = 1; round <= 25; ++round) {
    house.win("r" + std::to_string(round));
    const auto claim = ClaimNumber(static_cast<std::uint64_t>(round));
    house.board.note({LinkIndex(0)}, {claim}, House::at(round));
    const PersonMessage reject{Badge("F-1"), RejectClaim{claim, RejectReason::hand_misread, ""}};
    const Decision decision =
        decide(house.state, house.file.rules, reject, Timestamp::from_microseconds(2'000'000));
    REQUIRE(std::holds_alternative<ClaimRejected>(std::get<Entry>(decision).fact));
    house.state.apply(std::get<Entry>(decision));
    house.board.note({LinkIndex(0)}, {}, House::at(round));
  }
  house.board.serve(House::at(5'000));
  const Json floor = parsed(house.published.at("floor").back());
  CHECK(floor["claims"].empty());
  REQUIRE_EQ(floor["recent"].size(), 20);
  CHECK_EQ(floor["recent"][0]["claim"], 25);
  CHECK_EQ(floor["recent"][19]["claim"], 6);
  // A board that starts again finds the same.
  House again;
  const SignPublisher board(house.state, house.file.rules, house.presence, {}, {});
  CHECK_EQ(board.floor({})["recent"].size(), 20);
}

TEST_CASE("tables that connect or disconnect are shown") {
  House house;
  house.board.serve(House::at(1'000));
  const auto changes = house.presence.note({TableIndex(0)}, House::at(1'300));
  house.board.note(changes);
  house.board.serve(House::at(1'300));
  const Json sign = parsed(house.published.at("sign/C4-MEGA").back());
  CHECK_EQ(sign["tables"][0]["state"], "linked");
  CHECK_EQ(sign["tables"][1]["state"], "never_seen");
  const Json floor = parsed(house.published.at("floor").back());
  CHECK_EQ(floor["tables"][0]["state"], "linked");
}

TEST_CASE("staff see who froze a table and why; signs do not show it") {
  House house;
  const auto frozen = [&house] {
    return house.board.floor(House::at(0).as_of)["tables"][0]["frozen"];
  };
  CHECK(frozen().is_null());
  house.settle(FreezeTable{TableId("C4-01"), "no seal on the box"});
  CHECK_EQ(frozen().dump(), R"({"why":"no seal on the box","by":"F-1"})");
  const std::string sign = house.board.sign(LinkIndex(0), House::at(0).as_of).dump();
  CHECK_EQ(sign.find("no seal"), std::string::npos);
  CHECK_NE(sign.find(R"("state":"frozen")"), std::string::npos);
  // Frozen by the controller itself.
  const Decision other = decide(house.state, FloorRules(), SelfFreeze{TableIndex(1), "two agents"},
                                Timestamp::from_microseconds(3'000'000));
  house.state.apply(std::get<Entry>(other));
  CHECK_EQ(house.board.floor(House::at(0).as_of)["tables"][1]["frozen"].dump(),
           R"({"why":"two agents","by":null})");
}

}  // namespace linkmeter::sign_publisher_test
