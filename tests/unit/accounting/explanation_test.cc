// The components of a meter, on a floor whose figures are computed by hand.
#include "controller/accounting/explain/explanation.h"

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meters/rules/decide_day.h"
#include "proto/codec/journal_codec.h"
#include "proto/host/fault.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::explanation_test {
namespace {

constexpr LinkIndex riu(0);  // unit $5, seed $5,000; 14 % of each wager to main, 2 % to the reserve
constexpr Pool main_level = Pool::level(LevelIndex(0));
constexpr std::int64_t cent = Amount::units_per_cent;

class House {
 public:
  House() { write(floor_.opening); }

  template <class... Asked>
  Entry take(Asked&&... asked) {
    const Entry entry = floor_.take(std::forward<Asked>(asked)...);
    write(entry);
    return entry;
  }
  Entry lock(const std::string& round, std::uint8_t seats) {
    std::vector<AskedWager> wagers;
    for (std::uint8_t seat = 1; seat <= seats; ++seat) {
      wagers.push_back({Seat(seat), WagerId("raise-it-up/progressive"), Amount::dollars(5)});
    }
    return take("RIU-01", lock_of(round, wagers));
  }
  // Ace, king and queen of spades take the whole meter.
  Entry win(const std::string& round) {
    ShowHands show;
    show.round = RoundId(round);
    show.hands = {{Seat(1), cards_of({"As", "Ks", "Qs"}), false, Amount()}};
    return take("RIU-01", show);
  }
  void end_day() {
    const auto& days = floor_.state.days();
    const GamingDay day = days.empty() ? GamingDay::from_number(20'000) : days.back().day.next();
    Entry entry;
    entry.number = floor_.state.last_entry().next();
    entry.recorded_at = Timestamp::from_microseconds(3'000'000);
    entry.fact = DayEnded{day, entry.recorded_at, reading_of(floor_.state, {})};
    floor_.state.apply(entry);
    write(entry);
  }
  [[nodiscard]] Explanation explained(Pool pool = main_level, bool rounds = false) const {
    return explain(journal_, floor_.state,
                   ExplainRequest{riu, pool, floor_.state.last_entry(), rounds});
  }
  [[nodiscard]] Explanation explained(ClaimNumber claim, bool rounds = false) const {
    return explain(journal_, floor_.state, ExplainRequest{{}, {}, {}, rounds, claim});
  }
  [[nodiscard]] const State& state() const { return floor_.state; }

 private:
  void write(const Entry& entry) { journal_.commit({encode(entry)}, {}); }

  MixedFloor floor_;
  MemoryJournal journal_;
};

TEST_CASE("a meter explained from its seed: each wager's contribution, and the effect of a void") {
  House house;
  house.lock("r1", 2);
  house.lock("r2", 1);
  house.take("RIU-01", VoidRound{RoundId("r2"), "misdeal", Badge()});
  const Explanation said = house.explained(main_level, true);
  CHECK_FALSE(said.is_since_award);
  CHECK_EQ(said.since.value(), 1);
  CHECK_EQ(said.seeded.units(), 500'000 * cent);
  CHECK_EQ(said.flow.contributed.units(), 140 * cent);  // two wagers of $5 at 14 %
  CHECK_EQ(said.flow.withheld.units(), 70 * cent);      // the voided one stays on the meter
  CHECK_EQ(said.balance.units(), 500'210 * cent);
  CHECK_EQ(said.sum().units(), said.balance.units());
  REQUIRE_EQ(said.days.size(), 1);
  REQUIRE_EQ(said.days[0].tables.size(), 1);
  const TableShare& table = said.days[0].tables[0];
  CHECK_EQ(table.table.value(), 0);
  REQUIRE_EQ(table.rounds.size(), 3);
  CHECK_EQ(table.rounds[0].round.text(), "r1");
  CHECK_EQ(table.rounds[2].contributed.units(), -70 * cent);
  CHECK(said.events.empty());

  house.lock("r3", 2);  // first repays the withheld amount
  const Explanation later = house.explained();
  CHECK_EQ(later.flow.withheld.units(), 0);
  CHECK_EQ(later.flow.contributed.units(), 280 * cent);
  CHECK_EQ(later.balance.units(), 500'280 * cent);
}

TEST_CASE("a meter explained from an award: the remaining amount, the reseed, the reserve") {
  House house;
  house.lock("r1", 3);
  const Entry won = house.win("r1");
  house.lock("r2", 1);
  const Explanation said = house.explained();
  CHECK(said.is_since_award);
  CHECK_EQ(said.since.value(), won.number.value());
  CHECK_EQ(said.award.units(), 500'210 * cent);
  CHECK_EQ(said.kept.units(), 0);
  CHECK_EQ(said.seeded.units(), 500'000 * cent);
  CHECK_EQ(said.from_reserve.units(), 30 * cent);  // three wagers at 2 %
  CHECK_EQ(said.flow.contributed.units(), 70 * cent);
  CHECK_EQ(said.balance.units(), 500'100 * cent);
  REQUIRE_EQ(said.earlier.size(), 1);
  CHECK_EQ(said.earlier[0].left.units(), 500'030 * cent);

  const Explanation reserve = house.explained(Pool::reserve());
  CHECK_EQ(reserve.since.value(), won.number.value());
  CHECK_EQ(reserve.kept.units(), 0);
  CHECK_EQ(reserve.balance.units(), 10 * cent);

  const Explanation payout = house.explained(ClaimNumber(1));
  CHECK_EQ(payout.balance.units(), 500'210 * cent);
  CHECK_EQ(payout.sum().units(), 500'210 * cent);
  CHECK(payout.days.at(0).tables.at(0).rounds.empty());
  CHECK_EQ(house.explained(ClaimNumber(1), true).days.at(0).tables.at(0).rounds.size(), 1);
  CHECK_THROWS_AS(house.explained(ClaimNumber(2)), Fault);
}

TEST_CASE("an award that was rejected as if never hit does not begin a window") {
  House house;
  house.lock("r1", 1);
  house.win("r1");
  house.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, "two decks"});
  house.lock("r2", 1);
  const Explanation said = house.explained();
  CHECK_EQ(said.since.value(), 1);
  CHECK_EQ(said.balance.units(), 500'140 * cent);
  CHECK_EQ(said.flow.awarded.units(), -500'070 * cent);
  CHECK_EQ(said.flow.returned.units(), 500'070 * cent);
  CHECK_EQ(said.flow.seeded.units(), 0);
  REQUIRE_EQ(said.events.size(), 2);
  CHECK_EQ(said.events[0].kind, "award");
  CHECK_EQ(said.events[1].kind, "rejected");
}

TEST_CASE("days that only accrued are explained by their readings, with the same sum") {
  House house;
  house.lock("r1", 1);
  house.win("r1");
  for (int day = 0; day < 4; ++day) {
    house.end_day();
    house.lock("d" + std::to_string(day), 2);
    if (day == 2) house.lock("e", 1);
  }
  const Explanation quick = house.explained(), whole = house.explained(main_level, true);
  CHECK_EQ(quick.days_by_readings, 3);
  CHECK_EQ(whole.days_by_readings, 0);
  CHECK_EQ(quick.balance.units(), 500'010 * cent + 9 * 70 * cent);
  REQUIRE_EQ(quick.days.size(), whole.days.size());
  for (std::size_t day = 0; day < quick.days.size(); ++day) {
    CHECK(quick.days[day].flow == whole.days[day].flow);
    CHECK_EQ(quick.days[day].first.value(), whole.days[day].first.value());
    CHECK_EQ(quick.days[day].last.value(), whole.days[day].last.value());
  }
  CHECK_EQ(quick.days.at(3).flow.contributed.units(), 210 * cent);
  CHECK_EQ(quick.days.at(3).tables.at(0).contributed.units(), 210 * cent);
  const Json json = explanation_json(quick, house.state().floor(), false);
  CHECK_EQ(json["balance"], "5006.40000000");
  CHECK_EQ(json["since"]["from_reserve"], "0.10000000");
  CHECK_EQ(json["days"][1]["by"], "readings");
  CHECK_EQ(json["days"][1]["tables"][0]["table"], "RIU-01");
}

TEST_CASE(
    "the accrual-only days of a payout are explained by their readings, unless rounds are "
    "requested") {
  House house;
  house.lock("r1", 1);
  house.win("r1");
  for (int day = 0; day < 5; ++day) {
    house.end_day();
    house.lock("d" + std::to_string(day), 2);
  }
  house.win("d4");
  const ClaimNumber second(2);
  const Explanation quick = house.explained(second), whole = house.explained(second, true);
  // Neither the award's own day nor the first day of the window.
  CHECK_EQ(quick.days_by_readings, 4);
  CHECK_EQ(whole.days_by_readings, 0);
  CHECK_EQ(quick.balance.units(), 500'010 * cent + 10 * 70 * cent);
  CHECK_EQ(whole.balance.units(), quick.balance.units());
  CHECK(quick.flow == whole.flow);
  CHECK_EQ(quick.since.value(), whole.since.value());
  REQUIRE_EQ(quick.days.size(), whole.days.size());
  for (std::size_t day = 0; day < quick.days.size(); ++day) {
    CHECK(quick.days[day].flow == whole.days[day].flow);
    for (const TableShare& table : quick.days[day].tables) CHECK(table.rounds.empty());
  }
  // It reads the award and lock of the first and the last day twice, and the entries that name the
  // awards.
  CHECK(quick.entries_read < whole.entries_read);
  CHECK_FALSE(whole.days.at(2).tables.at(0).rounds.empty());
}

}  // namespace
// ---- how the amount of a claim was reached -----------------------------------------------------

Claim claim_of(Seat seat, Amount amount, std::optional<LevelIndex> level = {}) {
  Claim claim;
  claim.number = ClaimNumber(1);
  claim.entry = EntryNumber(2);
  claim.link = riu;
  claim.round = RoundId("r1");
  claim.seat = seat;
  claim.line = LineId("straight_flush");
  claim.level = level;
  claim.amount = amount;
  claim.wager = Amount::dollars(5);
  return claim;
}
Award award_of(const Claim& claim, std::uint32_t hit = 0) {
  Award award;
  award.link = claim.link;
  award.seat = claim.seat;
  award.line = claim.line;
  award.level = claim.level;
  award.amount = claim.amount;
  award.claim = claim.number;
  award.hit = hit;
  return award;
}
Entry shown(std::vector<JackpotHit> hits, std::vector<Award> awards) {
  HandsShown fact;
  fact.round = RoundId("r1");
  fact.hits = std::move(hits);
  fact.awards = std::move(awards);
  return Entry{EntryNumber(2), Timestamp::from_microseconds(3'000'000), std::nullopt, fact, {}};
}
std::string sentence_at(const Entry& entry, const Claim& claim, std::size_t at) {
  const auto payout = claim_payout(entry, claim);
  REQUIRE(payout.has_value());
  return payout_sentences(*payout, MixedFloor().state.floor()).at(at);
}

TEST_CASE("a percentage is stated only if the amounts determine it") {
  JackpotHit hit;
  hit.meter_before = Amount::cents(5'000'105);
  CHECK_EQ(percent_of(hit, Amount::cents(500'010)), 10);  // 5000.105, rounded down
  CHECK_EQ(percent_of(hit, Amount::cents(500'011)), std::nullopt);
  hit.meter_before = Amount::cents(5);
  CHECK_EQ(percent_of(hit, Amount::cents(1)), std::nullopt);  // 20 % to 39 %
  hit.meter_before = Amount();
  CHECK_EQ(percent_of(hit, Amount()), std::nullopt);
  hit.whole = true;
  CHECK_EQ(percent_of(hit, Amount::cents(1)), 100);
}

TEST_CASE(
    "a claim's payout: a percentage of the meter, a share, a fixed award, envy, and a limit") {
  const LevelIndex main(0);
  JackpotHit hit{riu, main, false, Amount::cents(500'010)};
  hit.meter_before = Amount::cents(5'000'105);
  Claim claim = claim_of(Seat(2), Amount::cents(500'010), main);
  CHECK_EQ(sentence_at(shown({hit}, {award_of(claim, 1)}), claim, 1),
           "10% of the meter, which stood at 50001.05000000, in whole cents: 5000.10");

  Claim other = claim_of(Seat(5), Amount::cents(200'005), main);
  other.number = ClaimNumber(2);
  claim.amount = Amount::cents(300'005);
  const Entry both = shown({hit}, {award_of(other, 1), award_of(claim, 1)});
  CHECK_EQ(sentence_at(both, claim, 1),
           "10% of the meter, which stood at 50001.05000000, in whole cents: 5000.10");
  CHECK_EQ(sentence_at(both, claim, 2), "shared by seat 5: 2000.05, seat 2: 3000.05");
  CHECK_EQ(sentence_at(both, claim, 3), "claim 1 is 3000.05, raised");

  Claim fixed = claim_of(Seat(3), Amount::dollars(250));
  CHECK_EQ(sentence_at(shown({}, {award_of(fixed)}), fixed, 1),
           "a fixed award of 250.00: 50 times the wager of 5.00");
  fixed.uncut = Amount::dollars(300);
  CHECK_EQ(sentence_at(shown({}, {award_of(fixed)}), fixed, 1),
           "a fixed award of 300.00: 60 times the wager of 5.00");
  CHECK_EQ(sentence_at(shown({}, {award_of(fixed)}), fixed, 2),
           "cut by the payout limit from 300.00 to 250.00");

  fixed.uncut.reset();
  Award envy = award_of(fixed);
  envy.kind = AwardKind::envy;
  envy.holder = Seat(6);
  CHECK_EQ(sentence_at(shown({}, {envy}), fixed, 0),
           "seat 3 at RIU-01, round r1, straight_flush, envy for the hand of seat 6");
  CHECK_EQ(sentence_at(shown({}, {envy}), fixed, 1),
           "a fixed award of 250.00, on the wager of 5.00");
  CHECK_FALSE(claim_payout(shown({}, {}), fixed).has_value());
}

TEST_CASE("a fixed award is explained by its payout alone") {
  const MixedFloor floor;
  const Claim claim = claim_of(Seat(3), Amount::dollars(250));
  MemoryJournal journal;
  journal.commit({encode(floor.opening), encode(shown({}, {award_of(claim)}))}, {});
  const ExplainBasis basis{EntryNumber(2), EntryNumber(1), LinkId("RIU"), {}, {}, {claim}};
  const Explanation said =
      explain(journal, basis, ExplainRequest{{}, {}, EntryNumber(2), false, claim.number});
  REQUIRE(said.is_fixed());
  const Json told = explanation_json(said, floor.state.floor(), false);
  CHECK_EQ(told.at("payout").at("amount"), "250.00");
  CHECK_EQ(told.at("payout").at("wager"), "5.00");
  CHECK(told.at("payout").at("meter").is_null());
  CHECK(told.at("level").is_null());
  CHECK(told.at("balance").is_null());
  CHECK(told.at("since").is_null());
}

}  // namespace linkmeter::explanation_test
