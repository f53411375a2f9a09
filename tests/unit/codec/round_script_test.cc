#include "proto/codec/round_script.h"

#include <doctest/doctest.h>
#include <cstdint>
#include <string>

#include "meters/values/limits.h"
#include "tests/support/capture_binding.h"

namespace linkmeter::round_script_test {
namespace {

template <class Command>
Command command(const std::string& line) {
  const auto parsed = parse_script_line(line);
  CAPTURE(line);
  const auto* const error = std::get_if<ScriptError>(&parsed);
  INFO((error == nullptr ? std::string() : error->message));
  REQUIRE(std::holds_alternative<ScriptEvent>(parsed));
  const auto& event = std::get<ScriptEvent>(parsed);
  REQUIRE(std::holds_alternative<TableCommand>(event));
  REQUIRE(std::holds_alternative<Command>(std::get<TableCommand>(event)));
  return std::get<Command>(std::get<TableCommand>(event));
}

std::string error_of(const std::string& line) {
  const auto parsed = parse_script_line(line);
  CAPTURE(line);
  REQUIRE(std::holds_alternative<ScriptError>(parsed));
  return std::get<ScriptError>(parsed).message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a lock event has wagers, the chip count and the person who locked") {
  const auto lock = command<LockRound>(
      R"({"event":"lock","round":"r1","wagers":[{"seat":2,"wager":"raise-it-up/progressive",)"
      R"("amount":"1.00"},{"seat":5,"wager":"raise-it-up/progressive","amount":"5"}],)"
      R"("chips":2,"by":"D-7"})");
  CHECK_EQ(lock.round, RoundId("r1"));
  REQUIRE_EQ(lock.wagers.size(), 2);
  CHECK_EQ(lock.wagers[0],
           AskedWager{Seat(2), WagerId("raise-it-up/progressive"), Amount::dollars(1)});
  CHECK_EQ(lock.wagers[1],
           AskedWager{Seat(5), WagerId("raise-it-up/progressive"), Amount::dollars(5)});
  CHECK_EQ(lock.chips, 2U);
  CHECK_EQ(lock.by, Badge("D-7"));
  CHECK_FALSE(command<LockRound>(R"({"event":"lock","round":"r1","wagers":[]})").chips);
}

TEST_CASE("resolve, close and void events have their fields") {
  const auto resolve = command<ResolveCount>(
      R"({"event":"resolve","round":"r1","wagers":[{"seat":1,"wager":"w","amount":"2.50"}],)"
      R"("by":"F-1"})");
  CHECK_EQ(resolve.wagers.at(0).amount, Amount::cents(250));
  CHECK_EQ(resolve.by, Badge("F-1"));
  CHECK_EQ(command<CloseRound>(R"({"event":"close","round":"r9"})").round, RoundId("r9"));
  CHECK_EQ(command<VoidRound>(R"({"event":"void","round":"r0","reason":"misdeal"})").reason,
           "misdeal");
}

TEST_CASE("a show event has hands, the dealer's cards and the board") {
  const auto show = command<ShowHands>(
      R"({"event":"show","round":"r1","hands":[{"seat":2,"cards":["As","Ks","Qs"],)"
      R"("folded":false,"line":"flush"},{"seat":3,"folded":true}],"dealer":["2c","3d"],)"
      R"("board":["Xx"]})");
  REQUIRE_EQ(show.hands.size(), 2);
  CHECK_EQ(show.hands[0].seat, Seat(2));
  CHECK_EQ(show.hands[0].cards,
           std::vector<Card>{*parse_card("As"), *parse_card("Ks"), *parse_card("Qs")});
  CHECK_FALSE(show.hands[0].folded);
  CHECK_EQ(show.hands[0].keyed, LineId("flush"));
  CHECK_FALSE(show.hands[1].keyed.has_value());
  CHECK(show.hands[1].folded);
  CHECK(show.hands[1].cards.empty());
  CHECK_EQ(show.dealer, std::vector<Card>{*parse_card("2c"), *parse_card("3d")});
  CHECK_EQ(show.board, std::vector<Card>{*parse_card("Xx")});
}

TEST_CASE("a pot event has the gross pot, the showdown and each seat's winnings") {
  const auto pot = command<PlayPot>(
      R"({"event":"pot","round":"h77","pot":"42.00","board":["2c"],"showdown":true,)"
      R"("hands":[{"seat":1,"cards":["Ah","Ad"],"folded":false,"won":"41.00"}]})");
  CHECK_EQ(pot.pot, Amount::dollars(42));
  CHECK(pot.showdown);
  CHECK_EQ(pot.board.size(), 1);
  CHECK_EQ(pot.hands.at(0).won, Amount::dollars(41));
}

TEST_CASE("a wait event is not a message") {
  const auto parsed = parse_script_line(R"({"event":"wait","ms":100})");
  REQUIRE(std::holds_alternative<ScriptEvent>(parsed));
  const auto& event = std::get<ScriptEvent>(parsed);
  REQUIRE(std::holds_alternative<Wait>(event));
  CHECK_EQ(std::get<Wait>(event).milliseconds, 100U);
}

TEST_CASE("every object may have a note and a badge; only the event's badge counts") {
  const auto lock = command<LockRound>(
      R"({"event":"lock","round":"r","note":"a","wagers":[{"seat":1,"wager":"w","amount":"1",)"
      R"("note":{"deep":[1]},"by":"D-8"}],"by":"D-7"})");
  CHECK_EQ(lock.by, Badge("D-7"));
  command<ShowHands>(
      R"({"event":"show","round":"r","hands":[{"seat":1,"cards":[],"note":1,"by":"D-8"}]})");
  command<PlayPot>(R"({"event":"pot","round":"r","pot":"1","showdown":true,)"
                   R"("hands":[{"seat":1,"note":1,"by":"D-8"}]})");
  CHECK(std::holds_alternative<ScriptEvent>(
      parse_script_line(R"({"event":"wait","ms":1,"by":"D-7","note":1})")));
}

TEST_CASE("every mistake in a line is named") {
  const struct {
    const char* line;
    const char* part;
  } cases[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"{\"event\":\"close\",\"round\":\"\xFF\"}", "not JSON"},
      {"[]", "must be an object"},
      {"7", "must be an object"},
      {R"({"round":"r"})", "event"},
      {R"({"event":7})", "event"},
      {R"({"event":"open","round":"r"})", "\"open\" is not known"},
      {R"({"event":"close"})", "round"},
      {R"({"event":"close","round":5})", "round"},
      {R"({"event":"close","round":"r","rouns":"x"})", "rouns"},
      {R"({"event":"close","round":"r","round":"s"})", "round\" stands twice"},
      {R"({"event":"lock","round":"r"})", "wagers"},
      {R"({"event":"lock","round":"r","wagers":{}})", "wagers"},
      {R"({"event":"lock","round":"r","wagers":[],"wagers":[]})", "stands twice"},
      {R"({"event":"lock","round":"r","wagers":[7]})", "wagers[0]"},
      {R"({"event":"lock","round":"r","wagers":[{"seat":1,"wager":"w"}]})", "amount"},
      {R"({"event":"lock","round":"r","wagers":[{"seat":1,"wager":"w","amount":1}]})", "amount"},
      {R"({"event":"lock","round":"r","wagers":[{"seat":1.5,"wager":"w","amount":"1"}]})", "seat"},
      {R"({"event":"lock","round":"r","wagers":[{"seat":"1","wager":"w","amount":"1"}]})", "seat"},
      {R"({"event":"lock","round":"r","wagers":[{"seat":1,"wager":"w","amount":"1","won":"1"}]})",
       "won"},
      {R"({"event":"lock","round":"r","wagers":[],"chips":1.5})", "chips"},
      {R"({"event":"lock","round":"r","wagers":[],"chips":"1"})", "chips"},
      {R"({"event":"lock","round":"r","wagers":[],"by":7})", "by"},
      {R"({"event":"void","round":"r"})", "reason"},
      {R"({"event":"show","round":"r","hands":[{"seat":1,"cards":"As"}]})", "cards"},
      {R"({"event":"show","round":"r","hands":[{"seat":1,"cards":[7]}]})", "cards[0]"},
      {R"({"event":"show","round":"r","hands":[{"seat":1,"cards":["Zz"]}]})", "cards[0]"},
      {R"({"event":"show","round":"r","hands":[{"seat":1,"cards":[],"folded":1}]})", "folded"},
      {R"({"event":"show","round":"r","hands":[{"seat":1,"cards":[],"won":"1"}]})", "won"},
      {R"({"event":"show","round":"r","dealer":["10s"]})", "dealer[0]"},
      {R"({"event":"pot","round":"r","pot":"1","hands":[]})", "showdown"},
      {R"({"event":"pot","round":"r","showdown":true,"hands":[]})", "pot"},
      {R"({"event":"pot","round":"r","pot":"1","showdown":true})", "hands"},
      {R"({"event":"wait","ms":-5})", "ms"},
      {R"({"event":"wait","ms":4294967296})", "ms"},
      {R"({"event":"wait","ms":99999999999999999999})", "ms"},
  };
  for (const auto& [line, part] : cases) {
    CAPTURE_BINDING(line);
    const std::string message = error_of(line);
    CAPTURE(message);
    CHECK(contains(message, part));
  }
}

namespace {

AskedWager wager(const std::string& seat, const std::string& amount) {
  return command<LockRound>(R"({"event":"lock","round":"r","wagers":[{"seat":)" + seat +
                            R"(,"wager":"w","amount":")" + amount + "\"}]}")
      .wagers.at(0);
}

std::string pot_line(const std::string& pot, const std::string& won) {
  return R"({"event":"pot","round":"r","pot":")" + pot +
         R"(","showdown":true,"hands":[{"seat":1,"won":")" + won + "\"}]}";
}

}  // namespace

TEST_CASE("an amount is passed on exactly, even one that no table can accept") {
  const struct {
    const char* text;
    std::int64_t units;
  } cases[] = {
      {"5", 500'000'000},
      {"5.0", 500'000'000},
      {"+5.00", 500'000'000},
      {"-5.00", -500'000'000},
      {"-0.01", -1'000'000},
      {"5.001", 500'100'000},
      {"0.00000001", 1},
      {"-0.00000001", -1},
      {"2000000000.00", 200'000'000'000'000'000},
      {"00000000000000000000000005.00", 500'000'000},
      {"92233720368.54775807", INT64_MAX},
      {"-92233720368.54775808", INT64_MIN},
  };
  for (const auto& [text, units] : cases) {
    CAPTURE_BINDING(text);
    CHECK_EQ(wager("1", text).amount.units(), units);
  }
}

TEST_CASE("a text that is not a decimal number, or too large, is not an amount") {
  for (const std::string text : {"",
                                 "-",
                                 "+",
                                 ".",
                                 "5.",
                                 ".5",
                                 "-.5",
                                 "--5",
                                 "+-5",
                                 "-+5",
                                 "5.-1",
                                 "5.+1",
                                 "5.0.0",
                                 "1,000",
                                 " 5",
                                 "5 ",
                                 "$5",
                                 "5e2",
                                 "0x5",
                                 "five",
                                 "inf",
                                 "nan",
                                 "5.000000001",
                                 "92233720368.54775808",
                                 "-92233720368.54775809",
                                 "99999999999999999999999999"}) {
    CAPTURE(text);
    CHECK(contains(error_of(R"({"event":"lock","round":"r","wagers":[{"seat":1,"wager":"w",)"
                            R"("amount":")" +
                            text + "\"}]}"),
                   "it is \"" + text + "\""));
  }
}

TEST_CASE("a pot's amounts are whole cents within the range of the message") {
  CHECK_EQ(command<PlayPot>(pot_line("-5.00", "-0.01")).pot, -Amount::dollars(5));
  CHECK_EQ(command<PlayPot>(pot_line("-5.00", "-0.01")).hands.at(0).won, -Amount::cents(1));
  CHECK_EQ(command<PlayPot>(pot_line("60000000000.00", "5.0000")).pot, limits::lifetime_max);
  for (const std::string text : {"5.001", "-0.00000001", "60000000000.01", "-60000000000.01"}) {
    CAPTURE(text);
    CHECK(contains(error_of(pot_line(text, "1.00")), "it is \"" + text + "\""));
    CHECK(contains(error_of(pot_line("1.00", text)), "it is \"" + text + "\""));
  }
}

TEST_CASE("an impossible seat becomes the nearest one that a message can hold") {
  const struct {
    const char* text;
    std::uint8_t seat;
  } cases[] = {
      {"0", 0},
      {"-0", 0},
      {"-1", 0},
      {"-9223372036854775808", 0},
      {"-9223372036854775809", 0},
      {"-99999999999999999999", 0},
      {"1", 1},
      {"255", 255},
      {"256", 255},
      {"300", 255},
      {"9223372036854775807", 255},
      {"9223372036854775808", 255},
      {"18446744073709551615", 255},
      {"18446744073709551616", 255},
      {"99999999999999999999", 255},
  };
  for (const auto& [text, seat] : cases) {
    CAPTURE_BINDING(text);
    CHECK_EQ(wager(text, "1").seat, Seat(seat));
    const auto show = command<ShowHands>(R"({"event":"show","round":"r","hands":[{"seat":)" +
                                         std::string(text) + "}]}");
    CHECK_EQ(show.hands.at(0).seat, Seat(seat));
  }
}

TEST_CASE("an impossible chip count becomes the nearest one that a message can hold") {
  const auto chips = [](const std::string& text) {
    return command<LockRound>(R"({"event":"lock","round":"r","wagers":[],"chips":)" + text + "}")
        .chips;
  };
  CHECK_EQ(chips("-3"), 0U);
  CHECK_EQ(chips("4294967295"), 4'294'967'295U);
  CHECK_EQ(chips("4294967296"), 4'294'967'295U);
  CHECK_EQ(chips("99999999999999999999"), 4'294'967'295U);
}

TEST_CASE("a hand without cards shows none") {
  const auto show =
      command<ShowHands>(R"({"event":"show","round":"r","hands":[{"seat":1,"folded":false}]})");
  CHECK(show.hands.at(0).cards.empty());
  CHECK_FALSE(show.hands.at(0).folded);
}

TEST_CASE("a Hand Bonus wager is on the player's hand or on the dealer's") {
  const auto on = [](const std::string& event, const std::string& key) {
    return R"({"event":")" + event + R"(","round":"r","wagers":[{"seat":1,"wager":"w",)" + key +
           R"("amount":"1"}]})";
  };
  CHECK(command<LockRound>(on("lock", R"("on":"dealer",)")).wagers.at(0).on_dealer);
  CHECK(command<ResolveCount>(on("resolve", R"("on":"dealer",)")).wagers.at(0).on_dealer);
  CHECK_FALSE(command<LockRound>(on("lock", R"("on":"player",)")).wagers.at(0).on_dealer);
  CHECK_FALSE(command<LockRound>(on("lock", "")).wagers.at(0).on_dealer);
  for (const std::string bad : {"\"bank\"", "\"\"", "\"Dealer\"", "1", "true", "null", "[]"}) {
    CAPTURE(bad);
    CHECK(contains(error_of(on("lock", "\"on\":" + bad + ",")), "wagers[0] has a bad \"on\""));
    CHECK(contains(error_of(on("resolve", "\"on\":" + bad + ",")), "bad \"on\""));
  }
}

namespace {

std::string show_with(const std::string& keys) {
  return R"({"event":"show","round":"r")" + keys + "}";
}

}  // namespace

TEST_CASE("a draw has a card, a position, or both") {
  CHECK_FALSE(command<ShowHands>(show_with("")).draw.has_value());
  const Draw both = *command<ShowHands>(show_with(R"(,"draw":{"magic":"7h","seat":4})")).draw;
  CHECK(both == Draw{*parse_card("7h"), Seat(4)});
  const Draw card = *command<ShowHands>(show_with(R"(,"draw":{"magic":"As"})")).draw;
  CHECK(card == Draw{*parse_card("As"), std::nullopt});
  const Draw dealers = *command<ShowHands>(show_with(R"(,"draw":{"seat":0,"by":"D-7"})")).draw;
  CHECK(dealers == Draw{std::nullopt, Seat(0)});
  // A card that this game's deck does not contain is refused by the controller.
  CHECK(command<ShowHands>(show_with(R"(,"draw":{"magic":"Xx"})")).draw->magic->is_joker());
}

TEST_CASE("a negative drawn position becomes one that no table has") {
  const auto drawn = [](const std::string& seat) {
    return command<ShowHands>(show_with(R"(,"draw":{"seat":)" + seat + "}")).draw->seat->value();
  };
  for (const std::string seat : {"-1", "-300", "-99999999999999999999", "255", "256", "1e300"}) {
    CAPTURE(seat);
    CHECK_EQ(drawn(seat), 255);
  }
  CHECK_EQ(drawn("0"), 0);
  CHECK_EQ(drawn("-0"), 0);
  CHECK_EQ(drawn("10"), 10);
}

TEST_CASE("every mistake in a draw is named") {
  for (const auto& [draw, part] : {std::pair{"{}", "bad \"draw\""},
                                   {"[]", "draw must be an object"},
                                   {"null", "draw must be an object"},
                                   {R"("7h")", "draw must be an object"},
                                   {R"({"magic":"1h"})", "bad \"magic\""},
                                   {R"({"magic":7})", "bad \"magic\""},
                                   {R"({"magic":null,"seat":1})", "bad \"magic\""},
                                   {R"({"magic":["7h"]})", "bad \"magic\""},
                                   {R"({"seat":"4"})", "bad \"seat\""},
                                   {R"({"seat":1.5})", "bad \"seat\""},
                                   {R"({"lucky":4})", "lucky"},
                                   {R"({"magic":"7h","card":"8h"})", "card"}}) {
    CAPTURE_BINDING(draw);
    const std::string message = error_of(show_with(std::string(",\"draw\":") + draw));
    CAPTURE(message);
    CHECK(contains(message, part));
  }
  CHECK(
      contains(error_of(R"({"event":"lock","round":"r","wagers":[],"draw":{"seat":1}})"), "draw"));
  CHECK(contains(error_of(R"({"event":"close","round":"r","draw":{"seat":1}})"), "draw"));
  CHECK(contains(error_of(show_with(R"(,"hands":[{"seat":1,"on":"dealer"}])")), "on"));
}

TEST_CASE(
    "an empty dealer's hand is passed on; without the key, the message has no dealer's hand") {
  CHECK_FALSE(command<ShowHands>(show_with("")).names_dealer);
  const auto empty = command<ShowHands>(show_with(R"(,"dealer":[])"));
  CHECK(empty.names_dealer);
  CHECK(empty.dealer.empty());
  CHECK(command<ShowHands>(show_with(R"(,"dealer":["As"])")).names_dealer);
}

TEST_CASE("a deeply nested line is refused without recursion") {
  const std::size_t depth = 100'000;
  CHECK(contains(error_of(std::string(depth, '[') + std::string(depth, ']')), "object"));
}

}  // namespace linkmeter::round_script_test
