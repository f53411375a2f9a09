// Properties of decide() that the ledgers of tests/golden cannot show: it changes nothing, and
// which of several refusals it gives.
#include "meters/rules/decide.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/mixed_floor.h"

namespace linkmeter::decide_test {
namespace {

// One defect of a command, and its refusal.
template <class Command>
struct Defect {
  Refusal refusal;
  std::function<void(Command&)> spoil;
};

// Any one defect gives its own refusal; any two give the refusal that comes first in refusal.h.
template <class Command>
void check_precedence(const MixedFloor& floor, const std::string& table, const Command& good,
                      const std::vector<Defect<Command>>& defects) {
  REQUIRE_EQ(name(floor.refusal(table, good)), "none");
  for (const Defect<Command>& one : defects) {
    for (const Defect<Command>& other : defects) {
      Command spoiled = good;
      one.spoil(spoiled);
      if (&one != &other) other.spoil(spoiled);
      CAPTURE(name(one.refusal));
      CAPTURE(name(other.refusal));
      CHECK_EQ(name(floor.refusal(table, spoiled)), name(std::min(one.refusal, other.refusal)));
    }
  }
}

ShownHand hand(std::uint8_t seat, const std::vector<std::string>& cards, bool folded = false) {
  return {Seat(seat), cards_of(cards), folded, Amount()};
}

}  // namespace

TEST_CASE("decide() is deterministic and changes nothing") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  const State before = floor.state;
  const Entry first = floor.decided("C4-01", royal_flush_of("r1", 2));
  const Entry second = floor.decided("C4-01", royal_flush_of("r1", 2));
  CHECK((first == second));
  CHECK((floor.state == before));
  CHECK(floor.state.claims().empty());
}

TEST_CASE("an entry contains the time and the message that it answers") {
  const MixedFloor floor;
  const TableMessage message = floor.message("C4-02", lock_of("r1", {}));
  const Timestamp now = Timestamp::from_microseconds(77);
  const Entry entry = std::get<Entry>(decide(floor.state, floor.file.rules, message, now));
  CHECK_EQ(entry.number, EntryNumber(2));
  CHECK_EQ(entry.recorded_at, now);
  CHECK((entry.origin == Origin{TableIndex(2), MessageNumber(1), message.digest, message.sent_at}));
  CHECK((answer_of(entry) ==
         Answer{MessageNumber(1), EntryNumber(2), Refusal::none, message.digest}));
}

TEST_CASE("the first of several reasons to refuse a lock is given") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("used", {}));
  using Lock = Defect<LockRound>;
  const auto add = [](AskedWager wager) {
    return [wager](LockRound& lock) { lock.wagers.push_back(wager); };
  };
  AskedWager unit = five_card(2), offered = five_card(3);
  unit.amount = Amount::dollars(4);
  offered.wager = WagerId("crazy-4/none");
  check_precedence<LockRound>(
      floor, "C4-01", lock_of("r1", {five_card(1)}),
      {Lock{Refusal::name_malformed, [](LockRound& lock) { lock.by = Badge("a b"); }},
       Lock{Refusal::round_id_used, [](LockRound& lock) { lock.round = RoundId("used"); }},
       Lock{Refusal::too_many_wagers,
            [](LockRound& lock) { lock.wagers.resize(65, five_card(4)); }},
       Lock{Refusal::seat_unknown, add(five_card(7))},
       Lock{Refusal::wager_not_offered, add(offered)}, Lock{Refusal::wager_not_a_unit, add(unit)},
       Lock{Refusal::seat_wagered_twice, add(five_card(1))}});
}

TEST_CASE("the first of several reasons to refuse a show is given") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2), five_card(3)}));
  ShowHands first;
  first.round = RoundId("r1");
  first.hands = {hand(2, {"2c", "3d", "5h", "7s", "9c"})};
  first.dealer = cards_of({"2d", "3c", "5c", "7c", "9d"});
  floor.take("C4-01", first);
  ShowHands good;
  good.round = RoundId("r1");
  good.hands = {hand(1, {"As", "Kd", "Jh", "8s", "4c"})};
  using Show = Defect<ShowHands>;
  const auto add = [](const ShownHand& other) {
    return [other](ShowHands& show) { show.hands.push_back(other); };
  };
  check_precedence<ShowHands>(
      floor, "C4-01", good,
      {Show{Refusal::name_malformed, [](ShowHands& show) { show.by = Badge("a b"); }},
       Show{Refusal::round_unknown, [](ShowHands& show) { show.round = RoundId("other"); }},
       Show{Refusal::seat_unknown, add(hand(7, {"Ad", "Kc", "Jd", "8c", "4d"}))},
       Show{Refusal::card_malformed,
            [](ShowHands& show) { show.hands[0].cards[0] = parse_card("Xx").value(); }},
       Show{Refusal::wrong_card_count, add(hand(3, {"Tc"}))},
       Show{Refusal::card_already_shown,
            [](ShowHands& show) { show.hands[0].cards[1] = parse_card("9c").value(); }},
       Show{Refusal::seat_already_shown, add(hand(2, {"Ah", "Kh", "Jc", "8d", "4h"}))},
       Show{Refusal::dealer_already_shown,
            [](ShowHands& show) {
              show.dealer = cards_of({"Qc", "Qd", "Qh", "Qs", "Td"});
            }},
       Show{Refusal::fold_without_wager, add(hand(6, {}, true))}});
}

TEST_CASE("the first of several reasons to refuse a pot is given") {
  MixedFloor floor;
  PlayPot good{RoundId("h1"),
               Amount::dollars(40),
               cards_of({"7c", "7d", "7h", "9s", "2d"}),
               true,
               {hand(1, {"7s", "Kc"}), hand(2, {"Ac", "Ah"})},
               Badge()};
  PlayPot used = good;
  used.round = RoundId("used");
  floor.take("P-01", used);
  using Pot = Defect<PlayPot>;
  const auto add = [](const ShownHand& other) {
    return [other](PlayPot& pot) { pot.hands.push_back(other); };
  };
  check_precedence<PlayPot>(
      floor, "P-01", good,
      {Pot{Refusal::name_malformed, [](PlayPot& pot) { pot.by = Badge("a b"); }},
       Pot{Refusal::round_id_used, [](PlayPot& pot) { pot.round = RoundId("used"); }},
       Pot{Refusal::seat_unknown, add(hand(10, {}, true))},
       Pot{Refusal::amount_out_of_range, [](PlayPot& pot) { pot.pot = Amount(); }},
       Pot{Refusal::amount_out_of_range,
           [](PlayPot& pot) { pot.hands[0].won = Amount::dollars(10'000'001); }},
       Pot{Refusal::card_malformed,
           [](PlayPot& pot) { pot.hands[1].cards[0] = parse_card("Xx").value(); }},
       Pot{Refusal::wrong_card_count, add(hand(3, {"Tc"}, true))},
       Pot{Refusal::card_already_shown, add(hand(4, {"7c", "Qd"}, true))},
       Pot{Refusal::seat_already_shown, add(hand(2, {}, true))},
       Pot{Refusal::showdown_incomplete, [](PlayPot& pot) { pot.board.pop_back(); }}});
}

TEST_CASE("a pot without a link is refused as such, unless its seats are wrong") {
  const MixedFloor floor;
  PlayPot pot{RoundId("h1"), Amount(), {}, false, {hand(1, {"7s"})}, Badge()};
  CHECK_EQ(name(floor.refusal("P-02", pot)), "wager_not_offered");
  pot.hands.push_back(hand(10, {}, true));
  CHECK_EQ(name(floor.refusal("P-02", pot)), "seat_unknown");
}

TEST_CASE("a split that gives two hands alone nothing is not a valid floor") {
  const auto with_split = [](const std::string& split) {
    std::string text = mixed_floor_text;
    const std::string usual = R"(losing_hand = "50%", winning_hand = "25%", table = "25%")";
    text.replace(text.find(usual), usual.size(), split);
    return std::holds_alternative<FloorFile>(parse_with_catalogue(text));
  };
  CHECK_FALSE(with_split(R"(losing_hand = "0%", winning_hand = "0%", table = "100%")"));
  CHECK(with_split(R"(losing_hand = "0%", winning_hand = "0.0001%", table = "99.9999%")"));
  CHECK(with_split(R"(losing_hand = "100%", winning_hand = "0%", table = "0%")"));
}

TEST_CASE("hands, dealers' hands and boards have as many cards as their game deals") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  const auto says = [&floor](const std::function<void(ShowHands&)>& spoil) {
    ShowHands show;
    show.round = RoundId("r1");
    show.hands = {hand(1, {"As", "Kd", "Jh", "8s", "4c"})};
    spoil(show);
    return name(floor.refusal("C4-01", show));
  };
  CHECK_EQ(says([](ShowHands&) {}), "none");
  CHECK_EQ(says([](ShowHands& show) { show.hands[0].cards.push_back(Card::from_index(0)); }),
           "wrong_card_count");
  CHECK_EQ(says([](ShowHands& show) { show.hands[0].cards.pop_back(); }), "wrong_card_count");
  CHECK_EQ(says([](ShowHands& show) {
             show.dealer = cards_of({"2c", "2d", "2h", "2s", "3c", "3d"});
           }),
           "wrong_card_count");
  CHECK_EQ(says([](ShowHands& show) { show.dealer = cards_of({"2c"}); }), "wrong_card_count");
  CHECK_EQ(says([](ShowHands& show) { show.board = cards_of({"2c"}); }), "none");
  CHECK_EQ(says([](ShowHands& show) { show.board = cards_of({"2c", "2d"}); }), "wrong_card_count");
  CHECK_EQ(says([](ShowHands& show) { show.hands[0].keyed = LineId("a b"); }), "name_malformed");
  CHECK_EQ(says([](ShowHands& show) { show.round = RoundId(""); }), "name_malformed");
  CHECK_EQ(says([](ShowHands& show) { show.round = RoundId(std::string(65, 'r')); }),
           "name_malformed");
}

TEST_CASE("a hand compared with the dealer's is shown before the comparison, unless it is folded") {
  MixedFloor floor;
  floor.take(
      "TCP-01",
      lock_of("r1", {{Seat(1), WagerId("three-card-prime/bad-beat-bonus"), Amount::dollars(5)}}));
  ShowHands show;
  show.round = RoundId("r1");
  show.dealer = cards_of({"Ah", "Kh", "Qh"});
  show.hands = {hand(1, {}, true)};
  CHECK_EQ(name(floor.refusal("TCP-01", show)), "none");
  show.hands = {hand(1, {"As", "Ks", "Qs"})};
  CHECK_EQ(name(floor.refusal("TCP-01", show)), "none");
  show.hands = {hand(1, {})};
  CHECK_EQ(name(floor.refusal("TCP-01", show)), "wrong_card_count");
}

TEST_CASE("pots are whole cents above zero, with hands and boards that poker deals") {
  const MixedFloor floor;
  const auto says = [&floor](const std::function<void(PlayPot&)>& spoil) {
    PlayPot pot{RoundId("h1"), Amount::dollars(40), {}, false, {hand(1, {})}, Badge()};
    spoil(pot);
    return name(floor.refusal("P-01", pot));
  };
  const Amount unit = Amount::from_units(1);
  CHECK_EQ(says([](PlayPot&) {}), "none");
  CHECK_EQ(says([&](PlayPot& pot) { pot.pot += unit; }), "amount_out_of_range");
  CHECK_EQ(says([&](PlayPot& pot) { pot.pot = Amount::dollars(10'000'001); }),
           "amount_out_of_range");
  CHECK_EQ(says([&](PlayPot& pot) { pot.hands[0].won = unit; }), "amount_out_of_range");
  CHECK_EQ(says([&](PlayPot& pot) { pot.hands[0].won = -Amount::cents(1); }),
           "amount_out_of_range");
  CHECK_EQ(says([](PlayPot& pot) {
             pot.hands[0].cards = cards_of({"2c", "2d", "2h"});
           }),
           "wrong_card_count");
  CHECK_EQ(says([](PlayPot& pot) {
             pot.board = cards_of({"2c", "2d", "2h", "2s", "3c", "3d"});
           }),
           "wrong_card_count");
  CHECK_EQ(says([](PlayPot& pot) { pot.hands[0].keyed = LineId("a b"); }), "name_malformed");
}

TEST_CASE("the first of several reasons to refuse a correction is given") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {hand(1, {"As", "Kd", "Jh", "8s", "4c"}), hand(2, {"2s", "3d", "5h", "7s", "9c"})};
  floor.take("C4-01", show);
  const auto says = [&floor](const std::vector<std::string>& cards, bool folded = false) {
    const Entry entry =
        floor.decided("F-1", CorrectHand{TableId("C4-01"), RoundId("r1"), Seat(1), cards_of(cards),
                                         folded, HandReason::misread_card, ""});
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(name(no == nullptr ? Refusal::none : no->refusal));
  };
  const auto first = [](Refusal one, Refusal other) {
    return std::string(name(std::min(one, other)));
  };
  CHECK_EQ(says({"Ah", "Kd", "Jh", "8s", "4c"}), "none");
  CHECK_EQ(says({"Ah", "Kd", "Jh", "8s"}), "wrong_card_count");
  CHECK_EQ(says({"2s", "Kd", "Jh", "8s", "4c"}), "card_already_shown");
  CHECK_EQ(says({"2s", "Kd", "Jh", "8s"}),
           first(Refusal::wrong_card_count, Refusal::card_already_shown));
  CHECK_EQ(says({"Xx", "Kd", "Jh", "8s"}),
           first(Refusal::wrong_card_count, Refusal::card_malformed));
  // A hand that was folded unseen existed; a hand without cards that was not folded did not.
  HandCorrected corrected;
  CHECK(corrected.is_no_hand());
  corrected.folded = true;
  CHECK_FALSE(corrected.is_no_hand());
  CHECK_EQ(says({}, true), "none");
}

TEST_CASE("a draw contradicts an earlier one only in parts that both have") {
  const Card seven = parse_card("7h").value(), eight = parse_card("8h").value();
  const Draw made{seven, Seat(4)};
  CHECK_FALSE(made.contradicts(Draw{}));
  CHECK_FALSE(made.contradicts(Draw{seven, Seat(4)}));
  CHECK_FALSE(made.contradicts(Draw{seven, std::nullopt}));
  CHECK_FALSE(made.contradicts(Draw{std::nullopt, Seat(4)}));
  CHECK_FALSE(Draw{}.contradicts(made));
  CHECK(made.contradicts(Draw{eight, std::nullopt}));
  CHECK(made.contradicts(Draw{std::nullopt, Seat(5)}));
}

}  // namespace linkmeter::decide_test
