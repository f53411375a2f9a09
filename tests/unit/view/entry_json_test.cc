#include "controller/view/entry_json.h"

#include <doctest/doctest.h>
#include <string>

#include "tests/support/one_table_house.h"

namespace linkmeter::entry_json_test {
namespace {

void check_says(const Entry& entry, const Floor& floor, const std::string& part) {
  const std::string line = entry_json(entry, floor, Digest{});
  CHECK_MESSAGE(line.find(part) != std::string::npos, line);
}

Entry entry_of(const Fact& fact) {
  Entry entry;
  entry.number = EntryNumber(2);
  entry.fact = fact;
  return entry;
}

HandsShown shown_at(LinkIndex link, LevelIndex level) {
  HandsShown shown;
  shown.round = RoundId("r1");
  shown.hits = {{link, level, true, Amount::dollars(1)}};
  Award award;
  award.link = link;
  award.level = level;
  shown.awards = {award};
  return shown;
}

}  // namespace

TEST_CASE("an entry is shown with the names of its floor") {
  const Floor floor = one_table_floor().floor;
  Entry entry = entry_of(shown_at(LinkIndex(0), LevelIndex(0)));
  entry.origin = Origin{};
  entry.postings = {{Account::meter, LinkIndex(0), Pool::reserve(), Amount::dollars(-1)}};
  check_says(entry, floor, R"("table":"T-01")");
  check_says(entry, floor, R"("calls":[{"link":"LINK","level":"main",)");
  check_says(entry, floor, R"("awards":[{"kind":"line","link":"LINK",)");
  check_says(entry, floor, R"("postings":[{"link":"LINK","level":"reserve",)");
}

TEST_CASE("a forged entry with unknown indexes is shown with their numbers") {
  const Floor floor = one_table_floor().floor;
  const LinkIndex link(77);
  const LevelIndex level(9);
  Entry entry = entry_of(shown_at(link, level));
  entry.origin = Origin{};
  entry.origin->table = TableIndex(999);
  entry.postings = {{Account::meter, link, Pool::level(level), Amount::dollars(1)},
                    {Account::meter, LinkIndex(0), Pool::level(level), Amount::dollars(1)},
                    {Account::meter, link, Pool::reserve(), Amount::dollars(1)}};
  check_says(entry, floor, R"("table":"#999")");
  check_says(entry, floor, R"("calls":[{"link":"#77","level":"#9",)");
  check_says(entry, floor, R"("awards":[{"kind":"line","link":"#77",)");
  check_says(entry, floor, R"("line":"","level":"#9",)");
  check_says(entry, floor, R"("postings":[{"link":"#77","level":"#9",)");
  check_says(entry, floor, R"({"link":"LINK","level":"#9",)");
  check_says(entry, floor, R"({"link":"#77","level":"reserve",)");

  check_says(entry_of(RoundLocked{RoundId("r1"), {{Seat(1), link, Amount::dollars(5)}}, {}, {}}),
             floor, R"({"seat":1,"link":"#77",)");
  PotPlayed pot;
  pot.link = link;
  check_says(entry_of(pot), floor, R"("link":"#77")");
  // As if entry 1 had been forged away: there is no floor.
  check_says(entry, Floor(), R"("table":"#999")");
}

TEST_CASE("signatures, slips and notices are shown completely") {
  const Floor floor = one_table_floor().floor;
  const Badge by("F-1");
  check_says(
      entry_of(ClaimCountersigned{ClaimNumber(7), by}), floor,
      R"("fact":"claim_countersigned","recorded_at":"1970-01-01T00:00:00.000000Z","claim":7,)"
      R"("by":"F-1")");
  SlipIssued issued{SlipNumber(3),
                    ClaimNumber(7),
                    PaymentSource::hand_pay,
                    Amount::dollars(250),
                    Amount::dollars(5),
                    false,
                    {},
                    by};
  check_says(entry_of(issued), floor,
             R"("slip":3,"claim":7,"source":"hand_pay","amount":"250.00","wager":"5.00",)"
             R"("taxable":false,"threshold":null,"by":"F-1")");
  issued.taxable = true;
  issued.threshold = TaxThreshold{Timestamp(), "2026-01-01", Amount::dollars(200), 50};
  check_says(entry_of(issued), floor,
             R"("taxable":true,"threshold":{"since":"2026-01-01","amount":"200.00","ratio":50},)");
  check_says(entry_of(SlipVoided{SlipNumber(3), VoidReason::wrong_person, "torn", by}), floor,
             R"("slip":3,"reason":"wrong_person","note":"torn","by":"F-1")");
  check_says(entry_of(SlipStored{SlipNumber(3), {}}), floor, R"("slip":3,"digest":"0000)");
  check_says(entry_of(ClaimPaid{ClaimNumber(7), PaymentSource::hand_pay, by, SlipNumber(3)}), floor,
             R"("source":"hand_pay","slip":3,"by":"F-1")");
  check_says(entry_of(ClaimPaid{ClaimNumber(7), PaymentSource::hand_pay, by}), floor,
             R"("slip":null,)");
  check_says(entry_of(NoticePosted{LinkIndex(77), true, by}), floor,
             R"("link":"#77","posted":true,"by":"F-1")");
  HandsShown shown = shown_at(LinkIndex(0), LevelIndex(0));
  shown.hands = {{Seat(1), {}, true, Amount(), LineId("flush")}};
  shown.awards[0].uncut = Amount::dollars(9);
  check_says(entry_of(shown), floor, R"("folded":true,"keyed_line":"flush")");
  check_says(entry_of(shown), floor, R"("uncut":"9.00")");
}

TEST_CASE("the system's own facts are shown completely") {
  const Floor floor = one_table_floor().floor;
  SelfChecked checked;
  checked.verified = EntryNumber(1);
  checked.version = "1.2";
  check_says(entry_of(checked), floor, R"("fact":"self_checked")");
  check_says(entry_of(checked), floor,
             R"("passed":true,"failures":[],"manifest":null,"verified":1)");
  checked.failures = {{"software", "a file differs"}};
  checked.manifest[0] = 1;
  check_says(entry_of(checked), floor,
             R"("passed":false,"failures":[{"check":"software","words":"a file differs"}],)");
  check_says(entry_of(checked), floor, R"("manifest":"01)");
  check_says(entry_of(ClockChanged{-5}), floor, R"("fact":"clock_changed")");
  check_says(entry_of(ClockChanged{-5}), floor, R"("by_us":-5)");
}

}  // namespace linkmeter::entry_json_test
