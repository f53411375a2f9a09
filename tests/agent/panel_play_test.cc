#include <doctest/doctest.h>
#include <string>

#include "tests/support/mixed_floor.h"
#include "tests/support/panel_bench.h"

namespace linkmeter::panel_play_test {

namespace {

const std::string flush_cards = R"("cards":["2h","5h","9h","Jh","Kh"])";
std::string show_of(int seat, const std::string& cards = flush_cards) {
  return R"({"do":"show","hands":[{"seat":)" + std::to_string(seat) + "," + cards + "}]}";
}
const std::string close_round = R"({"do":"close"})";

bool is_lit(const PanelBench& table) {
  return table.picture().find(R"("light":"accepted")") != std::string::npos;
}

}  // namespace

TEST_CASE("a whole round can be driven from the panel without hardware") {
  PanelBench table;
  CHECK_EQ(table.place(2), "locked");
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
  CHECK_EQ(table.place(2), "");
  CHECK_EQ(table.place(5), "");
  CHECK_EQ(table.place(2), "seat_wagered_twice");
  CHECK_EQ(table.place(7), "seat_unknown");
  CHECK_EQ(table.touch(R"({"do":"place","seat":3,"wager":"crazy-4/five-card","amount":"1.00"})"),
           "wager_not_a_unit");
  CHECK_EQ(table.touch(R"({"do":"remove","seat":5,"wager":"crazy-4/five-card"})"), "");
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "round_unknown");  // of the next round
  CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "");
  CHECK_EQ(table.place(5), "locked");
  CHECK(table.bench.submitted.empty());
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
  REQUIRE_EQ(table.bench.submitted.size(), 1);
  const auto& lock = std::get<LockRound>(table.bench.submitted[0]);
  CHECK_EQ(lock.by, Badge("D-1"));
  CHECK_EQ(lock.chips, 1);
  REQUIRE_EQ(lock.wagers.size(), 1);
  CHECK_EQ(lock.wagers[0].seat, Seat(2));
  CHECK_FALSE(is_lit(table));  // not before the controller has counted it
  table.bench.answer();
  CHECK(is_lit(table));
  CHECK_EQ(table.touch(show_of(2)), "");
  table.bench.answer();
  CHECK_EQ(table.touch(close_round), "");
  table.bench.answer();
  CHECK_EQ(table.bench.submitted.size(), 3);
  CHECK_EQ(std::get<CloseRound>(table.bench.submitted[2]).by, Badge("D-1"));
  CHECK_FALSE(is_lit(table));
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
}

TEST_CASE("wagers marked in one round are not marked in the next") {
  PanelBench table;
  table.deal({2, 5});
  table.touch(close_round);
  table.bench.answer();
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
  CHECK_EQ(table.place(1), "");
  table.touch(R"({"do":"close_bets"})");
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
  const auto& lock = std::get<LockRound>(table.bench.submitted.at(2));
  REQUIRE_EQ(lock.wagers.size(), 1);
  CHECK_EQ(lock.wagers[0].seat, Seat(1));
}

TEST_CASE("a double tap is one action, also across a restart of the agent") {
  PanelBench table;
  table.deal({2});
  const std::string show = show_of(2);
  CHECK_EQ(table.touch_as("once", show), "");
  CHECK_EQ(table.touch_as("once", show), "");
  CHECK_EQ(table.bench.submitted.size(), 2);
  table.bench.answer_and_end();
  table.bench.turn();
  CHECK_EQ(table.touch_as("once", show), "");
  CHECK_EQ(table.bench.submitted.size(), 2);
  CHECK_EQ(table.touch_as("again", show), "seat_already_shown");  // another action
  // Two taps before either was processed.
  const std::uint64_t first_tap = table.put("end", close_round);
  const std::uint64_t second_tap = table.put("end", close_round);
  table.bench.turn();
  CHECK_EQ(table.answer_to(first_tap), "");
  CHECK_EQ(table.answer_to(second_tap), "");
  CHECK_EQ(table.bench.submitted.size(), 3);
}

TEST_CASE("an action for another round than the current one changes nothing") {
  PanelBench table;
  table.deal({2});
  CHECK_EQ(table.touch(R"({"do":"close","round":"vf00d0001-000009"})"), "round_unknown");
  CHECK_EQ(table.touch(R"({"do":"count","round":"vf00d0001-000002","chips":1})"), "round_unknown");
  table.touch(close_round);
  table.bench.answer();
  CHECK_EQ(table.touch(R"({"do":"open_bets","round":"vf00d0001-000001"})"), "round_unknown");
  CHECK_EQ(table.touch(R"({"do":"open_bets","round":"vf00d0001-000002"})"), "");
}

TEST_CASE("a hand that the controller would refuse is refused at the panel by the same name") {
  PanelBench table;
  table.deal({2, 4, 6});
  CHECK_EQ(table.touch(show_of(2, R"("cards":["2h","5h","9h","Jh"])")), "wrong_card_count");
  CHECK_EQ(table.touch(show_of(2, R"("cards":["2h","5h","9h","Jh","2h"])")), "card_already_shown");
  CHECK_EQ(table.touch(show_of(2, R"("cards":["2h","5h","9h","Jh","Xx"])")), "card_malformed");
  CHECK_EQ(table.touch(show_of(7)), "seat_unknown");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":3,"cards":[],"folded":true}]})"),
           "fold_without_wager");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[]})"), "nothing_to_show");
  CHECK_EQ(table.bench.submitted.size(), 1);
  CHECK_EQ(table.touch(show_of(6)), "");
  CHECK_EQ(table.touch(show_of(6, R"("cards":["2c","5c","9c","Jc","Kc"])")), "seat_already_shown");
  CHECK_EQ(table.touch(show_of(4, R"("cards":["2h","5c","9c","Jc","Kc"])")), "card_already_shown");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":4,"cards":[],"folded":true}]})"), "");
  // A show that the controller refused is not on the table any more, and may be repeated.
  table.bench.answer(Refusal::name_malformed);
  CHECK_EQ(table.touch(show_of(6)), "");
}

TEST_CASE("what is refused of a hand is said with its seat or card") {
  PanelBench table;
  table.deal({2, 4});
  auto words_of = [&table, id = 0](const std::string& show) mutable {
    const std::uint64_t ticket = table.put("w" + std::to_string(++id), show);
    table.bench.turn();
    return table.words_to(ticket);
  };
  CHECK_EQ(words_of(show_of(2, R"("cards":["2h","5h"])")),
           "seat 2 has 2 cards; a hand here has 5 cards");
  CHECK_EQ(words_of(show_of(2, R"("cards":["2h","5h","9h","Jh","2h"])")),
           "2h was shown already in this round");
  CHECK_EQ(words_of(show_of(2, R"("cards":["2h","5h","9h","Jh","Xx"])")), "this game has no joker");
  CHECK_EQ(words_of(R"({"do":"show","hands":[{"seat":3,"cards":[],"folded":true}]})"),
           "seat 3 has no wager of this round to give up");
  CHECK_EQ(words_of(show_of(2)),
           "seat 4 comes before seat 2: show it first, or say that it is not shown");
  CHECK_EQ(table.touch(show_of(4)), "");
  CHECK_EQ(words_of(show_of(4, R"("cards":["2c","5c","9c","Jc","Kc"])")),
           "seat 4 was shown already");
}

TEST_CASE("a wrong count blocks the round until it is resolved or voided") {
  PanelBench table;
  table.touch(R"({"do":"open_bets"})");
  table.place(2);
  table.place(3);
  table.touch(R"({"do":"close_bets"})");
  table.touch(R"({"do":"count","chips":1})");
  table.bench.answer(Refusal::none, {}, 2);
  CHECK_EQ(table.touch(show_of(2)), "round_blocked");
  CHECK_EQ(table.touch(close_round), "round_blocked");
  CHECK_NE(table.picture().find(R"("differs":true,"expected":2)"), std::string::npos);
  SUBCASE("resolved") {
    CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[{"seat":4,"wager":"crazy-4/five-card",)"
                         R"("amount":"5.00"}]})"),
             "wager_not_locked");
    CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[{"seat":2,"wager":"crazy-4/five-card",)"
                         R"("amount":"4.00"}]})"),
             "wager_not_a_unit");
    CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[{"seat":2,"wager":"crazy-4/five-card",)"
                         R"("amount":"5.00"}]})"),
             "");
    table.bench.answer();
    CHECK(is_lit(table));
    CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[]})"), "round_not_blocked");
  }
  SUBCASE("resolved, though the link takes no more wagers since") {
    table.bench.surroundings.suspended = {LinkId("C4-MEGA")};
    CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[{"seat":2,"wager":"crazy-4/five-card",)"
                         R"("amount":"5.00"}]})"),
             "");
  }
  SUBCASE("voided") {
    CHECK_EQ(table.touch(R"({"do":"void","reason":""})"), "name_malformed");
    CHECK_EQ(table.touch(R"({"do":"void","reason":"misdeal"})"), "");
    table.bench.answer();
    CHECK_EQ(std::get<VoidRound>(table.bench.submitted[1]).by, Badge("D-1"));
  }
}

TEST_CASE("wagers that chips do not count stay in a resolved list") {
  const MixedFloor floor;
  PanelBench table(false, TableOffers::at(floor.file.floor, floor.file.rules,
                                          *floor.file.floor.find_table(TableId("C4-03"))));
  const std::string bonus = R"("seat":2,"wager":"crazy-4/five-card-hand-bonus","amount":"1.00")";
  const std::string chip = R"("seat":3,"wager":"crazy-4/four-card","amount":"5.00")";
  table.touch(R"({"do":"open_bets"})");
  REQUIRE_EQ(table.touch(R"({"do":"place",)" + bonus + R"(,"on":"own"})"), "");
  REQUIRE_EQ(table.touch(R"({"do":"place",)" + chip + R"(,"on":"own"})"), "");
  table.touch(R"({"do":"close_bets"})");
  table.touch(R"({"do":"count","chips":0})");
  table.bench.answer(Refusal::none, {}, 1);
  CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[{)" + chip + "}]}"), "uncounted_wager_missing");
  CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[{)" + bonus + "}]}"), "");
}

TEST_CASE(
    "a round whose wagers depend on the dealer's hand is not closed before that hand is shown") {
  const MixedFloor floor;
  PanelBench table(false, TableOffers::at(floor.file.floor, floor.file.rules,
                                          *floor.file.floor.find_table(TableId("BJ-02"))));
  table.touch(R"({"do":"open_bets"})");
  REQUIRE_EQ(table.touch(R"({"do":"place","seat":2,"wager":"blackjack/bad-beat","amount":"5.00",)"
                         R"("on":"own"})"),
             "");
  table.touch(R"({"do":"close_bets"})");
  if (table.scene().betting == RoundMachine::Betting::counting) {
    table.touch(R"({"do":"count","chips":0})");
  }
  table.bench.answer();
  CHECK_EQ(table.touch(close_round), "dealer_hand_missing");
  CHECK_NE(table.picture().find(R"("close":{"may":false,"why":"dealer_hand_missing")"),
           std::string::npos);
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":2,"cards":["Tc"]}]})"), "wrong_card_count");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":2,"cards":[]}]})"), "wrong_card_count");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":2,"cards":["Tc","Td"]}],)"
                       R"("dealer":["7c","7d","7h"]})"),
           "");
  CHECK_EQ(table.touch(close_round), "");
}

TEST_CASE("a void rejects a claim that nobody has validated") {
  PanelBench table;
  table.deal({2});
  table.touch(show_of(2));
  table.bench.answer(Refusal::none, {{Seat(2), LineId("flush"), Amount::dollars(200),
                                      ClaimNumber(1), AwardKind::line}});
  CHECK_EQ(table.touch(R"({"do":"void","reason":"misdeal"})"), "");
}

TEST_CASE("one seat's hand is made void, once") {
  PanelBench table;
  table.deal({2});
  CHECK_EQ(table.touch(R"({"do":"void","seat":99,"reason":"exposed card"})"), "seat_unknown");
  CHECK_EQ(table.touch(R"({"do":"void","seat":2,"reason":""})"), "name_malformed");
  CHECK_EQ(table.touch(R"({"do":"void","seat":2,"reason":"exposed card"})"), "");
  table.bench.answer();
  CHECK_EQ(std::get<VoidRound>(table.bench.submitted[1]).seat, Seat(2));
  CHECK_EQ(table.touch(R"({"do":"void","seat":2,"reason":"exposed card"})"), "hand_void");
  CHECK_EQ(table.touch(show_of(2)), "hand_void");
  CHECK_EQ(table.touch(close_round), "");
}

TEST_CASE("a lock-out ends open betting, and only the dealer opens it again") {
  PanelBench table;
  table.touch(R"({"do":"open_bets"})");
  table.place(2);
  table.bench.surroundings.locked_by = "no_controller";
  table.bench.turn();
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "no_controller");
  CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "no_controller");
  CHECK_NE(table.picture().find(R"("light":"given_back")"), std::string::npos);
  table.bench.surroundings.locked_by.clear();
  table.bench.turn();
  CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "not_open");
  CHECK(table.bench.submitted.empty());
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
}

TEST_CASE("if the window is full, the lock is dropped and its wagers are returned") {
  PanelBench table;
  table.touch(R"({"do":"open_bets"})");
  table.place(2);
  table.touch(R"({"do":"close_bets"})");
  table.bench.has_room = false;
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "busy");
  CHECK(table.bench.submitted.empty());
}

TEST_CASE("after a restart in the middle of a round, the round continues exactly there") {
  PanelBench table;
  table.deal({2, 4});
  table.touch(show_of(4));
  table.bench.answer_and_end();
  table.bench.turn();
  CHECK(is_lit(table));
  CHECK_EQ(table.touch(show_of(4)), "seat_already_shown");
  CHECK_EQ(table.touch(show_of(2, R"("cards":["2h","5c","9c","Jc","Kc"])")), "card_already_shown");
  CHECK_NE(table.picture().find(R"("order":[2])"), std::string::npos);
}

// ---- device and panel together -----------------------------------------------------------------

TEST_CASE("with a device, the sensors report the wagers, and the button of device or panel works") {
  PanelBench table(true);
  table.bench.open_betting();
  CHECK_EQ(table.place(3), "sensors_tell");
  table.bench.say(4, "placed " + chip_2);
  SUBCASE("the dealer presses no more bets on the panel while the button is pressed too") {
    const std::uint64_t tap = table.put("tap", R"({"do":"close_bets"})");
    table.bench.say(5, "bets closed");
    CHECK_EQ(table.answer_to(tap), "");
    CHECK(is_there("0 ok 5", table.bench.heard()));
    // Both report the count; the first becomes the lock, the second is a repeat.
    const std::uint64_t count = table.put("count", R"({"do":"count","chips":1})");
    table.bench.say(6, "count 1");
    CHECK_EQ(table.bench.submitted.size(), 1);
    CHECK(is_there("0 ok 6", table.bench.heard()));
    CHECK_EQ(table.answer_to(count), "");
  }
  SUBCASE("the button on the device, the count on the panel") {
    table.bench.say(5, "bets closed");
    CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
    table.bench.say(6, "count 1");
    CHECK(is_there("0 ok 6", table.bench.heard()));
    table.bench.say(7, "count 2");
    CHECK(is_there("0 no 7 counted", table.bench.heard()));
    CHECK_EQ(table.bench.submitted.size(), 1);
  }
  SUBCASE("the light on the device follows the panel's words") {
    CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "");
    CHECK(is_there("4 lock counting " + first, table.bench.heard()));
    CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
    CHECK(is_there(chip_2 + " waiting", table.bench.heard()));
    table.bench.answer();
    CHECK(is_there(chip_2 + " accepted", table.bench.heard()));
    // A round that either side has ended cannot be ended again by the other.
    table.bench.say(5, close_first);
    CHECK_EQ(table.touch(close_round), "round_closed");
  }
}

TEST_CASE("the panel does not open sensors of a lost device or with unknown wagers") {
  PanelBench table(true);
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "device_gone");
  table.bench.say(0, "hello 1 6 counted 5e550001");
  table.bench.say(1, "state 0 closed -");
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
  // The device has not reported its wagers since betting was opened.
  CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "locked");
  CHECK(table.bench.submitted.empty());
}

TEST_CASE("without a count from the device, the round waits for the count at the panel") {
  PanelBench table(true);
  table.bench.say(0, "hello 1 6 uncounted 5e550001");
  table.bench.say(1, "state 0 closed -");
  table.bench.say(2, "bets open");
  table.bench.say(3, "state 0 open " + first);
  table.bench.say(4, "placed " + chip_2);
  table.bench.say(5, "bets closed");
  CHECK(table.bench.submitted.empty());
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
  CHECK_EQ(table.bench.submitted.size(), 1);
}

TEST_CASE(
    "if the sensors are lost before the count, the dealer can return the wagers; nothing is "
    "locked") {
  PanelBench table(true);
  table.bench.open_betting();
  table.bench.say(4, "placed " + chip_2);
  CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "");
  const std::string void_it =
      R"({"do":"void","round":")" + first + R"(","reason":"the sensors went dark"})";
  CHECK_EQ(table.touch(void_it), "not_counted");  // the sensors are connected: count
  table.bench.port.is_plugged = false;
  table.bench.turn();
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "state_unknown");
  // The wagers are still shown, and none of their lights is on.
  CHECK_NE(table.picture().find(R"("light":"placed")"), std::string::npos);
  SUBCASE("the dealer takes back what was told before, and says why") {
    CHECK_EQ(table.touch(R"({"do":"void","reason":""})"), "name_malformed");
    CHECK_EQ(table.touch_as("back", void_it), "");
    CHECK_EQ(table.touch_as("back", void_it), "");  // a doubled tap
    CHECK_NE(table.picture().find(R"("light":"given_back")"), std::string::npos);
    CHECK_FALSE(is_lit(table));
    CHECK(is_there("gave the wagers back: the sensors went dark", table.bench.told));
    CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "device_gone");
    CHECK_NE(table.picture().find("sensors do not answer: no progressive"), std::string::npos);
    // The sensors come back, and are told that none of their wagers counts.
    table.bench.port.is_plugged = true;
    table.bench.turn();
    table.bench.heard();
    table.bench.say(0, "hello 1 6 counted 5e550002");
    CHECK(is_there("light " + chip_2 + " refused device_gone", table.bench.heard()));
    table.bench.say(1, "state 1 closed " + first);
    table.bench.say(2, "held " + chip_2);
    table.bench.say(3, "count 1");
    CHECK(is_there("0 no 3 not_closed", table.bench.heard()));
    CHECK(table.bench.submitted.empty());
    CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
  }
  SUBCASE("they come back with what lay there: the count is the lock") {
    table.bench.port.is_plugged = true;
    table.bench.turn();
    table.bench.say(0, "hello 1 6 counted 5e550002");
    table.bench.say(1, "state 1 closed " + first);
    table.bench.say(2, "held " + chip_2);
    CHECK_EQ(table.touch(void_it), "not_counted");
    CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
    CHECK_EQ(table.bench.submitted.size(), 1);
  }
  SUBCASE("they come back without power: what was told before goes back") {
    table.bench.port.is_plugged = true;
    table.bench.turn();
    table.bench.say(0, "hello 1 6 counted 5e550002");
    table.bench.say(1, "state 0 closed -");
    CHECK(is_there("light " + chip_2 + " refused power_lost", table.bench.heard()));
    CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "round_unknown");
  }
}

TEST_CASE("a repeat of \"no more bets\" after a restart is answered as done") {
  PanelBench table(true);
  table.bench.say(0, "hello 1 6 uncounted 5e550001");
  table.bench.say(1, "state 0 closed -");
  table.bench.say(2, "bets open");
  table.bench.say(3, "state 0 open " + first);
  table.bench.say(4, "placed " + chip_2);
  const std::string close = R"({"do":"close_bets","round":")" + first + R"("})";
  CHECK_EQ(table.touch_as("close", close), "");
  CHECK_EQ(table.touch(R"({"do":"count","chips":1})"), "");
  REQUIRE_EQ(table.bench.submitted.size(), 1);
  table.bench.answer_and_end();
  table.bench.turn();
  CHECK_EQ(table.touch_as("close", close), "");
  CHECK_EQ(table.bench.submitted.size(), 1);
}

TEST_CASE("a keyed line is sent with the hand if a wager of the table has that line") {
  PanelBench table;
  table.deal({2, 4});
  const auto keyed = [](int seat, const std::string& line) {
    return R"({"do":"show","hands":[{"seat":)" + std::to_string(seat) + "," + flush_cards +
           R"(,"line":")" + line + R"("}]})";
  };
  CHECK_EQ(table.touch(keyed(4, "royal_flsh")), "line_unknown");
  CHECK_EQ(table.touch(keyed(4, std::string(60'000, 'x'))), "line_unknown");
  CHECK_EQ(table.bench.submitted.size(), 1);
  CHECK_EQ(table.touch(keyed(4, "straight_flush")), "");
  CHECK_EQ(std::get<ShowHands>(table.bench.submitted.at(1)).hands.at(0).keyed,
           LineId("straight_flush"));
  // After a restart too it is what the dealer keyed.
  table.bench.answer_and_end();
  table.bench.turn();
  CHECK_NE(table.picture().find(R"("keyed":"straight_flush")"), std::string::npos);
}

TEST_CASE("input that no frame could hold is refused by name") {
  RoundMachine machine({device_table(), "device", "", {}, [] { return std::string("f00d0001"); }});
  CHECK_EQ(machine.open_bets(), "");
  CHECK_EQ(machine.place({Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)}), "");
  CHECK_EQ(machine.close_bets({}), "");
  CHECK_EQ(machine.count(1, true), "");
  machine.on_submitted(MessageNumber(1));
  ShowHands show;
  show.round = RoundId(first);
  show.hands = {{Seat(2), {}, false, {}, LineId(std::string(65'536, 'x'))}};
  CHECK_EQ(machine.submit(show, "mark"), "message_too_long");
  CHECK_FALSE(machine.is_pending());
}

}  // namespace linkmeter::panel_play_test
