// The links that an entry is about, for every kind of fact and of dual-control act.
#include "controller/accounting/export/entry_links.h"

#include <doctest/doctest.h>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/capture_binding.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::entry_links_test {
namespace {

const std::string every = "RIU C4 RUN POKER FOUR HAND BEAT PAI FORTUNE EMPEROR PRIME";
constexpr TableIndex c4_01(1), c4_03(6), pg_01(8);
constexpr LinkIndex c4(1), poker(3), four(4), run(2);
constexpr ClaimNumber claim(1);
constexpr SlipNumber slip(1);
const Badge by("TGM-1");
const RoundId round_r("r");
constexpr Amount dollar = Amount::dollars(1);

// A floor with claim 1 of link C4, and its slip 1.
class House {
 public:
  House() {
    floor_.take("C4-01", lock_of("r1", {five_card(3)}));
    floor_.take("C4-01", royal_flush_of("r1", 3));
    floor_.take("F-1", ValidateClaim{claim});
    floor_.take("C-1", IssueSlip{claim, PaymentSource::hand_pay});
    REQUIRE(floor_.state.find_slip(slip) != nullptr);
  }
  [[nodiscard]] const State& state() const { return floor_.state; }
  // The ids of the links that the fact is about, in their order.
  [[nodiscard]] std::string links(const Fact& fact, std::optional<TableIndex> origin = {},
                                  std::vector<Posting> postings = {}) const {
    Entry entry{EntryNumber(2), {}, {}, fact, std::move(postings)};
    if (origin) entry.origin = Origin{*origin, MessageNumber(1), {}, {}};
    std::string names;
    for (const LinkIndex link : links_of(entry, state())) {
      const bool is_known = link.value() < state().floor().links.size();
      names += (names.empty() ? "" : " ") +
               (is_known ? state().floor().link(link).id.text() : "unknown");
    }
    return names;
  }

 private:
  MixedFloor floor_;
};

struct Case {
  Fact fact;
  std::string links;
  std::optional<TableIndex> origin = {};
};

std::vector<Award> awards_of_link(LinkIndex link) {
  Award award;
  award.link = link;
  return {award};
}
const RejectedClaims rejected_claim{{claim}, {{claim}, {}}};

std::vector<Case> play() {
  const std::vector<PlacedWager> on_four{{Seat(1), four, dollar}};
  RoundVoided voided{round_r, "misdeal", on_four, by};
  HandVoided hand{round_r, Seat(1), "", on_four, awards_of_link(four), rejected_claim, by};
  HandCorrected corrected;
  corrected.table = c4_03;
  DealerCorrected dealer;
  dealer.table = pg_01;
  dealer.rejected = rejected_claim;
  PotPlayed pot;
  pot.link = poker;
  PotCorrected pot_corrected;
  pot_corrected.link = poker;
  pot_corrected.table = TableIndex(4);
  return {
      {RoundLocked{round_r, on_four, {}, by}, "FOUR", c4_03},
      {CountMismatched{round_r, on_four, 1, 2, by}, "FOUR", c4_03},
      {CountResolved{round_r, on_four, by}, "FOUR", c4_03},
      {HandsShown{round_r, {}, {}, {}, {}, {}, by}, "FOUR HAND", c4_03},
      {HandsShown{
           round_r, {}, {}, {}, {{run, LevelIndex(0), true, dollar}}, awards_of_link(c4), by},
       "C4 RUN FOUR HAND", c4_03},
      {RoundClosed{round_r, by}, "PAI FORTUNE EMPEROR", pg_01},
      {voided, "FOUR HAND", c4_03},
      {hand, "C4 FOUR HAND", c4_03},
      {MessageRefused{Refusal::seat_unknown}, "C4", c4_01},
      {corrected, "FOUR HAND"},
      {dealer, "C4 PAI FORTUNE EMPEROR"},
      {pot, "POKER", TableIndex(4)},
      {pot_corrected, "POKER"},
      {TableFrozen{c4_03, "seal", by}, "FOUR HAND"},
      {CountersReported{
           c4_01, MessageNumber(1), MessageNumber(1), {{c4, 1, 1, dollar}}, {{four, 1, 1, dollar}}},
       "C4 FOUR"}};
}

std::vector<Case> claims() {
  return {{ClaimValidated{claim, by, false, {}, awards_of_link(run)}, "C4 RUN"},
          {ClaimPaid{claim, PaymentSource::hand_pay, by, slip}, "C4"},
          {ClaimRejected{claim, RejectReason::hand_misread, "", false, by}, "C4"},
          {ClaimRejected{ClaimNumber(77), RejectReason::hand_misread, "", false, by}, ""},
          {ClaimCountersigned{claim, by}, "C4"},
          {SlipIssued{slip, claim, PaymentSource::hand_pay, dollar, dollar, false, {}, by}, "C4"},
          {SlipVoided{slip, VoidReason::misprint, "", by}, "C4"},
          {SlipStored{slip, {}}, "C4"},
          {SlipStored{SlipNumber(77), {}}, ""}};
}

std::vector<Case> house() {
  const GamingDay day = GamingDay::from_number(20'000);
  CountRecorded count;
  count.link = poker;
  FundMoved moved;
  moved.link = poker;
  DisplayAdjusted adjusted;
  adjusted.link = poker;
  const auto explained = [day](const std::string& item) {
    return VarianceExplained{day, item, "1", "n", {}, by};
  };
  return {{FloorOpened{}, every},
          {LinkSuspended{c4, "", by}, "C4"},
          {LinkSuspended{LinkIndex(77), "", by}, "unknown"},
          {NoticePosted{poker, true, by}, "POKER"},
          {count, "POKER"},
          {moved, "POKER"},
          {adjusted, "POKER"},
          {explained("count/FOUR/C4-03"), "FOUR"},
          {explained("balance/C4/mega"), "C4"},
          {explained("counters/C4-03/HAND"), "HAND"},
          {explained("claim/1"), "C4"},
          {explained("clock/4"), ""},
          {DayEnded{day, {}, {}}, every},
          {ReadingTaken{{}, {}, "", by}, every},
          {DaySigned{day, {}, by}, every},
          {DayClosed{day, {}, by}, every},
          {HistoryRestored{}, every},
          {ClockDoubted{}, every},
          {ClockReturned{}, every},
          {CommandRejected{"propose", Refusal::link_not_suspended, by, "C4"}, "C4"},
          {CommandRejected{"propose", Refusal::seed_changed, by, "FOUR main"}, "FOUR"},
          {CommandRejected{"sign_day", Refusal::claims_pending, by, "claim/1"}, "C4"},
          {CommandRejected{"propose", Refusal::right_missing, by}, ""},
          {PinChanged{by, "pin"}, ""},
          {SignedIn{by}, ""},
          {SignInFailed{by}, ""},
          {Recovered{by, "pin", {1}}, ""},
          {RecoveryFailed{by, {}}, ""},
          {PinsTried{}, ""},
          {SelfChecked{}, ""},
          {ClockChanged{}, ""},
          {HeadSigned{}, ""},
          {WriterChanged{}, ""}};
}

std::vector<std::pair<DualControlCommand, std::string>> acts() {
  const LevelId main("main");
  const auto change = [](std::vector<std::string> lines) {
    ChangeParameters parameters;
    parameters.changes = std::move(lines);
    return parameters;
  };
  return {
      {ResumeLink{LinkId("C4")}, "C4"},
      {ResumeLinks{{{LinkId("RIU"), "flood"}, {LinkId("C4"), "flood"}}}, "RIU C4"},
      {CorrectMeter{LinkId("C4"), main, dollar, CorrectionReason::mispaid_award, ""}, "C4"},
      {TransferMeter{LinkId("RIU"), main, LinkId("C4"), main, dollar, TransferReason::merged, ""},
       "RIU C4"},
      {StopCollecting{LinkId("POKER"), ""}, "POKER"},
      {Discontinue{LinkId("POKER"), LinkId("C4"), main, ""}, "C4 POKER"},
      {Discontinue{LinkId("POKER"), {}, {}, ""}, "POKER"},
      {UnfreezeTable{TableId("C4-03")}, "FOUR HAND"},
      {change({"FOUR limit 1.00 -> 2.00", "RUN maximum 1.00 -> 2.00"}), "RUN FOUR"},
      {change({"PG-01 pace 60 -> 70"}), "PAI FORTUNE EMPEROR"},
      {change({"house name A -> B"}), every},
      {change({"chapter crazy-4 is another one than in force"}), every},
      {change({}), every},
      {AcceptHistory{}, every},
      {ConfirmClock{}, every},
      {AddPerson{}, ""},
      {RemovePerson{}, ""},
      {SetRoles{}, ""},
      {ResetPin{}, ""},
      {Enrol{}, ""},
      {Revoke{}, ""},
      {ReplaceKey{}, ""},
      {NewRecoveryCodes{}, ""},
      {LeaveCluster{}, ""}};
}

}  // namespace

TEST_CASE("every kind of fact is about the links that it names by index, claim or table") {
  const House house;
  std::set<std::size_t> kinds;
  for (const auto& some : {play(), claims(), entry_links_test::house()}) {
    for (const Case& one : some) {
      CAPTURE(name(one.fact));
      CHECK_EQ(house.links(one.fact, one.origin), one.links);
      kinds.insert(one.fact.index());
    }
  }
  // The two facts that contain an act are in the next case.
  CHECK_EQ(kinds.size() + 2, std::variant_size_v<Fact>);
}

TEST_CASE("an act by two persons is about its links, when it is proposed and when it is done") {
  const House house;
  std::set<std::size_t> kinds;
  for (const auto& [act, links] : acts()) {
    CAPTURE_BINDING(summary(act));
    CHECK_EQ(house.links(ActProposed{ProposalNumber(1), act, by}), links);
    CHECK_EQ(house.links(ActConfirmed{ProposalNumber(1), act, by, by}), links);
    kinds.insert(act.index());
  }
  CHECK_EQ(kinds.size(), std::variant_size_v<DualControlCommand>);
}

TEST_CASE("an entry is about every link whose money its postings move") {
  const House house;
  const Posting posting{Account::meter, four, Pool::reserve(), dollar};
  CHECK_EQ(house.links(SignedIn{by}, {}, {posting}), "FOUR");
  CHECK_EQ(house.links(RoundClosed{round_r, by}, c4_01, {posting}), "C4 FOUR");
}

}  // namespace linkmeter::entry_links_test
