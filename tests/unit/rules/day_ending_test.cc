// A gaming day in which a progressive ends, and what reports say about its amount afterwards. Raise
// It Up: seed $5,000, 14% and 2% of wagers of $5: $0.70 and $0.10 each.
#include <doctest/doctest.h>
#include <algorithm>
#include <string>

#include "controller/accounting/explain/explanation.h"
#include "controller/view/meters_json.h"
#include "tests/support/day_house.h"

namespace linkmeter::day_ending_test {
namespace {

const Json& named(const Json& list, const std::string& key, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Json& one) { return one.at(key) == name; });
  REQUIRE(found != list.end());
  return *found;
}

Json explained(const DayHouse& house, const std::string& link) {
  const ExplainRequest asked{house.link_of(link), Pool::level(LevelIndex(0)),
                             house.state().last_entry()};
  return explanation_json(explain(house.journal(), house.state(), asked), house.state().floor(),
                          false);
}

}  // namespace

TEST_CASE("the report of a day with a discontinuation balances and says where the money went") {
  DayHouse house;
  house.end_day();
  house.take("RIU-01", lock_of("r1", {wager_on("raise-it-up/progressive", 1, 5),
                                      wager_on("raise-it-up/progressive", 2, 5)}));
  house.take("RIU-01", CloseRound{RoundId("r1"), Badge()});
  house.both(StopCollecting{LinkId("RIU"), "the table goes"});
  const EntryNumber ended = house.both(
      Discontinue{LinkId("RIU"), LinkId("RUN"), LevelId("main"), "order 7 of the Board"});
  const Json report = house.json_of(house.end_day_told());

  const Json& riu = named(report.at("links"), "link", "RIU");
  const Json& main = riu.at("levels").at(0);
  CHECK_EQ(main.at("opening"), "5000.00000000");
  CHECK_EQ(main.at("contributed"), "1.40000000");
  CHECK_EQ(main.at("seeded"), "-5000.00000000");
  CHECK_EQ(main.at("transferred"), "-1.40000000");
  CHECK_EQ(main.at("closing"), "0.00000000");
  CHECK_EQ(main.at("liability"), "0.00000000");
  CHECK_EQ(riu.at("reserve").at("transferred"), "-0.20000000");
  CHECK_EQ(riu.at("reserve").at("closing"), "0.00000000");
  CHECK_EQ(riu.at("collecting"), false);
  CHECK_EQ(riu.at("discontinued"), true);
  CHECK_EQ(riu.at("went_to"), (Json{{"link", "RUN"}, {"level", "main"}}));

  const Json& run = named(report.at("links"), "link", "RUN");
  CHECK_EQ(run.at("levels").at(0).at("transferred"), "1.60000000");
  CHECK_EQ(run.at("levels").at(0).at("closing"), "1001.60000000");
  CHECK_EQ(run.at("levels").at(0).at("liability"), "1.60000000");
  CHECK_FALSE(run.contains("collecting"));  // as in reports from before discontinuations existed

  named(report.at("events"), "kind", "collecting_ended");
  const Json& event = named(report.at("events"), "kind", "discontinued");
  CHECK_EQ(event.at("entry"), ended.value());
  CHECK(event.at("words").get<std::string>().find(
            "RUN main (of a fund of pots all that it displays, reseed "
            "included, and its reserve), order 7 of the Board") != std::string::npos);
  CHECK(report.at("items").empty());
  CHECK_EQ(report.at("control").at("sum"), "0.00000000");
}

TEST_CASE(
    "a discontinuation names the receiving link at the source and the source at the receiver") {
  DayHouse house;
  house.take("RIU-01", lock_of("r1", {wager_on("raise-it-up/progressive", 1, 5)}));
  house.take("RIU-01", CloseRound{RoundId("r1"), Badge()});
  house.both(CorrectMeter{LinkId("FOUR"), LevelId("main"), Amount::dollars(2),
                          CorrectionReason::regulator_order, ""});
  house.both(TransferMeter{LinkId("FOUR"), LevelId("main"), LinkId("RUN"), LevelId("main"),
                           Amount::cents(150), TransferReason::merged, ""});
  house.both(StopCollecting{LinkId("RIU"), ""});
  house.both(Discontinue{LinkId("RIU"), LinkId("RUN"), LevelId("main"), ""});

  const Json run = explained(house, "RUN");
  CHECK_EQ(run.at("balance"), "1002.30000000");  // 1000 + 1.50 + 0.70 + 0.10
  CHECK_EQ(run.at("sum"), "1002.30000000");
  CHECK_EQ(run.at("parts").at("transferred"), "2.30000000");
  REQUIRE_EQ(run.at("events").size(), 2);
  CHECK_EQ(run.at("events").at(0).at("kind"), "transfer");
  CHECK_EQ(run.at("events").at(0).at("other"), "FOUR main");
  CHECK_EQ(run.at("events").at(1).at("kind"), "transfer");
  CHECK_EQ(run.at("events").at(1).at("amount"), "0.80000000");
  CHECK_EQ(run.at("events").at(1).at("other"), "RIU");
  CHECK_EQ(named(explained(house, "FOUR").at("events"), "kind", "transfer").at("other"),
           "RUN main");

  const Json riu = explained(house, "RIU");
  CHECK_EQ(riu.at("balance"), "0.00000000");
  CHECK_EQ(riu.at("sum"), "0.00000000");
  CHECK_EQ(riu.at("parts").at("seeded"), "-5000.00000000");
  CHECK_EQ(riu.at("parts").at("transferred"), "-0.70000000");
  const Json& event = named(riu.at("events"), "kind", "discontinued");
  CHECK_EQ(event.at("amount"), "-5000.70000000");
  CHECK_EQ(event.at("other"), "RUN main");

  const Json meters = meters_json(house.state());
  const Json& ended = named(meters.at("links"), "link", "RIU");
  CHECK_EQ(ended.at("status"), "operating");
  CHECK_EQ(ended.at("collecting"), false);
  CHECK_EQ(ended.at("discontinued"), true);
  CHECK_EQ(ended.at("levels").at(0).at("amount"), "0.00000000");
  CHECK_EQ(named(meters.at("links"), "link", "RUN").at("collecting"), true);
}

}  // namespace linkmeter::day_ending_test
