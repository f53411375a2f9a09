// A restored backup as an event of history: what stops until two departments accept it, and which
// acts are refused.
#include "meters/rules/decide_restoration.h"

#include <doctest/doctest.h>
#include <string>

#include "controller/store/audit.h"
#include "controller/store/hash_chain.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/support/day_house.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::restoration_test {
namespace {

// The hash of an entry as the journal has it.
Digest hash_of(const Journal& journal, EntryNumber number) {
  Digest hash{};
  journal.read(number, [&hash](const StoredEntry& stored) {
    hash = stored.hash;
    return false;
  });
  return hash;
}

HistoryRestored restored_up_to(const DayHouse& house, EntryNumber number) {
  return {number, hash_of(house.journal(), number), house.now(), house.begins_at()};
}

AcceptHistory acceptance(const DayHouse& house, EntryNumber entry) {
  const Restoration* restoration = find_restoration(house.state(), entry);
  REQUIRE(restoration != nullptr);
  return restoration->to_accept();
}

std::string suspended(const DayHouse& house, const std::string& link) {
  return house.state().link(house.link_of(link)).suspended;
}

// The answer of decide() to a person, without applying it.
std::string says(const DayHouse& house, const std::string& badge, const OperatorCommand& act) {
  const FloorFile file = std::get<FloorFile>(parse_with_catalogue(mixed_floor_text));
  const Decision decision =
      decide(house.state(), file.rules, PersonMessage{Badge(badge), act}, house.now());
  const auto* no = std::get_if<CommandRejected>(&std::get<Entry>(decision).fact);
  return no == nullptr ? "none" : std::string(name(no->refusal));
}

std::string unfit(const DayHouse& house, Fact fact) {
  const Entry entry{
      house.state().last_entry().next(), house.now(), std::nullopt, std::move(fact), {}};
  return validate_entry(house.state(), entry).value_or("it fits");
}

}  // namespace

TEST_CASE(
    "every link is suspended until two departments accept the restoration, then it is as before") {
  DayHouse house;
  house.take("TGM-1", SuspendLink{LinkId("C4"), "cleaning"});
  const EntryNumber last = house.state().last_entry();
  const EntryNumber entry = house.note(restored_up_to(house, last));
  const std::string reason = "restored from a backup up to entry " + std::to_string(last.value()) +
                             ", which two managers have not accepted yet (entry " +
                             std::to_string(entry.value()) + ")";
  CHECK_EQ(suspended(house, "RIU"), reason);
  CHECK_EQ(suspended(house, "POKER"), reason);
  CHECK_EQ(suspended(house, "C4"), "cleaning");
  REQUIRE_EQ(waiting_restoration(house.state())->entry, entry);
  CHECK_EQ(says(house, "TGM-1", Propose{ResumeLink{LinkId("RIU")}}), "history_to_be_accepted");
  CHECK_EQ(says(house, "TGM-1", Propose{ResumeLink{LinkId("C4")}}), "history_to_be_accepted");
  CHECK_EQ(unfit(house, ActProposed{ProposalNumber(1), ResumeLink{LinkId("RIU")}, Badge("TGM-1")}),
           "a restored history is not accepted");

  const EntryNumber accepted = house.both(acceptance(house, entry));
  CHECK_EQ(waiting_restoration(house.state()), nullptr);
  CHECK_EQ(find_restoration(house.state(), entry)->accepted, accepted);
  CHECK_EQ(suspended(house, "RIU"), "");
  CHECK_EQ(suspended(house, "POKER"), "");
  CHECK_EQ(suspended(house, "C4"), "cleaning");
  CHECK_EQ(says(house, "TGM-1", Propose{ResumeLink{LinkId("C4")}}), "none");
  house.take("RIU-01", raise_it_up("r1", 1));
}

TEST_CASE("until the acceptance, nothing changes that the tables must find unchanged") {
  DayHouse house;
  const EntryNumber entry = house.note(restored_up_to(house, EntryNumber(1)));
  const std::string waits = "history_to_be_accepted";
  CHECK_EQ(says(house, "F-1", ValidateClaim{ClaimNumber(1)}), waits);
  CHECK_EQ(says(house, "C-1", PayClaim{ClaimNumber(1)}), waits);
  CHECK_EQ(says(house, "TGM-1", Propose{StopCollecting{LinkId("RIU"), ""}}), waits);
  const CorrectMeter correct{LinkId("RIU"), LevelId("main"), Amount::cents(1),
                             CorrectionReason::count_variance, ""};
  CHECK_EQ(says(house, "FM-1", Propose{correct}), waits);
  CHECK_EQ(unfit(house, ClaimValidated{ClaimNumber(1), Badge("F-1")}),
           "a restored history is not accepted");
  // A person who was removed after the backup is removed again first.
  CHECK_EQ(says(house, "TGM-1", Propose{RemovePerson{Badge("A-1")}}), "none");
  house.both(acceptance(house, entry));
  CHECK_EQ(says(house, "FM-1", Propose{correct}), "none");
}

TEST_CASE("another suspension meanwhile outlasts the acceptance") {
  DayHouse house;
  const EntryNumber entry = house.note(restored_up_to(house, EntryNumber(1)));
  house.take("TGM-1", SuspendLink{LinkId("C4"), "its sign is dark"});
  CHECK_EQ(suspended(house, "C4"), "its sign is dark");
  CHECK_EQ(says(house, "TGM-1", SuspendLink{LinkId("C4"), "again"}), "link_suspended_already");
  const Decision decision =
      decide(house.state(), FloorRules(), SelfSuspension{house.link_of("RIU"), "state mismatch"},
             house.now());
  const auto* fault = std::get_if<Entry>(&decision);
  REQUIRE(fault != nullptr);
  CHECK_EQ(validate_entry(house.state(), *fault), std::nullopt);
  house.both(acceptance(house, entry));
  CHECK_EQ(suspended(house, "C4"), "its sign is dark");
  CHECK_EQ(suspended(house, "POKER"), "");
  // An accepted restoration suspends nothing: a link's present suspension has another reason.
  CHECK_EQ(says(house, "TGM-1", SuspendLink{LinkId("C4"), "again"}), "link_suspended_already");
}

TEST_CASE("with two waiting restorations, the links operate after the second acceptance") {
  DayHouse house;
  const EntryNumber first = house.note(restored_up_to(house, EntryNumber(1)));
  const EntryNumber second = house.note(restored_up_to(house, first));
  REQUIRE_EQ(waiting_restoration(house.state())->entry, first);
  house.both(acceptance(house, second));
  CHECK_NE(suspended(house, "RIU"), "");
  house.both(acceptance(house, first));
  CHECK_EQ(suspended(house, "RIU"), "");
}

TEST_CASE("who may accept a restoration, and what the person must have read") {
  DayHouse house;
  const EntryNumber entry = house.note(restored_up_to(house, EntryNumber(1)));
  const AcceptHistory right = acceptance(house, entry);
  const auto proposes = [&house](const std::string& badge, const AcceptHistory& accept) {
    return says(house, badge, Propose{accept});
  };
  CHECK_EQ(proposes("A-1", right), "right_missing");
  CHECK_EQ(proposes("TGM-1", right), "none");
  CHECK_EQ(proposes("FM-1", right), "none");
  AcceptHistory other = right;
  other.restored = EntryNumber(1);
  CHECK_EQ(proposes("TGM-1", other), "restoration_unknown");
  other = right;
  other.hash[3] ^= 1U;
  CHECK_EQ(proposes("TGM-1", other), "restoration_unknown");
  other = right;
  other.restored_at = other.restored_at.after(1);
  CHECK_EQ(proposes("TGM-1", other), "restoration_unknown");
  other = right;
  other.note = std::string(limits::reason_length_max + 1, 'x');
  CHECK_EQ(proposes("TGM-1", other), "name_malformed");
  other.note = "drill";
  CHECK_EQ(proposes("TGM-1", other), "none");
  house.take("TGM-1", Propose{right});
  CHECK_EQ(says(house, "TGM-1", Confirm{ProposalNumber(1), summary(DualControlCommand(right))}),
           "same_department");
  CHECK_EQ(says(house, "FM-1", Confirm{ProposalNumber(1), summary(DualControlCommand(other))}),
           "summary_differs");
  house.take("FM-1", Confirm{ProposalNumber(1), summary(DualControlCommand(right))});
  CHECK_EQ(proposes("TGM-1", right), "restoration_accepted");
}

TEST_CASE("both persons read the entry, its hash and its time") {
  AcceptHistory accept{EntryNumber(815), EntryNumber(812), {}, {}, "drill"};
  accept.hash.fill(0x5f);
  // 2026-11-21 09:00:05 UTC is 20,778 days, nine hours and five seconds after the beginning of
  // 1970.
  accept.restored_at =
      Timestamp::from_microseconds((20'778LL * 86'400 + 9 * 3'600 + 5) * 1'000'000 + 250'000);
  std::string hash;
  for (int byte = 0; byte < 32; ++byte) hash += "5f";
  CHECK_EQ(summary(DualControlCommand(accept)),
           "accept the history restored with entry 815: up to entry 812, " + hash +
               ", at 2026-11-21 09:00:05 UTC, drill");
}

TEST_CASE("a restoration is journaled once, and impossible ones are refused") {
  DayHouse house;
  const HistoryRestored restored = restored_up_to(house, EntryNumber(1));
  const Decision first = decide(house.state(), FloorRules(), restored, house.now());
  CHECK((std::get<Entry>(first).fact == Fact(restored)));
  const EntryNumber entry = house.note(restored);
  CHECK_EQ(std::get<Refusal>(decide(house.state(), FloorRules(), restored, house.now())),
           Refusal::restoration_known);
  CHECK_EQ(unfit(house, restored), "it says a restoration a second time");
  HistoryRestored other = restored;
  other.restored_at = other.restored_at.after(1);
  CHECK_EQ(unfit(house, other),
           "it was restored up to an entry before another restoration of this journal");
  other.ended_with = entry;
  CHECK_EQ(unfit(house, other), "it fits");
  other.ended_with = entry.next();
  CHECK_EQ(unfit(house, other), "it was restored up to an entry that is not before it");
  other.ended_with = EntryNumber();
  CHECK_EQ(unfit(house, other), "it was restored up to an entry that is not before it");

  AcceptHistory accept = acceptance(house, entry);
  const auto proposed = [](const AcceptHistory& one) {
    return ActProposed{ProposalNumber(1), one, Badge("TGM-1")};
  };
  CHECK_EQ(unfit(house, proposed(accept)), "it fits");
  accept.hash[0] ^= 1U;
  CHECK_EQ(unfit(house, proposed(accept)), "it accepts another restoration than the entry says");
  accept.restored = EntryNumber(1);
  CHECK_EQ(unfit(house, proposed(accept)), "it accepts a restoration that there was not");
  const AcceptHistory right = acceptance(house, entry);
  house.both(right);
  ActProposed again = proposed(right);
  again.proposal = ProposalNumber(2);
  CHECK_EQ(unfit(house, again), "it accepts a restoration a second time");
}

TEST_CASE("rows of waiting and accepted restorations are read back") {
  DayHouse house;
  const EntryNumber entry = house.note(restored_up_to(house, EntryNumber(1)));
  const auto is_read_back = [&house] {
    const StateRead read = read_state(house.state().last_entry(), house.journal().rows());
    REQUIRE_EQ(read.why, "");
    CHECK((rows_of(*read.state) == rows_of(house.state())));
    return *read.state == house.state();
  };
  CHECK(is_read_back());
  house.both(acceptance(house, entry));
  CHECK(is_read_back());
}

TEST_CASE("an audit compares a restoration with the journal's earlier entries") {
  for (const bool is_forged : {false, true}) {
    DayHouse house;
    HistoryRestored restored = restored_up_to(house, EntryNumber(1));
    if (is_forged) restored.hash[0] ^= 1U;
    const EntryNumber entry = house.note(restored);
    house.take("TGM-1", Propose{acceptance(house, entry)});
    const AuditReport report = audit(house.journal());
    CHECK_EQ(report.is_clean(), !is_forged);
    if (!is_forged) continue;
    REQUIRE(report.bad);
    CHECK_EQ(report.bad->number, entry);
    CHECK_EQ(report.bad->why, "it was restored from a journal with another hash");
  }
}

TEST_CASE("the day's report has an item for the restoration, which must be explained") {
  DayHouse house;
  const EntryNumber entry = house.note(restored_up_to(house, EntryNumber(1)));
  const EntryNumber accepted = house.both(acceptance(house, entry));
  const GamingDay day = house.end_day_told();
  const std::string item = "restored/" + std::to_string(entry.value());
  const Json report = house.json_of(day);
  REQUIRE_EQ(report.at("items").size(), 1);  // one item for every link would be too many
  CHECK_EQ(report.at("items")[0].at("item"), item);
  CHECK_EQ(report.at("items")[0].at("kind"), "restored");
  CHECK_EQ(report.at("items")[0].at("difference"), "since entry 1");
  const Json& told = one_of(report.at("events"), "kind", "history_restored");
  CHECK_EQ(told.at("entry"), entry.value());
  CHECK_NE(told.at("words").get<std::string>().find(hex(hash_of(house.journal(), EntryNumber(1)))),
           std::string::npos);
  const Json& by = one_of(report.at("events"), "kind", "history_accepted");
  CHECK_EQ(by.at("entry"), accepted.value());
  CHECK_NE(by.at("words").get<std::string>().find("by TGM-1 and FM-1"), std::string::npos);

  CHECK(house.report_of(day).finding.items.at(item).is_open);
  house.take("A-1", ExplainVariance{day, item, "since entry 1", "two slips, filed", {}});
  CHECK_FALSE(house.report_of(day).finding.items.at(item).is_open);
}

}  // namespace linkmeter::restoration_test
