// A move that a balance could not hold is refused before it is made, for every command:
// limits::meter_max applies to a meter, a reserve and the withheld amount, limits::lifetime_max to
// all lifetime totals.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/rules/laws.h"
#include "meters/values/limits.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::meter_full_test {
namespace {

const Pool mega = Pool::level(LevelIndex(0));
const LinkIndex c4(1), poker(3), riu(0), four(4);
const Amount cent = Amount::cents(1);

struct House : MixedFloor {
  // Posts the amount to the account as a correction, without any check.
  void fill(LinkIndex link, Pool pool, Account account, Amount amount) {
    state.apply(
        Entry{state.last_entry().next(),
              {},
              std::nullopt,
              ClockChanged{1},
              {{account, link, pool, amount}, {Account::corrections, link, pool, -amount}}});
  }
  void fill_up_to(LinkIndex link, Pool pool, Amount amount) {
    const Amount held =
        pool.is_reserve() ? state.link(link).reserve.held : state.link(link).levels[0].pool.held;
    fill(link, pool, pool.is_reserve() ? Account::reserve : Account::meter, amount - held);
  }
  // Brings the table's handle to this amount, which real wagers could not reach.
  void play_for(const std::string& table, const AskedWager& wager, Amount amount) {
    Entry locked = decided(table, lock_of("huge", {wager}));
    std::get<RoundLocked>(locked.fact).wagers[0].amount = amount;
    state.apply(locked);
  }
  std::string says(const std::string& badge, const OperatorCommand& act) {
    const Entry entry = take(badge, act);
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(name(no == nullptr ? Refusal::none : no->refusal));
  }
  [[nodiscard]] std::string says_table(const std::string& table, TableCommand command) const {
    return std::string(name(refusal(table, std::move(command))));
  }
};

PlayPot pot_of(const std::string& round) {
  return PlayPot{RoundId(round), Amount::dollars(30), {}, false, {}, Badge()};
}

}  // namespace

TEST_CASE(
    "a wager that would raise a meter above its largest amount is refused, exact to the unit") {
  House house;
  // A cent of handle raises the meter by a fraction of a cent: $5 by less than a dollar.
  house.fill_up_to(c4, mega, limits::meter_max - Amount::dollars(1));
  CHECK_EQ(house.says_table("C4-01", lock_of("r1", {five_card(1)})), "none");
  house.fill_up_to(c4, mega, limits::meter_max);
  CHECK_EQ(house.says_table("C4-01", lock_of("r1", {five_card(1)})), "meter_full");
  CHECK_EQ(house.says_table("C4-01", lock_of("r1", {})), "none");
}

TEST_CASE("a resolved count or a pot that would do so is refused, too") {
  House house;
  LockRound counted = lock_of("b1", {five_card(1), five_card(2)});
  counted.chips = 3;
  house.take("C4-01", counted);
  const ResolveCount resolve{RoundId("b1"), {five_card(1), five_card(2)}, Badge("F-1")};
  CHECK_EQ(house.says_table("C4-01", resolve), "none");
  house.fill_up_to(c4, mega, limits::meter_max);
  CHECK_EQ(house.says_table("C4-01", resolve), "meter_full");
  CHECK_EQ(house.says_table("P-01", pot_of("h1")), "none");
  house.fill_up_to(poker, mega, limits::meter_max);
  CHECK_EQ(house.says_table("P-01", pot_of("h1")), "meter_full");
}

TEST_CASE("wagers above the largest handle are refused on every table of the link") {
  House house;
  LockRound counted = lock_of("b1", {five_card(1)});
  counted.chips = 2;
  house.take("C4-01", counted);
  const ResolveCount resolve{RoundId("b1"), {five_card(1)}, Badge("F-1")};
  house.play_for("C4-02", five_card(1), limits::lifetime_max);
  CHECK_EQ(house.says_table("C4-01", resolve), "none");
  CHECK_EQ(house.says_table("C4-01", lock_of("r1", {five_card(1), five_card(2)})), "none");
  house.take("C4-02", lock_of("more", {five_card(1)}));
  CHECK_EQ(house.says_table("C4-01", resolve), "meter_full");
  CHECK_EQ(house.says_table("C4-01", lock_of("r1", {five_card(1), five_card(2)})), "meter_full");
  CHECK_EQ(house.says_table("C4-01", lock_of("r1", {})), "none");
  // The same for pots.
  Entry huge = house.decided("P-01", pot_of("h1"));
  std::get<PotPlayed>(huge.fact).contribution = limits::lifetime_max + cent;
  house.state.apply(huge);
  CHECK_EQ(house.says_table("P-01", pot_of("h2")), "meter_full");
}

TEST_CASE("an award above the largest pending amount is refused, shown or corrected") {
  House house;
  house.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  ShowHands quiet;
  quiet.round = RoundId("r1");
  quiet.hands = {{Seat(1), cards_of({"2h", "4d", "6h", "8d", "9h"}), false, Amount()}};
  house.take("C4-01", quiet);
  const CorrectHand correct{TableId("C4-01"),
                            RoundId("r1"),
                            Seat(1),
                            cards_of({"Ah", "Kh", "Qh", "Jh", "Th"}),
                            false,
                            HandReason::misread_card,
                            ""};
  CHECK_EQ(house.says_table("C4-01", royal_flush_of("r1", 2)), "none");
  CHECK((std::holds_alternative<HandCorrected>(house.decided("F-1", correct).fact)));
  house.fill(c4, mega, Account::pending, limits::lifetime_max);
  CHECK_EQ(house.says_table("C4-01", royal_flush_of("r1", 2)), "meter_full");
  CHECK_EQ(house.says("F-1", correct), "meter_full");
}

TEST_CASE("a void above the largest withheld amount is refused") {
  House house;
  house.take("C4-01", lock_of("r1", {five_card(1)}));
  const VoidRound annul{RoundId("r1"), "misdeal", Badge()};
  CHECK_EQ(house.says_table("C4-01", annul), "none");
  // A withheld amount is what a pool owes: its account falls.
  house.fill(c4, mega, Account::withheld, -limits::meter_max);
  CHECK_EQ(house.says_table("C4-01", annul), "meter_full");
}

TEST_CASE("a transfer or discontinuation is refused if the receiving meter is full") {
  House house;
  const TransferMeter transfer{LinkId("RIU"),
                               LevelId("main"),
                               LinkId("C4"),
                               LevelId("mega"),
                               Amount::cents(1),
                               TransferReason::merged,
                               ""};
  const Discontinue end{LinkId("RIU"), LinkId("C4"), LevelId("mega"), ""};
  house.fill_up_to(riu, mega, Amount::dollars(6'000));
  CHECK_EQ(house.says("TGM-1", Propose{transfer}), "none");
  house.take("TGM-1", Propose{StopCollecting{LinkId("RIU"), ""}});
  house.take("FM-1",
             Confirm{house.state.last_proposal(), summary(StopCollecting{LinkId("RIU"), ""})});
  REQUIRE_FALSE(house.state.link(riu).ending.collects());
  CHECK_EQ(house.says("TGM-1", Propose{end}), "none");
  house.fill_up_to(c4, mega, limits::meter_max);
  CHECK_EQ(house.says("TGM-1", Propose{end}), "meter_full");
  // For a link that collects; a link that has stopped has nothing to give.
  House other;
  other.fill_up_to(riu, mega, Amount::dollars(6'000));
  other.fill_up_to(c4, mega, limits::meter_max);
  CHECK_EQ(other.says("TGM-1", Propose{transfer}), "meter_full");
  // A move of more than one entry may hold.
  House rich;
  rich.fill_up_to(riu, mega, limits::entry_max + cent);
  rich.take("TGM-1", Propose{StopCollecting{LinkId("RIU"), ""}});
  rich.take("FM-1",
            Confirm{rich.state.last_proposal(), summary(StopCollecting{LinkId("RIU"), ""})});
  CHECK_EQ(rich.says("TGM-1", Propose{end}), "meter_full");
  // The target may come before the link that ends.
  const Discontinue back{LinkId("C4"), LinkId("RIU"), LevelId("main"), ""};
  House first;
  first.fill_up_to(c4, mega, Amount::dollars(60'000));
  first.take("TGM-1", Propose{StopCollecting{LinkId("C4"), ""}});
  first.take("FM-1",
             Confirm{first.state.last_proposal(), summary(StopCollecting{LinkId("C4"), ""})});
  CHECK_EQ(first.says("TGM-1", Propose{back}), "none");
  first.fill_up_to(riu, mega, limits::meter_max);
  CHECK_EQ(first.says("TGM-1", Propose{back}), "meter_full");
}

}  // namespace linkmeter::meter_full_test
