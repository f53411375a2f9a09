// Complete tests of tiny worlds: every sequence of a handful of commands up to a length, so that
// every order of lock, show, void, close, win and payment is tested. After every step the naive
// model and all laws are checked.

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "meters/rules/decide.h"
#include "meters/rules/laws.h"
#include "tests/property/floors.h"
#include "tests/property/judge.h"
#include "tests/property/naive_model.h"
#include "tests/property/trial.h"

namespace linkmeter::exhaustive_small_test {
namespace {

struct TableSays {
  TableIndex table;
  TableCommand command;
};
using Move = std::variant<TableSays, PersonMessage>;

std::vector<Card> cards(const std::vector<std::string>& texts) {
  std::vector<Card> list;
  for (const std::string& one : texts) list.push_back(parse_card(one).value());
  return list;
}

class World {
 public:
  World(const std::string& text, std::vector<Move> moves)
      : file_(floor_from("tiny", text)), moves_(std::move(moves)) {}

  // Plays every sequence. Returns the first difference with the moves that led to it.
  std::optional<std::string> play(std::size_t length) {
    State state;
    state.apply(open_floor(opened(file_), trial_moment()));
    return go_on(state, NaiveModel(file_.floor, file_.text, trial_staff()), length, "");
  }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::size_t refusals() const { return refusals_; }
  [[nodiscard]] std::size_t wins() const { return wins_; }

 private:
  std::optional<std::string> go_on(const State& state, const NaiveModel& model, std::size_t length,
                                   const std::string& path) {
    if (length == 0) return std::nullopt;
    for (std::size_t place = 0; place < moves_.size(); ++place) {
      State next = state;
      NaiveModel expected = model;
      const std::string here = path + " " + std::to_string(place);
      if (auto no = step(moves_[place], next, expected)) return "moves" + here + ": " + *no;
      if (auto no = go_on(next, expected, length - 1, here)) return no;
    }
    return std::nullopt;
  }

  std::optional<std::string> step(const Move& move, State& state, NaiveModel& model) {
    ++steps_;
    Verdict verdict;
    Decision decision = Refusal::none;
    if (const auto* says = std::get_if<TableSays>(&move)) {
      TableMessage message;
      message.table = state.floor().table(says->table).id;
      message.number = state.session(says->table).last_number().next();
      message.command = says->command;
      verdict = model.on_reply(message, trial_moment());
      decision = decide(state, file_.rules, message, trial_moment());
    } else {
      const PersonMessage& message = std::get<PersonMessage>(move);
      verdict = model.on_reply(message, trial_moment());
      decision = decide(state, file_.rules, message, trial_moment());
    }
    refusals_ += verdict.refusal == Refusal::none ? 0U : 1U;
    wins_ += verdict.calls.size();
    if (auto no = difference(verdict, decision)) return no;
    if (const auto* entry = std::get_if<Entry>(&decision)) {
      if (auto no = law_violation(*entry)) return no;
      if (auto no = validate_entry(state, *entry)) return no;
      state.apply(*entry);
      state.forget_changes();
    }
    if (auto no = law_violation(state)) return no;
    return difference(model, state, 0);
  }

  FloorFile file_;
  std::vector<Move> moves_;
  std::size_t steps_ = 0;
  std::size_t refusals_ = 0;
  std::size_t wins_ = 0;
};

const std::string house =
    "[house]\nname = \"Tiny\"\ntimezone = \"America/New_York\"\ngaming_day_start = \"06:00\"\n";

AskedWager five_dollars(std::uint8_t seat, const std::string& wager) {
  return {Seat(seat), WagerId(wager), Amount::dollars(5)};
}

TEST_CASE("two linked tables: every sequence of five") {
  const std::string wager = "crazy-4/five-card";
  const std::string text = house + "[[link]]\nid = \"L\"\nwager = \"" + wager +
                           "\"\npaytable = \"C\"\nunit = \"5.00\"\ntables = [\"A\", \"B\"]\n"
                           "[[table]]\nid = \"A\"\ngame = \"crazy-4\"\nseats = 3\nasset = \"1\"\n"
                           "[[table]]\nid = \"B\"\ngame = \"crazy-4\"\nseats = 2\nasset = \"2\"\n";
  const TableIndex a(0), b(1);
  const RoundId r("r");
  ShowHands royals{r, {}, {}, {}, Badge()};
  royals.hands = {{Seat(2), cards({"Ts", "Js", "Qs", "Ks", "As"}), false, Amount()},
                  {Seat(3), cards({"Th", "Jh", "Qh", "Kh", "Ah"}), false, Amount()}};
  ShowHands folded{r, {}, {}, {}, Badge()};
  folded.hands = {{Seat(1), cards({"5c", "6c", "7c", "8c", "9c"}), true, Amount()}};
  const LockRound lock{r, {five_dollars(1, wager), five_dollars(2, wager)}, std::nullopt, Badge()};
  World world(
      text,
      {TableSays{a, lock}, TableSays{a, royals}, TableSays{a, folded},
       TableSays{a, VoidRound{r, "misdeal", Badge("F-1")}}, TableSays{a, CloseRound{r, Badge()}},
       TableSays{b, lock}, TableSays{b, VoidRound{r, "misdeal", Badge("F-1")}},
       TableSays{b, folded}, PersonMessage{Badge("F-1"), ValidateClaim{ClaimNumber(1)}},
       PersonMessage{Badge("C-1"), IssueSlip{ClaimNumber(1), PaymentSource::hand_pay}}});
  const auto no = world.play(5);
  CHECK_MESSAGE(!no, no.value_or(""));
  CHECK(world.steps() == 10 + 100 + 1'000 + 10'000 + 100'000);
  CHECK(world.refusals() > 10'000);
  CHECK(world.wins() > 1'000);
}

TEST_CASE("a reserve, a wrong count and a shared meter: every sequence of six") {
  const std::string wager = "blackjack/hit-and-run";
  const std::string text =
      house + "[[link]]\nid = \"L\"\nwager = \"" + wager +
      "\"\nunit = \"5.00\"\nseed = \"1000.00\"\nrates = { main = \"12.3456%\", "
      "reserve = \"7.7%\" }\ntables = [\"A\"]\n"
      "[[table]]\nid = \"A\"\ngame = \"blackjack\"\nseats = 3\nasset = \"1\"\n";
  const TableIndex a(0);
  const RoundId r("r"), s("s");
  const std::vector<AskedWager> three{five_dollars(1, wager), five_dollars(2, wager),
                                      five_dollars(3, wager)};
  const ShowHands eight{
      r, {}, cards({"2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s"}), {}, Badge()};
  const ShowHands five{s, {}, cards({"2c", "2d", "2h", "2s", "3c"}), {}, Badge()};
  World world(text, {TableSays{a, LockRound{r, three, 3, Badge()}}, TableSays{a, eight},
                     TableSays{a, LockRound{s, three, 2, Badge()}},
                     TableSays{a, ResolveCount{s, {five_dollars(2, wager)}, Badge("F-1")}},
                     TableSays{a, five}, TableSays{a, VoidRound{s, "misdeal", Badge("F-1")}},
                     TableSays{a, VoidRound{r, "misdeal", Badge("F-1")}}});
  const auto no = world.play(6);
  CHECK_MESSAGE(!no, no.value_or(""));
  CHECK(world.steps() == 7 + 49 + 343 + 2'401 + 16'807 + 117'649);
  CHECK(world.refusals() > 10'000);
  CHECK(world.wins() > 1'000);
}

ShowHands show_of(const RoundId& round, const std::vector<ShownHand>& hands,
                  const std::vector<std::string>& dealer) {
  ShowHands show;
  show.round = round;
  show.hands = hands;
  show.dealer = cards(dealer);
  show.names_dealer = true;
  return show;
}

TEST_CASE("a bet on the dealer, a draw and a limit: every sequence of five") {
  const std::string wager = "crazy-4/five-card-hand-bonus";
  const std::string text = house + "[[link]]\nid = \"L\"\nwager = \"" + wager +
                           "\"\nunit = \"1.00\"\nlimit = \"10000.20\"\nmagic_card = true\n"
                           "lucky_bonus = true\ntables = [\"A\"]\n"
                           "[[table]]\nid = \"A\"\ngame = \"crazy-4\"\nseats = 3\nasset = \"1\"\n";
  const TableIndex a(0);
  const RoundId r("r"), s("s");
  const auto dollar = [&wager](std::uint8_t seat, bool on_dealer) {
    return AskedWager{Seat(seat), WagerId(wager), Amount::dollars(1), on_dealer};
  };
  const std::vector<AskedWager> bets{dollar(1, true), dollar(2, false), dollar(2, true),
                                     dollar(3, true)};
  const ShownHand straight_flush{Seat(2), cards({"5c", "6c", "7c", "8c", "9c"}), false, Amount()};
  const ShownHand unseen{Seat(2), {}, true, Amount()};
  ShowHands royal = show_of(r, {straight_flush}, {"Th", "Jh", "Qh", "Kh", "Ah"});
  royal.draw = Draw{parse_card("7c"), Seat(0)};
  ShowHands other_draw = show_of(r, {unseen}, {});
  other_draw.names_dealer = false;
  other_draw.draw = Draw{std::nullopt, Seat(2)};
  World world(text, {TableSays{a, LockRound{r, bets, 0, Badge()}}, TableSays{a, royal},
                     TableSays{a, other_draw}, TableSays{a, show_of(r, {}, {})},
                     TableSays{a, LockRound{s, bets, std::nullopt, Badge()}},
                     TableSays{a, show_of(s, {}, {"Ts", "Js", "9s", "8s", "7s"})},
                     TableSays{a, VoidRound{r, "misdeal", Badge("F-1")}},
                     TableSays{a, VoidRound{s, "misdeal", Badge("F-1")}}});
  const auto no = world.play(5);
  CHECK_MESSAGE(!no, no.value_or(""));
  CHECK(world.steps() == 8 + 64 + 512 + 4'096 + 32'768);
  CHECK(world.refusals() > 5'000);
  CHECK(world.wins() > 1'000);
}

TEST_CASE("a meter at its limit above the payout limit: every sequence of six") {
  const std::string text =
      house +
      "[[link]]\nid = \"P\"\nwager = \"pai-gow-poker/progressive\"\nunit = \"5.00\"\n"
      "seed = \"60000.00\"\nreseed = \"55000.00\"\nlimit = \"60001.00\"\n"
      "payout_limit = \"50000.00\"\npayout_limit_caps_meter = true\n"
      "rates = { main = \"12.3456%\", reserve = \"7.7%\" }\ntables = [\"A\"]\n"
      "[[link]]\nid = \"F\"\nwager = \"pai-gow-poker/fortune-bonus\"\npaytable = \"A\"\n"
      "minimum = \"1.00\"\nmaximum = \"100.00\"\npayout_limit = \"60000.00\"\n"
      "tables = [\"A\"]\n"
      "[[table]]\nid = \"A\"\ngame = \"pai-gow-poker\"\nseats = 3\nasset = \"1\"\n";
  const TableIndex a(0);
  const RoundId r("r"), s("s");
  const std::vector<AskedWager> bets{
      five_dollars(1, "pai-gow-poker/progressive"), five_dollars(1, "pai-gow-poker/fortune-bonus"),
      five_dollars(2, "pai-gow-poker/fortune-bonus"), five_dollars(3, "pai-gow-poker/progressive")};
  const ShownHand seven{Seat(1), cards({"5c", "6c", "7c", "8c", "9c", "Tc", "Jc"}), false,
                        Amount()};
  const ShownHand aces{Seat(3), cards({"As", "Ah", "Ad", "Ac", "Xx", "2d", "9h"}), false, Amount()};
  World world(text, {TableSays{a, LockRound{r, bets, 2, Badge()}},
                     TableSays{a, show_of(r, {seven, aces}, {})},
                     TableSays{a, LockRound{s, bets, std::nullopt, Badge()}},
                     TableSays{a, show_of(s, {aces}, {})}, TableSays{a, show_of(s, {seven}, {})},
                     TableSays{a, VoidRound{s, "misdeal", Badge("F-1")}}});
  const auto no = world.play(6);
  CHECK_MESSAGE(!no, no.value_or(""));
  CHECK(world.steps() == 6 + 36 + 216 + 1'296 + 7'776 + 46'656);
  CHECK(world.refusals() > 5'000);
  CHECK(world.wins() > 1'000);
}

TEST_CASE("two wins of a meter, rejected and corrected: every sequence of six") {
  const std::string wager = "blackjack/hit-and-run";
  const std::string text =
      house + "[[link]]\nid = \"L\"\nwager = \"" + wager +
      "\"\nunit = \"5.00\"\nseed = \"1000.00\"\nrates = { main = \"12.3456%\", "
      "reserve = \"7.7%\" }\ntables = [\"A\"]\n"
      "[[table]]\nid = \"A\"\ngame = \"blackjack\"\nseats = 3\nasset = \"1\"\n";
  const TableIndex a(0);
  const RoundId r("r"), s("s");
  const std::vector<std::string> eight{"2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s"};
  const auto rejects = [](std::uint64_t claim) {
    return PersonMessage{Badge("F-1"),
                         RejectClaim{ClaimNumber(claim), RejectReason::hand_misread, ""}};
  };
  const CorrectMeter less{LinkId("L"), LevelId("main"), Amount::dollars(-1'000),
                          CorrectionReason::regulator_order, ""};
  World world(
      text,
      {TableSays{a, LockRound{r, {five_dollars(1, wager), five_dollars(2, wager)}, {}, Badge()}},
       TableSays{a, show_of(r, {}, eight)},
       TableSays{a, LockRound{s, {five_dollars(3, wager)}, {}, Badge()}},
       TableSays{a, show_of(s, {}, eight)}, rejects(1), rejects(2), rejects(3),
       PersonMessage{Badge("TGM-1"), Propose{less}},
       PersonMessage{Badge("FM-1"), Confirm{ProposalNumber(1), summary(less)}}});
  const auto no = world.play(6);
  CHECK_MESSAGE(!no, no.value_or(""));
  CHECK(world.steps() == 9 + 81 + 729 + 6'561 + 59'049 + 531'441);
  CHECK(world.refusals() > 5'000);
  CHECK(world.wins() > 1'000);
}

}  // namespace
}  // namespace linkmeter::exhaustive_small_test
