// The items of a day's report: each planted fault gives its item with the difference and no other
// item, and a day without faults has none.
#include "controller/accounting/day/day_report.h"

#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <string>

#include "controller/store/hash_chain.h"
#include "tests/support/day_house.h"

namespace linkmeter::day_report_test {
namespace {

using Items = std::map<std::string, std::string>;

// The differences by item, as the report lists them; the finding must contain the same.
Items items_of(const DayReport& report) {
  Items items;
  const Json told = Json::parse(report.json);
  for (const Json& item : told.at("items")) {
    CAPTURE(item.dump());
    const std::string name = item.at("item");
    const auto found = report.finding.items.find(name);
    REQUIRE(found != report.finding.items.end());
    CHECK_EQ(found->second.difference, item.at("difference"));
    CHECK_EQ(found->second.is_open, item.at("open"));
    CHECK_EQ(found->second.is_claim, item.at("kind") == "claim");
    CHECK_EQ(name.substr(0, name.find('/')), item.at("kind"));
    CHECK(items.emplace(name, item.at("difference")).second);
  }
  CHECK_EQ(items.size(), report.finding.items.size());
  return items;
}

PlayPot pot(const std::string& round) {
  return {RoundId(round), Amount::dollars(40), {}, false, {}, Badge()};
}

RecordCount count(GamingDay day, CountKind kind, const std::string& table, const std::string& link,
                  Amount amount) {
  return {day, kind, TableId(table), LinkId(link), amount, "", Badge("S-1"), "R. Diaz"};
}

// A day with two wagers at RIU-01, and the positions of its entries.
struct Played : DayHouse {
  EntryNumber locked = take("RIU-01", raise_it_up("r1", 2));
  GamingDay day = end_day();
  EntryNumber ended = state().last_entry();
  EntryNumber told = tell("RIU-01");

  [[nodiscard]] Items forged_items(EntryNumber entry,
                                   const std::function<void(Entry&)>& spoil) const {
    return items_of(forged(day, entry, spoil));
  }
  // The items when Raise It Up's reading at the end of the day is spoiled.
  [[nodiscard]] Items misread(const std::function<void(LinkReading&)>& spoil) const {
    return forged_items(ended,
                        [&](Entry& entry) { spoil(std::get<DayEnded>(entry.fact).reading[0]); });
  }
};

}  // namespace

TEST_CASE("a quiet day has no items and always the same report bytes") {
  const Played house;
  const DayReport report = house.report_of(house.day);
  CHECK(items_of(report).empty());
  CHECK_EQ(report.digest, sha256(report.json));
  CHECK_EQ(report.finding.report, report.digest);
  CHECK(report.json.starts_with(
      R"({"report":"linkmeter-day 1","house":"Mixed House","day":"2026-11-21",)"));
  CHECK_EQ(Json::parse(report.json).dump(), report.json);
  std::string head;
  house.journal().read(house.ended, [&](const StoredEntry& stored) {
    head = hex(stored.hash);
    return false;
  });
  CHECK_EQ(Json::parse(report.json).at("entries").at("head"), head);
}

TEST_CASE("later entries do not change the report, except entries about that day") {
  Played house;
  const DayReport before = house.report_of(house.day);
  const EntryNumber as_of = house.state().last_entry();
  house.take("RIU-01", raise_it_up("r2", 4));
  house.end_day();
  CHECK_EQ(house.report_of(house.day).json, before.json);
  house.take("C-1", count(house.day, CountKind::chips, "RIU-01", "RIU", Amount::dollars(9)));
  CHECK_NE(house.report_of(house.day).json, before.json);
  CHECK_EQ(day_report(house.journal(), house.state().days(), house.day, as_of).json, before.json);
}

TEST_CASE("items for postings that contradict the readings and for contributions at another rate") {
  const Played house;
  const auto add = [&](Account one, Account other) {
    return house.forged_items(house.locked, [&](Entry& entry) {
      const Pool main = Pool::level(LevelIndex(0));
      entry.postings.push_back({one, LinkIndex(0), main, Amount::cents(7)});
      entry.postings.push_back({other, LinkIndex(0), main, Amount::cents(-7)});
    });
  };
  // The readings have less held and more paid than the postings.
  CHECK_EQ(add(Account::meter, Account::paid),
           Items{{"balance/RIU/main", "-0.07000000, paid 0.07000000"}});
  CHECK_EQ(add(Account::meter, Account::wagers),
           Items{{"balance/RIU/main", "-0.07000000, contributed -0.07000000"},
                 {"rate/RIU/main", "0.07000000"}});
  CHECK_EQ(house.misread([](LinkReading& link) { link.book.reserve.held += Amount::cents(1); }),
           Items{{"balance/RIU/reserve", "0.01000000"}});
  CHECK_EQ(house.forged_items(house.locked,
                              [](Entry& entry) {
                                for (Posting& posting : entry.postings) {
                                  if (posting.account != Account::meter) continue;
                                  posting.amount += Amount::cents(1);
                                  return;
                                }
                              }),
           Items{{"balance/RIU/main", "-0.01000000"}, {"control", "0.01000000"}});
}

TEST_CASE("items for wagers and payouts that contradict the readings") {
  const Played house;
  CHECK_EQ(house.misread([](LinkReading& link) { ++link.book.tables[0].wagers; }),
           Items{{"count/RIU/RIU-01", "1 wager"}});
  CHECK_EQ(
      house.misread([](LinkReading& link) { link.book.tables[0].handle -= Amount::dollars(5); }),
      Items{{"count/RIU/RIU-01", "-5.00"}});
  // Attendant and device no longer equal the cumulative amount, nor the amount paid.
  CHECK_EQ(house.misread(
               [](LinkReading& link) { link.book.tables[0].paid.by_device += Amount::dollars(3); }),
           Items{{"paid/RIU/RIU-01", "3.00, device 3.00"}});
  CHECK_EQ(house.misread([](LinkReading& link) {
    link.book.tables[0].paid.add(PaymentSource::hand_pay, Amount::dollars(3));
  }),
           Items{{"paid/RIU/RIU-01", "attendant 3.00, in all 3.00"}});
}

TEST_CASE("an item for a sign above the meter's whole cents, but not for one below") {
  const Played house;  // the meter: 5001.40
  const auto shown = [&](Amount amount) {
    return house.misread([&](LinkReading& link) { link.shown[0] = amount; });
  };
  CHECK(shown(Amount::cents(500'140)).empty());
  CHECK(shown(Amount::cents(500'070)).empty());
  CHECK_EQ(shown(Amount::cents(500'141)), Items{{"sign/RIU/main", "0.01"}});
}

TEST_CASE("an item if a person saw another amount than the sign was sent") {
  DayHouse house;
  house.show("RIU", 0, Amount::dollars(5'000));
  const auto seen = [&](Amount amount) {
    return TakeReading{{{LinkId("RIU"), LevelId("main"), amount}}, "by the door"};
  };
  house.take("A-1", seen(Amount::dollars(5'000)));
  const EntryNumber wrong = house.take("A-1", seen(Amount::dollars(4'998)));
  const DayReport report = house.report_of(house.end_day());
  CHECK_EQ(items_of(report), Items{{"sign/RIU/main/" + std::to_string(wrong.value()), "-2.00"}});
  CHECK_EQ(Json::parse(report.json).at("readings").size(), 2);
}

TEST_CASE("a table's counters: equal to the journal's, different, missing, or restarted") {
  const auto wager_less = [](std::vector<LinkCount>& told) {
    --told.at(0).wagers;
    told.at(0).handle -= Amount::dollars(5);
  };
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 2));
  house.take("C4-01", lock_of("c1", {five_card(1)}));
  GamingDay day = house.end_day();
  house.tell("RIU-01", 1, wager_less);
  house.tell("C4-01");
  CHECK_EQ(items_of(house.report_of(day)), Items{{"counters/RIU-01/RIU", "-1 wager, -5.00"}});
  // The same difference is not reported again. A table that has reported once is missed if it does
  // not.
  house.take("RIU-01", raise_it_up("r2", 1));
  house.take("C4-01", lock_of("c2", {five_card(1)}));
  house.take("C4-02", lock_of("c3", {five_card(1)}));
  day = house.end_day();
  house.tell("RIU-01", 1, wager_less);
  house.take("RIU-01", raise_it_up("r3", 1));
  house.tell("RIU-01", 1, wager_less);
  CHECK_EQ(items_of(house.report_of(day)),
           Items{{"counters_missing/C4-01", "1 message"}, {"counters_missing/C4-02", "1 message"}});
  // The report covers messages from 4 on; earlier counts are not there. This is one item; later
  // counts are compared from there.
  const auto since = [](std::vector<LinkCount>& told) { told.at(0) = {LinkIndex(0), 0, 0, {}}; };
  day = house.end_day();
  house.tell("RIU-01", 4, since);
  CHECK_EQ(items_of(house.report_of(day)), Items{{"counters_anew/RIU-01", "from message 4"}});
  house.take("RIU-01", raise_it_up("r4", 3));
  day = house.end_day();
  house.tell("RIU-01", 4, [](std::vector<LinkCount>& told) {
    told.at(0) = {LinkIndex(0), 2, 3, Amount::dollars(15)};
  });
  CHECK_EQ(items_of(house.report_of(day)), Items{{"counters/RIU-01/RIU", "1 round"}});
}

TEST_CASE("after midnights without a controller, tables report the last day that they played") {
  DayHouse house;
  house.end_day();
  house.take("RIU-01", raise_it_up("r1", 2));
  const GamingDay played = house.end_day();
  const GamingDay down = house.end_day();
  CHECK_EQ(items_of(house.report_of(played)), Items{{"counters_missing/RIU-01", "1 message"}});
  house.tell("RIU-01", 1, [](std::vector<LinkCount>& told) { --told.at(0).wagers; });
  CHECK_EQ(items_of(house.report_of(played)), Items{{"counters/RIU-01/RIU", "-1 wager"}});
  CHECK(items_of(house.report_of(down)).empty());
  // The next day has nothing new.
  house.take("RIU-01", raise_it_up("r2", 1));
  const GamingDay next = house.end_day();
  house.tell("RIU-01", 1, [](std::vector<LinkCount>& told) { --told.at(0).wagers; });
  CHECK(items_of(house.report_of(next)).empty());
}

TEST_CASE("an explained item does not come back with a table that was away for long") {
  DayHouse house;
  const auto wager_less = [](std::vector<LinkCount>& told) { --told.at(0).wagers; };
  house.take("RIU-01", raise_it_up("r1", 2));
  GamingDay day = house.end_day();
  house.tell("RIU-01", 1, wager_less);
  CHECK_EQ(items_of(house.report_of(day)), Items{{"counters/RIU-01/RIU", "-1 wager"}});
  for (int away = 0; away < 40; ++away) {
    house.take("C4-01", lock_of("c" + std::to_string(away), {five_card(1)}));
    house.end_day();
    house.tell("C4-01");
  }
  house.take("RIU-01", raise_it_up("r2", 1));
  house.take("C4-01", lock_of("c", {five_card(1)}));
  day = house.end_day();
  house.tell("RIU-01", 1, wager_less);
  house.tell("C4-01");
  CHECK(items_of(house.report_of(day)).empty());
}

TEST_CASE("items for a box that differs from the day's contributions and for an uncounted box") {
  DayHouse house;
  house.take("P-01", pot("h1"));
  house.take("P-01", pot("h2"));
  house.take("FM-1", AdjustDisplay{LinkId("POKER"), Amount::cents(50'160), {}, "", Badge("F-1")});
  const GamingDay day = house.end_day_told();
  CHECK_EQ(items_of(house.report_of(day)), Items{{"box_missing/POKER/P-01", "2.00"}});
  house.take("C-1",
             MoveFund{day, LinkId("POKER"), {TableId("P-01")}, {}, "", Badge("S-1"), Badge("F-1")});
  const auto box = [&](Amount amount) {
    house.take("C-1", count(day, CountKind::poker_box, "P-01", "POKER", amount));
    return items_of(house.report_of(day));
  };
  CHECK_EQ(box(Amount::dollars(3)), Items{{"box/POKER/P-01", "1.00"}});
  CHECK_EQ(box(Amount::cents(150)), Items{{"box/POKER/P-01", "-0.50"}});
  CHECK(box(Amount::dollars(2)).empty());  // counted again
  const Json counts = house.json_of(day).at("counts");
  REQUIRE_EQ(counts.size(), 3);
  CHECK_EQ(counts.at(2).at("expected"), "2.00");
  CHECK_EQ(counts.at(1).at("counts"), false);
  CHECK_EQ(counts.at(2).at("counts"), true);
}

TEST_CASE("the fund that finance keeps is compared with the display, and chips with the handle") {
  DayHouse house;
  house.show("POKER", 0, Amount::dollars(500));
  house.take("RIU-01", raise_it_up("r1", 2));
  const GamingDay day = house.end_day_told();
  house.take("C-1", count(day, CountKind::fund_kept, "", "POKER", Amount::dollars(498)));
  house.take("C-1", count(day, CountKind::chips, "RIU-01", "RIU", Amount::dollars(15)));
  CHECK_EQ(items_of(house.report_of(day)),
           Items{{"fund/POKER", "-2.00"}, {"chips/RIU/RIU-01", "5.00"}});
  house.take("C-1", count(day, CountKind::fund_kept, "", "POKER", Amount::dollars(500)));
  house.take("C-1", count(day, CountKind::chips, "RIU-01", "RIU", Amount::dollars(10)));
  CHECK(items_of(house.report_of(day)).empty());
}

TEST_CASE("an item for rounds of the day before, by the table's clock") {
  DayHouse house;
  house.end_day();
  const Timestamp begin = house.begins_at();
  house.take("RIU-01", raise_it_up("r1", 3), begin.after(-1));
  house.take("RIU-01", raise_it_up("r2", 1), begin);
  house.take("P-01", pot("h1"), begin.after(-2'000'000));
  house.tell("P-01");
  const GamingDay day = house.end_day_told();
  CHECK_EQ(items_of(house.report_of(day)), Items{{"late/RIU/RIU-01", "1 round, 15.00"},
                                                 {"late/POKER/P-01", "1 round, 1.00"},
                                                 {"display_missing/POKER", "1 pot"},
                                                 {"box_missing/POKER/P-01", "1.00"}});
}

TEST_CASE("items for an open claim, a link that suspended itself and a changed clock") {
  DayHouse house;
  house.take("RIU-01", raise_it_up("r1", 1));
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(1), cards_of({"As", "Ks", "Qs"}), false, Amount()}};
  house.take("RIU-01", show);
  house.take("TGM-1", SuspendLink{LinkId("C4"), "cleaning"});
  const auto suspended = std::to_string(house.suspend_itself("RUN", "memory differs").value());
  const auto set = std::to_string(house.note(ClockChanged{-3'600'000'000}).value());
  const GamingDay day = house.end_day_told();
  CHECK_EQ(items_of(house.report_of(day)), Items{{"claim/1", "5000.70"},
                                                 {"suspended/RUN/" + suspended, "memory differs"},
                                                 {"clock/" + set, "-3600.000000 s"}});
  const Json report = house.json_of(day);
  CHECK_EQ(link_in(report, "C4").at("suspended"), "cleaning");
  CHECK_EQ(report.at("events").size(), 3);
}

TEST_CASE("an explanation holds only for the difference that it names") {
  Played house;
  const auto chips = [&](std::int64_t dollars) {
    house.take("C-1",
               count(house.day, CountKind::chips, "RIU-01", "RIU", Amount::dollars(dollars)));
  };
  const std::string name = "chips/RIU/RIU-01";
  const auto is_open = [&] { return house.report_of(house.day).finding.items.at(name).is_open; };
  chips(15);
  const DayReport before = house.report_of(house.day);
  CHECK(is_open());
  house.take("A-1", ExplainVariance{house.day, name, "5.00", "a chip of yesterday", house.locked});
  CHECK_FALSE(is_open());
  CHECK_NE(house.report_of(house.day).digest, before.digest);
  const Json explained = one_of(house.json_of(house.day).at("items"), "item", name).at("explained");
  CHECK_EQ(explained.at("note"), "a chip of yesterday");
  CHECK_EQ(explained.at("by"), "A-1");
  CHECK_EQ(explained.at("corrected_by"), house.locked.value());
  chips(20);
  CHECK(is_open());
  chips(15);
  CHECK_FALSE(is_open());
}

TEST_CASE("signing and closing a day do not change its report") {
  Played house;
  const DayReport report = house.report_of(house.day);
  house.take("A-1", SignDay{house.day, report.digest});
  CHECK_EQ(house.report_of(house.day).json, report.json);
  house.take("FM-1", CloseDay{house.day, report.digest});
  CHECK_EQ(house.report_of(house.day).json, report.json);
}

TEST_CASE("a journal whose figures overflow is reported as such") {
  const Played house;
  const auto is_named = [&](EntryNumber entry, const std::function<void(Entry&)>& spoil) {
    try {
      return house.forged(house.day, entry, spoil).json.empty();
    } catch (const Fault&) {
      return true;
    }
  };
  CHECK(is_named(house.locked, [](Entry& entry) {
    std::get<RoundLocked>(entry.fact).wagers[0].link = LinkIndex(99);
  }));
  CHECK(is_named(house.locked, [](Entry& entry) { entry.origin->table = TableIndex(9'999); }));
  CHECK(is_named(house.locked, [](Entry& entry) {
    const Amount most = Amount::from_units(std::numeric_limits<std::int64_t>::max());
    for (Posting& posting : entry.postings) posting.amount = most;
  }));
  CHECK(is_named(house.ended,
                 [](Entry& entry) { std::get<DayEnded>(entry.fact).reading.pop_back(); }));
  CHECK(is_named(house.ended, [](Entry& entry) { entry.fact = SignedIn{Badge("A-1")}; }));
  CHECK(is_named(house.told, [](Entry& entry) {
    entry.fact = ClaimPaid{ClaimNumber(3), PaymentSource::hand_pay, Badge("C-1")};
  }));
  CHECK_FALSE(is_named(house.told, [](Entry&) {}));
}

}  // namespace linkmeter::day_report_test
