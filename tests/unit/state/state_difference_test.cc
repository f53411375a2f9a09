// Two states are equal only if all parts are equal: an audit would not see a part that the
// comparison leaves out.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/state/state.h"
#include "tests/support/busy_floor.h"

namespace linkmeter::state_difference_test {
namespace {

// The parts of a state.
struct Parts {
  EntryNumber last_entry;
  Floor floor;
  std::vector<LinkBalances> links;
  std::vector<TableSession> sessions;
  std::vector<Claim> claims;
  Staff staff;
  EntryNumber since = EntryNumber(1);
  std::vector<Slip> slips;
  std::vector<DayRecord> days;
  std::vector<Restoration> restorations;
  EntryNumber last_check;
  Moments moments;
  ClockStanding clock;
  HouseKeys keys;
  std::optional<WriterChanged> writer;

  Parts() {
    BusyFloor busy;
    busy.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
    const State& state = busy.floor.state;
    last_entry = state.last_entry();
    floor = state.floor();
    for (std::uint32_t at = 0; at < floor.links.size(); ++at) {
      links.push_back(state.link(LinkIndex(at)));
    }
    for (std::uint32_t at = 0; at < floor.tables.size(); ++at) {
      sessions.push_back(state.session(TableIndex(at)));
    }
    claims = state.claims();
    staff.people = state.people();
    slips = state.slips();
    days = {DayRecord{GamingDay::from_number(20'777), EntryNumber(3), {}}};
    restorations = {Restoration{EntryNumber(4), {}}};
    last_check = EntryNumber(5);
    moments = state.moments();
  }
  [[nodiscard]] State state() const {
    return State::restored(last_entry, floor, links, sessions, claims, staff, since, slips, days,
                           restorations, last_check, moments, clock, keys, writer);
  }
};

template <class Spoil>
bool is_seen(Spoil spoil) {
  Parts other;
  spoil(other);
  return !(other.state() == Parts().state());
}

}  // namespace

TEST_CASE("states that differ in one field are different") {
  CHECK((Parts().state() == Parts().state()));
  CHECK(is_seen([](Parts& one) { one.last_entry = one.last_entry.next(); }));
  CHECK(is_seen([](Parts& one) { one.floor.house += "!"; }));
  CHECK(is_seen([](Parts& one) { one.links[1].reserve.held += Amount::from_units(1); }));
  CHECK(is_seen([](Parts& one) { one.sessions[1] = TableSession(); }));
  CHECK(is_seen([](Parts& one) { one.claims[0].wager += Amount::cents(1); }));
  CHECK(is_seen([](Parts& one) { ++one.staff.people.begin()->second.failures; }));
  CHECK(is_seen([](Parts& one) { one.staff.people.begin()->second.locked_until = until_new_pin; }));
  CHECK(is_seen([](Parts& one) { one.staff.recovery.codes.push_back({}); }));
  CHECK(is_seen([](Parts& one) { one.days[0].said[{Badge("C-1"), "move 1"}] = 1; }));
  CHECK(is_seen([](Parts& one) { one.staff.last_proposal = ProposalNumber(9); }));
  CHECK(is_seen([](Parts& one) { one.since = EntryNumber(2); }));
  CHECK(is_seen([](Parts& one) { one.writer = WriterChanged{"a", 1}; }));
  CHECK(is_seen([](Parts& one) { one.slips[0].void_note = "till 4"; }));
  CHECK(is_seen([](Parts& one) { one.days[0].facts.push_back(EntryNumber(4)); }));
  CHECK(is_seen([](Parts& one) { one.restorations[0].accepted = EntryNumber(5); }));
  CHECK(is_seen([](Parts& one) { one.last_check = EntryNumber(6); }));
  CHECK(is_seen([](Parts& one) { one.moments.opened_at = one.moments.opened_at.after(1); }));
  CHECK(is_seen([](Parts& one) { one.moments.moved_at = one.moments.moved_at.after(1); }));
  CHECK(is_seen([](Parts& one) { one.clock.lead_us = 1; }));
  CHECK(is_seen([](Parts& one) { one.clock.doubt.emplace(); }));
  CHECK(is_seen([](Parts& one) { one.keys.signed_head = EntryNumber(2); }));
  CHECK(is_seen([](Parts& one) { one.keys.signed_with = EntryNumber(3); }));
  CHECK(is_seen([](Parts& one) { one.keys.before_pin_key.insert(Badge("F-1")); }));
  CHECK(is_seen([](Parts& one) { one.keys.pins_outdated = ProposalNumber(1); }));
  CHECK(is_seen([](Parts& one) { one.keys.current[KeyKind::pin] = {"key", EntryNumber(2)}; }));
}

}  // namespace linkmeter::state_difference_test
