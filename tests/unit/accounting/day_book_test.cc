// The meters in a day's report. The expected figures are computed here from the rules of money, not
// copied from a report. Raise It Up: seed $5,000, 14% and 2%, wagers of $5: $0.70 and $0.10 each.
#include "controller/accounting/day/day_book.h"

#include <doctest/doctest.h>
#include <string>

#include "tests/support/day_house.h"

namespace linkmeter::day_book_test {
namespace {

ShowHands spades(const std::string& round, std::uint8_t seat) {
  ShowHands show;
  show.round = RoundId(round);
  show.hands = {{Seat(seat), cards_of({"As", "Ks", "Qs"}), false, Amount()}};
  return show;
}

PlayPot pot_of(const std::string& round, std::int64_t dollars) {
  return {RoundId(round), Amount::dollars(dollars), {}, false, {}, Badge()};
}

void settle(DayHouse& house, std::uint64_t claim, PaymentSource source) {
  house.take("F-1", ValidateClaim{ClaimNumber(claim)});
  house.take("C-1", IssueSlip{ClaimNumber(claim), source});
  const SlipNumber slip(house.state().slips().size());
  house.take("C-1", PayClaim{ClaimNumber(claim), source, slip});
}

// closing = opening + flows, as in day_report.h, computed in units by the test itself.
std::int64_t units(const Json& amount) {
  std::string digits = amount.get<std::string>();
  digits.erase(digits.find('.'), 1);
  return std::stoll(digits);
}
void check_adds_up(const Json& report) {
  for (const Json& link : report.at("links")) {
    for (const Json& level : link.at("levels")) {
      CAPTURE(level.dump());
      CHECK_EQ(units(level.at("closing")),
               units(level.at("opening")) + units(level.at("contributed")) -
                   units(level.at("overflowed")) + units(level.at("seeded")) +
                   units(level.at("corrected")) + units(level.at("transferred")) +
                   units(level.at("from_reserve")) - units(level.at("awarded")) +
                   units(level.at("returned")) + units(level.at("withheld_closing")) -
                   units(level.at("withheld_opening")));
      CHECK_EQ(units(level.at("pending_closing")),
               units(level.at("pending_opening")) + units(level.at("awarded")) -
                   units(level.at("returned")) - units(level.at("paid")));
    }
    const Json& reserve = link.at("reserve");
    CAPTURE(reserve.dump());
    CHECK_EQ(units(reserve.at("closing")),
             units(reserve.at("opening")) + units(reserve.at("contributed")) +
                 units(reserve.at("overflow")) + units(reserve.at("corrected")) +
                 units(reserve.at("transferred")) - units(reserve.at("to_levels")) +
                 units(reserve.at("withheld_closing")) - units(reserve.at("withheld_opening")));
  }
}

}  // namespace

TEST_CASE("the first day of a journal opens with nothing, and its seeds are the day's") {
  DayHouse house;
  const Json report = house.json_of(house.end_day());
  const Json& main = level_in(report, "RIU", "main");
  CHECK_EQ(main.at("opening"), "0.00000000");
  CHECK_EQ(main.at("seeded"), "5000.00000000");
  CHECK_EQ(main.at("closing"), "5000.00000000");
  CHECK_EQ(main.at("liability"), "0.00000000");
  CHECK_EQ(report.at("entries").at("first"), 1);
  CHECK_EQ(report.at("entries").at("last"), 2);
  CHECK_EQ(report.at("begins_at"), "2026-11-21T11:00:00.000000Z");
  CHECK_EQ(report.at("ends_at"), "2026-11-22T11:00:00.000000Z");
  CHECK_EQ(report.at("zone"), "America/New_York");
  CHECK_EQ(report.at("control").at("sum"), "0.00000000");
  check_adds_up(report);
}

TEST_CASE("the next day opens where the last one closed and has only its own entries") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 3));
  house.end_day_told();
  const EntryNumber first = house.state().days().back().ended.next();
  house.take("RIU-01", raise_it_up("r2", 2));
  const Json report = house.json_of(house.end_day_told());
  const Json& main = level_in(report, "RIU", "main");
  CHECK_EQ(main.at("opening"), "5002.10000000");
  CHECK_EQ(main.at("contributed"), "1.40000000");
  CHECK_EQ(main.at("seeded"), "0.00000000");
  CHECK_EQ(main.at("closing"), "5003.50000000");
  CHECK_EQ(main.at("liability"), "3.50000000");
  CHECK_EQ(report.at("entries").at("first"), first.value());
  const Json& table = link_in(report, "RIU").at("tables").at(0);
  CHECK_EQ(table.at("rounds"), 1);
  CHECK_EQ(table.at("wagers"), 2);
  CHECK_EQ(table.at("handle"), "10.00");
  CHECK_EQ(table.at("contributed").at("main"), "1.40000000");
  CHECK_EQ(table.at("contributed").at("reserve"), "0.20000000");
  CHECK(report.at("items").empty());
  check_adds_up(report);
}

TEST_CASE("the void of yesterday's round is withheld today, and the next wagers repay it") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 3));
  house.end_day_told();
  house.take("RIU-01", VoidRound{RoundId("r1"), "misdeal", Badge()});
  house.take("RIU-01", raise_it_up("r2", 1));
  const Json report = house.json_of(house.end_day_told());
  const Json& main = level_in(report, "RIU", "main");
  CHECK_EQ(main.at("contributed"), "-1.40000000");  // 1 x 0.70 - 3 x 0.70
  CHECK_EQ(main.at("withheld_opening"), "0.00000000");
  CHECK_EQ(main.at("withheld_closing"), "1.40000000");
  CHECK_EQ(main.at("closing"), "5002.10000000");  // the meter may not be lowered
  const Json& table = link_in(report, "RIU").at("tables").at(0);
  CHECK_EQ(table.at("rounds"), 0);
  CHECK_EQ(table.at("wagers"), -2);
  CHECK_EQ(table.at("handle"), "-10.00");
  CHECK(report.at("items").empty());
  check_adds_up(report);
}

TEST_CASE("a day with a win: the award, the reseed, the reserve and the payment") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 2));
  house.take("RIU-01", spades("r1", 2));
  settle(house, 1, PaymentSource::hand_pay);
  const Json report = house.json_of(house.end_day_told());
  const Json& main = level_in(report, "RIU", "main");
  CHECK_EQ(main.at("awarded"), "5001.40000000");
  CHECK_EQ(main.at("paid"), "5001.40000000");
  CHECK_EQ(main.at("seeded"), "10000.00000000");  // the seed, and the reseed
  CHECK_EQ(main.at("from_reserve"), "0.20000000");
  CHECK_EQ(main.at("closing"), "5000.20000000");
  CHECK_EQ(main.at("hits"), 1);
  CHECK_EQ(link_in(report, "RIU").at("reserve").at("to_levels"), "0.20000000");
  const Json& table = link_in(report, "RIU").at("tables").at(0);
  // With Envy for seat 1.
  CHECK_EQ(table.at("attendant_paid"), "5501.40");
  CHECK_EQ(table.at("device_paid"), "0.00");
  CHECK_EQ(table.at("progressive_paid"), "5501.40");
  CHECK_EQ(link_in(report, "RIU").at("fixed_awards").at("amount"), "500.00");
  CHECK(report.at("items").empty());
  check_adds_up(report);
}

TEST_CASE(
    "a rejected claim returns to the meter: with its reseed and reserve, or without if a later hit "
    "stands") {
  for (const bool is_won_again : {false, true}) {
    CAPTURE(is_won_again);
    DayHouse house;
    house.take("RIU-01", raise_it_up("r1", 2));
    house.take("RIU-01", spades("r1", 2));
    if (is_won_again) {
      house.take("RIU-01", raise_it_up("r2", 2));
      house.take("RIU-01", spades("r2", 1));
      settle(house, 2, PaymentSource::hand_pay);
    }
    house.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, "a ten"});
    const Json report = house.json_of(house.end_day_told());
    const Json& main = level_in(report, "RIU", "main");
    CHECK_EQ(main.at("returned"), "5001.40000000");
    CHECK_EQ(main.at("seeded"), is_won_again ? "15000.00000000" : "5000.00000000");
    // Won again at 5000.20 + 1.40; the second reserve comes from two wagers.
    CHECK_EQ(main.at("closing"), is_won_again ? "10001.60000000" : "5001.40000000");
    CHECK_EQ(main.at("from_reserve"), is_won_again ? "0.40000000" : "0.00000000");
    CHECK_EQ(main.at("hits"), is_won_again ? 1 : 0);
    const Json& event = one_of(report.at("events"), "kind", "claim_rejected");
    CHECK((event.at("words").get<std::string>().find("stay where they are") != std::string::npos) ==
          is_won_again);
    const Json& table = link_in(report, "RIU").at("tables").at(0);
    // The paid claim, and $500.00 of Envy for its hand. Envy for the rejected hand is not due. No
    // device pays for chips (§ 605a.7).
    CHECK_EQ(table.at("attendant_paid"), is_won_again ? "5501.60" : "0.00");
    CHECK_EQ(table.at("device_paid"), "0.00");
    CHECK(report.at("items").empty());
    check_adds_up(report);
  }
}

// FOUR: seed $5,000, limit $25,100, 25% and 5% of $5: $1.25 and $0.25.
TEST_CASE("a day with a correction, and with overflow to the reserve") {
  DayHouse house;
  house.both(CorrectMeter{LinkId("FOUR"), LevelId("main"), Amount::dollars(20'099),
                          CorrectionReason::regulator_order, "order 7"});
  house.take("C4-03", lock_of("r1", {wager_on("crazy-4/four-card", 1, 5)}));
  house.both(TransferMeter{LinkId("FOUR"), LevelId("reserve"), LinkId("RIU"), LevelId("main"),
                           Amount::cents(30), TransferReason::merged, "as one"});
  const Json report = house.json_of(house.end_day_told());
  const Json& main = level_in(report, "FOUR", "main");
  CHECK_EQ(main.at("corrected"), "20099.00000000");
  CHECK_EQ(main.at("contributed"), "1.25000000");
  CHECK_EQ(main.at("overflowed"), "0.25000000");
  CHECK_EQ(main.at("closing"), "25100.00000000");
  const Json& reserve = link_in(report, "FOUR").at("reserve");
  CHECK_EQ(reserve.at("overflow"), "0.25000000");
  CHECK_EQ(reserve.at("transferred"), "-0.30000000");
  CHECK_EQ(reserve.at("closing"), "0.20000000");
  CHECK_EQ(level_in(report, "RIU", "main").at("transferred"), "0.30000000");
  one_of(report.at("events"), "kind", "correction");
  one_of(report.at("events"), "kind", "transfer");
  CHECK(report.at("items").empty());
  check_adds_up(report);
}

// Hit and Run on $3 and $1: the dealer's eight cards share the meter; a five-card hand pays 7 for
// 1.
TEST_CASE("a shared award leaves the meter once; a fixed award never does") {
  DayHouse house;
  const auto lock = [&](const std::string& round) {
    house.take("BJ-01", lock_of(round, {wager_on("blackjack/hit-and-run", 1, 3),
                                        wager_on("blackjack/hit-and-run", 2, 1)}));
  };
  const auto dealt = [&](const std::string& round, const std::vector<std::string>& cards) {
    ShowHands show;
    show.round = RoundId(round);
    show.dealer = cards_of(cards);
    house.take("BJ-01", show);
  };
  lock("r1");
  dealt("r1", {"2c", "2d", "2h", "2s", "3c", "3d", "3h", "4c"});
  const std::size_t claims = house.state().claims().size();
  lock("r2");
  dealt("r2", {"2c", "3d", "4h", "5s", "6c"});
  const Json report = house.json_of(house.end_day());
  const Json& main = level_in(report, "RUN", "main");
  CHECK_EQ(claims, 2);
  CHECK_EQ(main.at("awarded"), "1000.48000000");  // 1,000 + 12% of 4
  CHECK_EQ(main.at("pending_closing"), "1000.48000000");
  CHECK_EQ(main.at("hits"), 1);
  CHECK_EQ(main.at("closing"), "1000.60000000");  // reseed, reserve of round 1, 12% of 4
  const Json& fixed = link_in(report, "RUN").at("fixed_awards");
  const std::int64_t paid = fixed.at("count").get<int>() + fixed.at("claim_count").get<int>();
  CHECK_EQ(paid, 2);
  CHECK_EQ(units(fixed.at("amount")) + units(fixed.at("claimed")), 2'800);  // 7 x 4, in cents
  CHECK_EQ(report.at("claims_pending").size(), house.state().claims().size());
  check_adds_up(report);
}

// Four aces on the Fortune Bonus: $125 for $5, and Envy of $5 to seat 1 (§ 645a.12). Neither needs
// a claim.
TEST_CASE("a hand correction reverses the award that was paid at once") {
  DayHouse house;
  house.take("PG-01", lock_of("r1", {wager_on("pai-gow-poker/fortune-bonus", 1, 5),
                                     wager_on("pai-gow-poker/fortune-bonus", 2, 5)}));
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(2), cards_of({"As", "Ah", "Ad", "Ac", "2c", "3d", "9h"}), false, Amount()}};
  house.take("PG-01", show);
  house.take("F-1", CorrectHand{TableId("PG-01"), RoundId("r1"), Seat(2),
                                cards_of({"As", "Kh", "Qd", "Tc", "2c", "3d", "9h"}), false,
                                HandReason::misread_card, "one ace"});
  const Json report = house.json_of(house.end_day_told());
  const Json& fixed = link_in(report, "FORTUNE").at("fixed_awards");
  CHECK_EQ(fixed.at("count"), 2);
  CHECK_EQ(fixed.at("amount"), "130.00");
  CHECK_EQ(fixed.at("reversed"), "130.00");
  const Json& table = one_of(link_in(report, "FORTUNE").at("tables"), "table", "PG-01");
  CHECK_EQ(table.at("progressive_paid"), "0.00");
  one_of(report.at("events"), "kind", "hand_corrected");
  CHECK(report.at("items").empty());
  check_adds_up(report);
}

// Seat 2's royal flush: the validation of its claim pays Envy of $5,000 to seat 1. Another
// floorperson finds a nine among the cards before the claim is paid.
TEST_CASE("a claim that is rejected after its validation takes back its Envy") {
  DayHouse house;
  house.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  house.take("C4-01", royal_flush_of("r1", 2));
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  house.take("F-2", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, "a nine"});
  const Json report = house.json_of(house.end_day_told());
  const Json& fixed = link_in(report, "C4").at("fixed_awards");
  CHECK_EQ(fixed.at("amount"), "5000.00");
  CHECK_EQ(fixed.at("reversed"), "5000.00");
  const Json& table = one_of(link_in(report, "C4").at("tables"), "table", "C4-01");
  CHECK_EQ(table.at("progressive_paid"), "0.00");
  CHECK_EQ(level_in(report, "C4", "mega").at("hits"), 0);
  check_adds_up(report);
}

TEST_CASE("pots contribute from the minimum pot on: 80% and 20% of a dollar") {
  DayHouse house;
  house.take("P-01", pot_of("h1", 40));
  house.take("P-01", pot_of("h2", 19));
  house.take("P-01", pot_of("h3", 20));
  const Json report = house.json_of(house.end_day_told());
  const Json& table = link_in(report, "POKER").at("tables").at(0);
  CHECK_EQ(table.at("rounds"), 3);
  CHECK_EQ(table.at("wagers"), 2);
  CHECK_EQ(table.at("handle"), "2.00");
  CHECK_EQ(level_in(report, "POKER", "main").at("contributed"), "1.60000000");
  CHECK_EQ(link_in(report, "POKER").at("reserve").at("contributed"), "0.40000000");
  check_adds_up(report);
}

TEST_CASE("rates changed within a day apply from their entry on") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 2));
  house.take("RIU-01", CloseRound{RoundId("r1"), Badge()});
  house.take("TGM-1", SuspendLink{LinkId("RIU"), "new rates"});
  std::string text = mixed_floor_text;
  const std::string old = R"(rates = { main = "14%", reserve = "2%" })";
  text.replace(text.find(old), old.size(), R"(rates = { main = "15%", reserve = "4%" })");
  std::vector<std::string> chapters =
      std::get<FloorOpened>(decode_entry([&] {
                              std::string bytes;
                              house.journal().read(EntryNumber(1), [&](const StoredEntry& first) {
                                bytes = first.bytes;
                                return false;
                              });
                              return bytes;
                            }())
                                .value()
                                .fact)
          .catalogue_texts;
  house.both(ChangeParameters{text, std::move(chapters)});
  house.both(ResumeLink{LinkId("RIU")});
  house.take("RIU-01", raise_it_up("r2", 2));
  const Json report = house.json_of(house.end_day_told());
  CHECK_EQ(level_in(report, "RIU", "main").at("contributed"), "2.90000000");  // 1.40 + 1.50
  CHECK_EQ(link_in(report, "RIU").at("reserve").at("contributed"), "0.60000000");
  one_of(report.at("events"), "kind", "parameters_changed");
  CHECK(report.at("items").empty());
  // The report of the day before keeps the terms of that day; the next one has the new terms.
  house.take("RIU-01", raise_it_up("r3", 1));
  const Json next = house.json_of(house.end_day_told());
  CHECK_EQ(level_in(next, "RIU", "main").at("contributed"), "0.75000000");
  CHECK(next.at("items").empty());
  CHECK_EQ(house.json_of(house.today().previous().previous()), report);
  check_adds_up(next);
}

TEST_CASE("a claim is open on every day until it is settled") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 1));
  const GamingDay first = house.today();
  house.take("RIU-01", spades("r1", 1));
  house.end_day_told();
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  const GamingDay second = house.end_day();
  const GamingDay third = house.end_day();
  const std::string as_it_was = house.report_of(second).json;
  house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  house.take("C-1", PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(1)});
  const GamingDay fourth = house.end_day();
  const auto state_on = [&](GamingDay day) {
    const Json report = house.json_of(day);
    const Json& pending = report.at("claims_pending");
    return pending.empty() ? "none" : pending.at(0).at("state").get<std::string>();
  };
  CHECK_EQ(state_on(first), "raised");
  CHECK_EQ(state_on(second), "validated");
  CHECK_EQ(state_on(third), "validated");
  CHECK_EQ(state_on(fourth), "none");
  CHECK_EQ(house.report_of(second).json, as_it_was);
  // Raised in the afternoon of the first day: six hours and some seconds.
  const Json pending = house.json_of(second).at("claims_pending").at(0);
  CHECK_EQ(pending.at("amount"), "5000.70");
  CHECK_EQ(pending.at("age_s"), 18 * 3'600 + 24 * 3'600 - 2);
  CHECK_EQ(level_in(house.json_of(fourth), "RIU", "main").at("paid"), "5000.70000000");
  CHECK_EQ(link_in(house.json_of(fourth), "RIU").at("tables").at(0).at("attendant_paid"),
           "5000.70");
}

TEST_CASE("the entries alone, without the state, give the same report") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 2));
  house.take("RIU-01", spades("r1", 1));
  house.end_day_told();
  house.take("RIU-01", raise_it_up("r2", 2));
  const GamingDay day = house.end_day_told();
  settle(house, 1, PaymentSource::hand_pay);
  MemoryJournal entries;
  house.journal().read(EntryNumber(1), [&](const StoredEntry& stored) {
    entries.commit({stored.bytes}, {});
    return true;
  });
  const DayReport alone =
      day_report(entries, house.state().days(), day, house.state().last_entry());
  CHECK_EQ(alone.json, house.report_of(day).json);
}

TEST_CASE("a day that has not ended as of the entry has no report") {
  DayHouse house;
  CHECK_THROWS_AS(house.report_of(house.today()), Fault);
  const GamingDay day = house.end_day();
  CHECK_THROWS_AS(day_report(house.journal(), house.state().days(), day, EntryNumber(1)), Fault);
  CHECK_NOTHROW(house.report_of(day));
}

TEST_CASE("missed days are empty days, and one day has 25 hours") {
  DayHouse autumn(parse_gaming_day("2026-10-30").value());
  autumn.end_day();
  CHECK_EQ(autumn.json_of(autumn.end_day()).at("hours"), 25);  // 31 October 06:00 to 1 November
  CHECK_EQ(autumn.json_of(autumn.end_day()).at("hours"), 24);
  DayHouse spring(parse_gaming_day("2027-03-12").value());
  spring.end_day();
  const Json report = spring.json_of(spring.end_day());
  CHECK_EQ(report.at("hours"), 23);
  CHECK_EQ(report.at("entries").at("first"), report.at("entries").at("last"));
  CHECK_EQ(report.at("control").at("postings"), 0);
  CHECK(report.at("items").empty());
}

}  // namespace linkmeter::day_book_test
