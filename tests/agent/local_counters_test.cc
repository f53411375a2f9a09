// A table's own counts, from the rules alone: "net of voids", "rounds all pots", "two
// units of one progressive".
#include "table-agent/link/local_counters.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "proto/host/fault.h"

namespace linkmeter::local_counters_test {
namespace {

LinkConfig link_of(const char* id, const char* wager, int unit_dollars) {
  LinkConfig link;
  link.id = LinkId(id);
  link.wager = WagerId(wager);
  link.unit = Amount::dollars(unit_dollars);
  return link;
}

// A table with a $1 and a $5 unit of one progressive, and another one.
LocalCounters three_links() {
  return LocalCounters(
      {link_of("ONE", "g/five", 1), link_of("FIVE", "g/five", 5), link_of("FOUR", "g/four", 5)});
}

LockRound lock(const std::string& round, const std::vector<AskedWager>& wagers) {
  LockRound made;
  made.round = RoundId(round);
  made.wagers = wagers;
  return made;
}
AskedWager on(int seat, const char* wager, int dollars) {
  return {Seat(static_cast<std::uint8_t>(seat)), WagerId(wager), Amount::dollars(dollars)};
}
CloseRound close(const std::string& round) { return {RoundId(round), Badge()}; }
VoidRound annul(const std::string& round) { return {RoundId(round), "misdeal", Badge()}; }

ReportedCounts::Link of(const char* id, std::uint64_t rounds, std::uint64_t wagers, int dollars) {
  return {LinkId(id), rounds, wagers, Amount::dollars(dollars)};
}
using Became = LocalCounters::Became;
using Links = std::vector<ReportedCounts::Link>;

void say(LocalCounters& counts, std::uint64_t number, const TableCommand& command,
         Became became = Became::accepted) {
  counts.note(MessageNumber(number), command, became);
}

}  // namespace

TEST_CASE("every round counts on every link, a wager on that of its kind and unit") {
  LocalCounters counts = three_links();
  counts.continue_from("", MessageNumber());
  say(counts, 1, lock("r1", {on(1, "g/five", 1), on(2, "g/five", 5), on(2, "g/four", 5)}));
  say(counts, 2, close("r1"));
  say(counts, 3, lock("r2", {on(3, "g/five", 5)}));
  CHECK(counts.report() ==
        ReportedCounts{MessageNumber(1), MessageNumber(3),
                       Links{of("ONE", 2, 1, 1), of("FIVE", 2, 2, 10), of("FOUR", 2, 1, 5)}});
}

TEST_CASE("refused and unresolved blocked messages count nothing; a void subtracts everything") {
  LocalCounters counts = three_links();
  counts.continue_from("", MessageNumber());
  say(counts, 1, lock("r1", {on(1, "g/four", 5)}), Became::refused);
  say(counts, 2, lock("r2", {on(1, "g/four", 5)}), Became::blocked);
  say(counts, 3, annul("r2"));  // of a blocked round: nothing had counted
  CHECK(counts.report().links ==
        Links{of("ONE", 0, 0, 0), of("FIVE", 0, 0, 0), of("FOUR", 0, 0, 0)});
  say(counts, 4, lock("r3", {on(1, "g/four", 5)}), Became::blocked);
  ResolveCount resolve;
  resolve.round = RoundId("r3");
  resolve.wagers = {on(1, "g/four", 5), on(2, "g/four", 5)};
  say(counts, 5, resolve);
  say(counts, 6, lock("r4", {on(1, "g/four", 5)}));
  CHECK(counts.report().links.back() == of("FOUR", 2, 3, 15));
  say(counts, 7, annul("r4"), Became::refused);  // a claim exists
  CHECK(counts.report().links.back() == of("FOUR", 2, 3, 15));
  say(counts, 8, annul("r4"));
  CHECK(counts.report().links.back() == of("FOUR", 1, 2, 10));
  say(counts, 9, annul("r4"));
  CHECK(counts.report().links.back() == of("FOUR", 1, 2, 10));
}

TEST_CASE("every pot counts as a round; a contributing pot counts its contribution as a wager") {
  LinkConfig fund = link_of("POKER", "poker/bad-beat", 1);
  fund.unit.reset();
  fund.pot = PotConfig{};
  fund.pot->minimum_pot = Amount::dollars(20);
  fund.pot->contribution = Amount::dollars(1);
  LocalCounters counts({fund});
  counts.continue_from("", MessageNumber());
  for (const auto& [number, cents] : {std::pair(1U, 1'999), std::pair(2U, 2'000)}) {
    PlayPot pot;
    pot.round = RoundId("h" + std::to_string(number));
    pot.pot = Amount::cents(cents);
    say(counts, number, pot);
  }
  CHECK(counts.report().links == Links{of("POKER", 2, 1, 1)});
  PlayPot after;  // the fund no longer collected
  after.round = RoundId("h3");
  after.pot = Amount::dollars(20);
  say(counts, 3, after, Became::without_contribution);
  CHECK(counts.report().links == Links{of("POKER", 3, 1, 1)});
}

TEST_CASE("stored counts continue after a restart, open rounds included; nothing counts twice") {
  LocalCounters counts = three_links();
  counts.continue_from("", MessageNumber());
  say(counts, 1, lock("r1", {on(1, "g/four", 5)}));
  say(counts, 2, lock("r2", {}));
  LocalCounters again = three_links();
  again.continue_from(counts.text(), MessageNumber(2));
  CHECK(again.text() == counts.text());
  say(again, 1, lock("r1", {on(1, "g/four", 5)}));  // repeated to a restored journal
  CHECK(again.report() == counts.report());
  say(again, 3, annul("r1"));
  say(again, 4, annul("r2"));
  CHECK(again.report().links ==
        Links{of("ONE", 0, 0, 0), of("FIVE", 0, 0, 0), of("FOUR", 0, 0, 0)});
}

TEST_CASE("a round's name may have several words, or no letters") {
  LocalCounters counts = three_links();
  counts.continue_from("", MessageNumber());
  const std::vector<std::string> names{"two words", " 7", "link FIVE 1 2 3", "r1 "};
  for (std::size_t at = 0; at < names.size(); ++at) {
    say(counts, at + 1, lock(names[at], {on(1, "g/five", 5), on(2, "g/four", 5)}));
  }
  LocalCounters again = three_links();
  again.continue_from(counts.text(), MessageNumber());
  CHECK(again.report() == counts.report());
  for (std::size_t at = 0; at < names.size(); ++at) say(again, at + 5, annul(names[at]));
  CHECK(again.report() ==
        ReportedCounts{MessageNumber(1),
                       MessageNumber(8),
                       {of("ONE", 0, 0, 0), of("FIVE", 0, 0, 0), of("FOUR", 0, 0, 0)}});
}

TEST_CASE("an outbox that takes over a table counts from its own first message") {
  LocalCounters counts = three_links();
  counts.continue_from("", MessageNumber(41));
  CHECK(counts.report().from == MessageNumber(42));
  say(counts, 42, lock("r1", {}));
  CHECK(counts.report().up_to == MessageNumber(42));
}

TEST_CASE("counts that release 0.1.0 stored, without seats, are read") {
  LocalCounters counts = three_links();
  counts.continue_from("messages 1 2\nlink ONE 3 4 500000000\nround 1 ONE 100000000 r1",
                       MessageNumber());
  CHECK(counts.report().up_to == MessageNumber(2));
  CHECK(counts.report().links.front() == of("ONE", 3, 4, 5));
}

TEST_CASE("a text that is not counts is a Fault that says so") {
  for (const char* bad :
       {"x", "messages 1", "messages 1 2\nlink", "messages 1 2\nseats 2 ONE 5 1 r1",
        "messages 1 2\nseats 1 ONE 5 1", "messages 1 2\nseats r1", "messages 1 2\nround r1",
        "messages 1 2\nround 2 ONE 5 r1", "messages 1 2\nround 1 ONE 5",
        "messages 1 2\nlink ONE 1 1 -1", "messages 1 2\nlink ONE 1 1 9223372036854775807",
        "messages 1 2\nseats 1 ONE -9223372036854775808 1 r1"}) {
    CAPTURE(bad);
    LocalCounters counts = three_links();
    CHECK_THROWS_AS(counts.continue_from(bad, MessageNumber()), Fault);
  }
}

}  // namespace linkmeter::local_counters_test
