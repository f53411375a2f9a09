// A doubted clock in the core: who may confirm it, what the state's rows contain, and how it
// combines with a restored backup.
#include "meters/facts/clock_doubt.h"

#include <doctest/doctest.h>
#include <limits>
#include <string>

#include "controller/store/audit.h"
#include "controller/store/hash_chain.h"
#include "meters/rules/clock_trust.h"
#include "meters/rules/decide_restoration.h"
#include "meters/values/limits.h"
#include "proto/codec/whole_state.h"
#include "tests/support/capture_binding.h"
#include "tests/support/day_house.h"

namespace linkmeter::clock_doubt_test {
namespace {

constexpr std::int64_t day_us = std::int64_t{86'400} * 1'000'000;
const ClockDoubted ahead{ClockFault::stepped, 30 * day_us};

std::size_t suspended(const DayHouse& house) {
  std::size_t count = 0;
  for (std::uint32_t at = 0; at < house.state().floor().links.size(); ++at) {
    if (!house.state().link(LinkIndex(at)).suspended.empty()) ++count;
  }
  return count;
}

std::size_t links(const DayHouse& house) { return house.state().floor().links.size(); }

// The answer of decide() to a manager, without applying it.
std::string says(const DayHouse& house, const DualControlCommand& act) {
  const FloorFile file = std::get<FloorFile>(parse_with_catalogue(mixed_floor_text));
  const Decision decision =
      decide(house.state(), file.rules, PersonMessage{Badge("TGM-1"), Propose{act}}, house.now());
  const auto* no = std::get_if<CommandRejected>(&std::get<Entry>(decision).fact);
  return no == nullptr ? "none" : std::string(name(no->refusal));
}

void check_rows(const DayHouse& house) {
  const StateRead read = read_state(house.state().last_entry(), rows_of(house.state()));
  REQUIRE_EQ(read.why, "");
  CHECK(*read.state == house.state());
  CHECK(audit_against(house.journal(), house.state()).is_clean());
}

}  // namespace

TEST_CASE("only the current doubt can be confirmed, unchanged and within reason") {
  DayHouse house;
  CHECK_EQ(says(house, ConfirmClock{EntryNumber(1), 0}), "clock_not_doubted");
  const EntryNumber first = house.note(ahead);
  CHECK_EQ(suspended(house), links(house));
  CHECK_EQ(says(house, ConfirmClock{first, ahead.by_us}), "none");
  CHECK_EQ(says(house, ConfirmClock{first, ahead.by_us + 1}), "clock_doubt_unknown");
  CHECK_EQ(says(house, ConfirmClock{first.next(), ahead.by_us}), "clock_doubt_unknown");
  CHECK_EQ(says(house, ConfirmClock{first, ahead.by_us, std::string("a\nb")}), "name_malformed");
  check_rows(house);
  for (const auto& [by_us, answer] :
       {std::pair{limits::clock_ahead_us_max, "none"},
        std::pair{limits::clock_ahead_us_max + 1, "clock_too_far"},
        std::pair{-limits::clock_behind_us_max, "none"},
        std::pair{-limits::clock_behind_us_max - 1, "clock_too_far"},
        std::pair{std::numeric_limits<std::int64_t>::max(), "clock_too_far"},
        std::pair{std::numeric_limits<std::int64_t>::min(), "clock_too_far"}}) {
    CAPTURE_BINDING(by_us);
    const EntryNumber again = house.note(ClockDoubted{ClockFault::behind, by_us});
    CHECK_EQ(says(house, ConfirmClock{again, by_us}), answer);
    CHECK_EQ(says(house, ConfirmClock{first, ahead.by_us}), "clock_doubt_unknown");
    check_rows(house);
  }
  CHECK_EQ(suspended(house), links(house));  // by the last doubt
}

TEST_CASE("while the clock is in doubt, no link is resumed and no parameters are changed") {
  DayHouse house;
  const LinkId link = house.state().floor().links.front().id;
  house.suspend_itself(link.text(), "state mismatch");
  const EntryNumber doubted = house.note(ahead);
  CHECK_EQ(says(house, ResumeLink{link}), "clock_to_be_confirmed");
  CHECK_EQ(says(house, ResumeLinks{}), "clock_to_be_confirmed");
  CHECK_EQ(says(house, ResumeLinks{.cause = "state"}), "clock_to_be_confirmed");
  house.both(ConfirmClock{doubted, ahead.by_us, "looked at the wall"});
  CHECK_FALSE(house.state().clock().doubt);
  CHECK_EQ(suspended(house), 1);  // what it was before
  CHECK_EQ(says(house, ResumeLink{link}), "none");
  CHECK_EQ(says(house, ResumeLinks{}), "none");
  check_rows(house);
}

TEST_CASE("links held by a clock doubt and a restored backup are released by the last of the two") {
  for (const bool clock_first : {true, false}) {
    CAPTURE(clock_first);
    DayHouse house;
    const HistoryRestored restored{EntryNumber(1), house.journal().head().hash, house.now(),
                                   house.begins_at()};
    EntryNumber doubted, accepted;
    const auto doubt = [&] { doubted = house.note(ahead); };
    const auto restore = [&] { accepted = house.note(restored); };
    doubt();
    restore();
    CHECK_EQ(suspended(house), links(house));
    check_rows(house);
    const auto accept = [&] { house.both(find_restoration(house.state(), accepted)->to_accept()); };
    const auto confirm = [&] { house.both(ConfirmClock{doubted, ahead.by_us}); };
    clock_first ? confirm() : accept();
    CHECK_EQ(suspended(house), links(house));
    check_rows(house);
    clock_first ? accept() : confirm();
    CHECK_EQ(suspended(house), 0);
    check_rows(house);
  }
}

TEST_CASE("no entry ends or confirms a doubt that does not exist") {
  DayHouse house;
  const auto unfit = [&house](Fact fact) {
    return validate_entry(house.state(), Entry{house.state().last_entry().next(),
                                               house.now(),
                                               std::nullopt,
                                               std::move(fact),
                                               {}})
        .value_or("it fits");
  };
  const std::string none = "it ends a doubt of the clock that there is not";
  CHECK_EQ(unfit(ClockReturned{EntryNumber(1)}), none);
  const EntryNumber doubted = house.note(ahead);
  CHECK_EQ(unfit(ClockReturned{EntryNumber(1)}), none);
  CHECK_EQ(unfit(ClockReturned{doubted}), "it fits");
  const auto proposed = [&](ConfirmClock confirm) {
    return unfit(ActProposed{ProposalNumber(1), std::move(confirm), Badge("TGM-1")});
  };
  CHECK_EQ(proposed({doubted, ahead.by_us}), "it fits");
  CHECK_EQ(proposed({doubted, 1}), "it confirms a clock that is not in doubt so");
  house.note(ClockReturned{doubted});
  CHECK_EQ(suspended(house), 0);
  CHECK_EQ(proposed({doubted, ahead.by_us}), "it confirms a clock that is not in doubt so");
  check_rows(house);
}

TEST_CASE("a clock in doubt in words") {
  CHECK_EQ(clock_difference_text(30 * day_us + 7'201'000'000), "30 d 02:00:01 ahead");
  CHECK_EQ(clock_difference_text(-3'600'000'000), "0 d 01:00:00 behind");
  CHECK_EQ(clock_difference_text(std::numeric_limits<std::int64_t>::min()),
           "106751991 d 04:00:55 behind");
  CHECK_EQ(
      summary(DualControlCommand(ConfirmClock{EntryNumber(12), 30 * day_us, "looked"})),
      "confirm the system's clock, 30 d 00:00:00 ahead of the trusted time (entry 12), looked");
}

}  // namespace linkmeter::clock_doubt_test
