// The day of a fund of pots (§ 553.20) in a day's report. Each missing or different amount at the
// cage and at the display is reported once, and a new statement replaces the earlier one. Also how
// a payout is shared, to the cent.
#include "controller/accounting/day/fund_day.h"

#include <doctest/doctest.h>
#include <map>
#include <string>

#include "controller/accounting/day/distribution.h"
#include "tests/support/day_house.h"

namespace linkmeter::fund_day_test {
namespace {

using Items = std::map<std::string, std::string>;
const LinkId poker("POKER");

Items items_of(const DayReport& report) {
  Items items;
  for (const auto& [name, item] : report.finding.items) items[name] = item.difference;
  return items;
}

// A pot of $40 contributes one dollar; 80 cents of it are shown.
PlayPot pot_of(const std::string& round) {
  return {RoundId(round), Amount::dollars(40), {}, false, {}, Badge()};
}

// Aces full, beaten by four kings: seat 2 loses and gets the larger part, seat 5 wins. Seats 1 and
// 7 were dealt in and folded.
PlayPot bad_beat(const std::string& round) {
  PlayPot pot;
  pot.round = RoundId(round);
  pot.pot = Amount::dollars(200);
  pot.board = cards_of({"Ac", "Kh", "Kd", "2c", "3c"});
  pot.showdown = true;
  pot.hands = {{Seat(1), {}, true, Amount()},
               {Seat(2), cards_of({"Ah", "Ad"}), false, Amount()},
               {Seat(5), cards_of({"Ks", "Kc"}), false, Amount::dollars(199)},
               {Seat(7), {}, true, Amount()}};
  return pot;
}

struct DiskSpace : DayHouse {
  EntryNumber adjust(Amount kept) {
    return take("FM-1", AdjustDisplay{poker, kept, std::nullopt, "", Badge("F-1")});
  }
  void count_box(GamingDay day, Amount amount) {
    take("D-1", RecordCount{day, CountKind::poker_box, TableId("P-01"), poker, amount, "",
                            Badge("F-1"), "R. Diaz", "camera 12"});
  }
  EntryNumber move(GamingDay day, std::optional<Amount> verified) {
    return take(
        "C-1",
        MoveFund{
            day, poker, {TableId("P-01")}, verified, "container 7", Badge("S-1"), Badge("F-1")});
  }
  Json fund_of(GamingDay day) const { return link_in(json_of(day), "POKER").at("fund"); }
};

}  // namespace

TEST_CASE("a day without pots has no items, and neither has a complete day") {
  DiskSpace room;
  const GamingDay quiet = room.end_day();
  CHECK(items_of(room.report_of(quiet)).empty());
  room.take("P-01", pot_of("h1"));
  room.take("P-01", pot_of("h2"));
  room.adjust(Amount::cents(50'160));
  const GamingDay day = room.end_day_told();
  room.count_box(day, Amount::dollars(2));
  const EntryNumber moved = room.move(day, Amount::dollars(2));
  CHECK(items_of(room.report_of(day)).empty());
  const Json fund = room.fund_of(day);
  const Json& box = fund.at("boxes").at(0);
  CHECK_EQ(box.at("table"), "P-01");
  CHECK_EQ(box.at("pots"), 2);
  CHECK_EQ(box.at("contributed"), "2.00");
  CHECK_EQ(box.at("counted"), "2.00");
  CHECK_EQ(box.at("by"), "D-1");
  CHECK_EQ(box.at("witness"), "F-1");
  CHECK_EQ(box.at("transfer"), moved.value());
  const Json& transfer = fund.at("transfers").at(0);
  CHECK_EQ(transfer.at("tables"), Json::array({"P-01"}));
  CHECK_EQ(transfer.at("verified"), "2.00");
  CHECK_EQ(transfer.at("difference"), "0.00");
  CHECK_EQ(transfer.at("carried_by"), "S-1");
  CHECK_EQ(transfer.at("accounted_by"), "F-1");
  CHECK_EQ(transfer.at("by"), "C-1");
  const Json& display = fund.at("displays").at(0);
  CHECK_EQ(display.at("shown"), "501.60");
  CHECK_EQ(display.at("kept"), "501.60");
  CHECK_EQ(display.at("witness"), "F-1");
  CHECK_EQ(link_in(room.json_of(day), "C4").contains("fund"), false);
}

// the fund collects no more, and can still be won.
TEST_CASE("the boxes of a stopped fund are counted for its last day of collecting only") {
  DiskSpace room;
  room.end_day();
  room.take("P-01", pot_of("h1"));
  room.both(StopCollecting{poker, "the room closes"});
  room.take("P-01", pot_of("h2"));
  room.adjust(Amount::cents(50'080));
  const GamingDay last = room.end_day_told();
  CHECK((items_of(room.report_of(last)) == Items{{"box_missing/POKER/P-01", "1.00"}}));
  room.take("P-01", pot_of("h3"));
  room.adjust(Amount::cents(50'080));
  const GamingDay after = room.end_day_told();
  CHECK(items_of(room.report_of(after)).empty());
  room.count_box(after, Amount::dollars(1));  // a box was counted all the same
  CHECK_EQ(items_of(room.report_of(after)).count("box/POKER/P-01"), 1);
}

TEST_CASE("counted boxes must arrive at the cage with the counted sum") {
  DiskSpace room;
  room.take("P-01", pot_of("h1"));
  room.take("P-01", pot_of("h2"));
  room.adjust(Amount::cents(50'160));
  const GamingDay day = room.end_day_told();
  room.count_box(day, Amount::dollars(2));
  CHECK_EQ(items_of(room.report_of(day)), Items{{"cage_missing/POKER", "2.00"}});
  room.move(day, Amount::cents(150));
  CHECK_EQ(items_of(room.report_of(day)), Items{{"cage/POKER", "-0.50"}});
  room.move(day, Amount::dollars(2));  // counted again
  CHECK(items_of(room.report_of(day)).empty());
  CHECK_EQ(room.fund_of(day).at("transfers").at(0).at("stands"), false);
  CHECK_EQ(room.fund_of(day).at("transfers").at(1).at("stands"), true);
  // The box is counted again after it reached the cage: the two counts differ.
  room.count_box(day, Amount::dollars(3));
  CHECK_EQ(items_of(room.report_of(day)),
           Items{{"box/POKER/P-01", "1.00"}, {"cage/POKER", "-1.00"}});
}

TEST_CASE("a box that was counted at its table is not transferred as uncounted") {
  DiskSpace room;
  room.take("P-01", pot_of("h1"));
  room.adjust(Amount::cents(50'080));
  const GamingDay day = room.end_day_told();
  room.count_box(day, Amount::dollars(1));
  room.move(day, std::nullopt);
  CHECK_EQ(items_of(room.report_of(day)), Items{{"cage_missing/POKER", "1.00"}});
  room.move(day, Amount::dollars(1));
  CHECK(items_of(room.report_of(day)).empty());
}

TEST_CASE("locked boxes are counted at the cage, so no sum is compared") {
  DiskSpace room;
  room.take("P-01", pot_of("h1"));
  room.adjust(Amount::cents(50'080));
  const GamingDay day = room.end_day_told();
  room.move(day, std::nullopt);
  CHECK_EQ(items_of(room.report_of(day)), Items{{"box_missing/POKER/P-01", "1.00"}});
  room.take("C-1", RecordCount{day, CountKind::poker_box, TableId("P-01"), poker,
                               Amount::dollars(1), "", Badge("S-1"), "R. Diaz"});
  CHECK(items_of(room.report_of(day)).empty());
  CHECK(room.fund_of(day).at("transfers").at(0).at("verified").is_null());
}

TEST_CASE("an empty box need not be carried") {
  DiskSpace room;
  const GamingDay day = room.end_day();
  room.count_box(day, Amount());
  CHECK(items_of(room.report_of(day)).empty());
}

TEST_CASE("the display is adjusted on each day with pots and compared with what finance keeps") {
  DiskSpace room;
  room.take("P-01", pot_of("h1"));
  const auto boxed = [&room](GamingDay day, std::int64_t dollars) {
    room.count_box(day, Amount::dollars(dollars));
    room.move(day, Amount::dollars(dollars));
    return items_of(room.report_of(day));
  };
  CHECK_EQ(boxed(room.end_day_told(), 1), Items{{"display_missing/POKER", "1 pot"}});
  room.take("P-01", pot_of("h2"));
  room.take("P-01", pot_of("h3"));
  room.adjust(Amount::cents(50'140));  // 502.40 is shown
  const GamingDay second = room.end_day_told();
  CHECK_EQ(boxed(second, 2), Items{{"fund/POKER", "-1.00"}});
  // A count after the day's end replaces the earlier one for the day's end.
  room.take("C-1", RecordCount{second, CountKind::fund_kept, TableId(), poker,
                               Amount::cents(50'240), "", Badge("S-1")});
  CHECK(items_of(room.report_of(second)).empty());
  // Within the day, the last statement counts.
  room.take("P-01", pot_of("h4"));
  room.adjust(Amount::dollars(1));
  room.adjust(Amount::cents(50'320));
  CHECK(boxed(room.end_day_told(), 1).empty());
}

TEST_CASE(
    "a verified Bad Beat needs an adjustment at once; clearing the notice by hand is not one") {
  DiskSpace room;
  room.adjust(Amount::dollars(500));
  room.take("P-01", bad_beat("h1"));
  room.take("PSS-1", PostNotice{poker, true});
  const EntryNumber verified = room.take("PSS-1", ValidateClaim{ClaimNumber(1)});
  for (std::uint64_t claim = 2; claim <= 4; ++claim) {
    room.take("PSS-1", ValidateClaim{ClaimNumber(claim)});
  }
  room.take("PSS-1", PostNotice{poker, false});
  const GamingDay day = room.end_day_told();
  const Items items = items_of(room.report_of(day));
  CHECK_EQ(items.at("display_missing/POKER"), "since entry " + std::to_string(verified.value()));
  std::string kinds;
  const Json report = room.json_of(day);
  for (const Json& event : report.at("events")) {
    kinds += event.at("kind").get<std::string>() + " ";
  }
  CHECK_EQ(kinds, "display_adjusted notice_posted notice_cleared ");
  // Adjusted between its claims: the hit was known with the first.
  room.take("P-01", bad_beat("h2"));
  room.take("PSS-1", ValidateClaim{ClaimNumber(5)});
  room.adjust(Amount());
  room.take("PSS-1", ValidateClaim{ClaimNumber(6)});
  CHECK_EQ(items_of(room.report_of(room.end_day_told())).count("display_missing/POKER"), 0);
}

TEST_CASE(
    "a distribution states every share to the cent, the verifier, and the display's adjustment") {
  DiskSpace room;
  room.take("P-01", bad_beat("h1"));  // 500.80 is shown: 80 cents of the pot's own contribution
  const auto told = [&room](std::uint64_t number) {
    const Claim& claim = *room.state().find_claim(ClaimNumber(number));
    return distribution_json(room.journal(), hit_of(room.state(), claim), room.state().floor());
  };
  const Json before = told(1);
  CHECK_EQ(before, told(4));
  CHECK_EQ(before.at("award"), "500.80");
  CHECK_EQ(before.at("sum"), "500.80");
  CHECK_EQ(before.at("difference"), "0.00");
  CHECK_EQ(before.at("line"), "full_house");
  CHECK(before.at("notice_posted").is_null());
  CHECK(before.at("display_adjusted").is_null());
  // 50% is 250.40, 25% is 125.20, and 25% for two is 62.60 each.
  std::string shares;
  for (const Json& share : before.at("shares")) {
    shares += share.at("seat").dump() + " " + share.at("for").get<std::string>() + " " +
              share.at("part").get<std::string>() + "/" + share.at("among").dump() + " " +
              share.at("amount").get<std::string>() + ", ";
  }
  CHECK_EQ(shares,
           "7 table 25%/2 62.60, 5 winning_hand 25%/1 125.20, 2 losing_hand 50%/1 250.40, "
           "1 table 25%/2 62.60, ");
  CHECK_EQ(before.at("shares").at(2).at("hand"), Json::array({"Ah", "Ad"}));
  const EntryNumber posted = room.take("PSS-1", PostNotice{poker, true});
  room.take("PSS-1", ValidateClaim{ClaimNumber(1)});
  const EntryNumber adjusted = room.adjust(Amount::cents(20));
  const Json after = told(2);
  CHECK_EQ(after.at("shares").at(0).at("verified_by"), "PSS-1");
  CHECK(after.at("shares").at(1).at("verified_by").is_null());
  CHECK_EQ(after.at("notice_posted").at("entry"), posted.value());
  CHECK_EQ(after.at("notice_cleared").at("entry"), adjusted.value());
  CHECK_EQ(after.at("display_adjusted").at("witness"), "F-1");
  CHECK_EQ(after.at("display_adjusted").at("kept"), "0.20");
  CHECK_EQ(after.at("display_adjusted").at("shown"), "0.20");  // the reserve opened the next one
}

TEST_CASE("a hit is verified once, even if another of its seats is validated on the next day") {
  DiskSpace room;
  room.take("P-01", bad_beat("h1"));
  room.take("PSS-1", ValidateClaim{ClaimNumber(1)});
  room.adjust(Amount::cents(20));
  const GamingDay first = room.end_day_told();
  CHECK_EQ(items_of(room.report_of(first)).count("display_missing/POKER"), 0);
  room.take("PSS-1", ValidateClaim{ClaimNumber(2)});
  const GamingDay second = room.end_day_told();
  CHECK_EQ(items_of(room.report_of(second)).count("display_missing/POKER"), 0);
}

TEST_CASE("a distribution reports when its own notice was cleared") {
  DiskSpace room;
  room.take("PSS-1", PostNotice{poker, true});  // for an earlier hit
  room.take("P-01", bad_beat("h1"));
  const auto told = [&room] {
    const Claim& claim = *room.state().find_claim(ClaimNumber(1));
    return distribution_json(room.journal(), hit_of(room.state(), claim), room.state().floor());
  };
  room.take("PSS-1", PostNotice{poker, false});
  CHECK(told().at("notice_cleared").is_null());
  const EntryNumber posted = room.take("PSS-1", PostNotice{poker, true});
  CHECK_EQ(told().at("notice_posted").at("entry"), posted.value());
  CHECK(told().at("notice_cleared").is_null());
  const EntryNumber cleared = room.both(CorrectMeter{poker, LevelId("main"), Amount::cents(1),
                                                     CorrectionReason::display_adjustment, ""});
  CHECK_EQ(told().at("notice_cleared").at("entry"), cleared.value());
}

TEST_CASE("a claim of another progressive has no distribution") {
  DiskSpace room;
  room.take("RIU-01", raise_it_up("r1", 1));
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(1), cards_of({"As", "Ks", "Qs"}), false, Amount()}};
  room.take("RIU-01", show);
  CHECK(hit_of(room.state(), *room.state().find_claim(ClaimNumber(1))).empty());
}

}  // namespace linkmeter::fund_day_test
