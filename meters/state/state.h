// State: the complete state of the controller, derived from journal entries only. Replay is apply()
// in a loop. To follow a message that arrives twice across a crash, read decide() in decide.h, then
// TableSession, then apply().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/facts/clock_doubt.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"
#include "meters/facts/house_key.h"
#include "meters/facts/operator_command.h"
#include "meters/facts/writer_change.h"
#include "meters/floor/floor.h"
#include "meters/state/claim.h"
#include "meters/state/recovery.h"
#include "meters/state/slip.h"
#include "meters/state/state_changes.h"
#include "meters/state/table_session.h"
#include "meters/values/enrolment.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The moments that gaming days are computed from (day_rollover.h of the controller).
struct Moments {
  Timestamp opened_at;  // entry 1
  Timestamp moved_at;   // when money was last moved; opened_at until then
  friend bool operator==(const Moments&, const Moments&) = default;
};

// The people, their open proposals, and the keys that they have enrolled.
struct Staff {
  std::map<Badge, Person> people;
  std::vector<Proposal> proposals;  // open, by number
  ProposalNumber last_proposal;
  Enrolments enrolments;
  Recovery recovery;
  friend bool operator==(const Staff&, const Staff&) = default;
};

class State {
 public:
  [[nodiscard]] bool is_open() const { return last_entry_.value() > 0; }
  [[nodiscard]] EntryNumber last_entry() const { return last_entry_; }
  [[nodiscard]] const Floor& floor() const { return floor_; }
  // The entry that put the current floor in force: 1, or a change of parameters.
  [[nodiscard]] EntryNumber configuration() const { return configuration_; }
  // Indexed versions of Floor::find_table() and links_of().
  [[nodiscard]] std::optional<TableIndex> find_table(const TableId& id) const {
    return index_.find_table(id.text());
  }
  [[nodiscard]] const std::vector<FloorIndex::Part>& parts_of(TableIndex table) const {
    return index_.parts_of(table);
  }
  [[nodiscard]] const LinkBalances& link(LinkIndex place) const;
  [[nodiscard]] const TableSession& session(TableIndex place) const;
  [[nodiscard]] const std::vector<Claim>& claims() const { return claims_; }
  [[nodiscard]] const Claim* find_claim(ClaimNumber number) const;
  // All slips ever issued: slip N is at index N - 1.
  [[nodiscard]] const std::vector<Slip>& slips() const { return slips_; }
  [[nodiscard]] const Slip* find_slip(SlipNumber number) const;
  // The slip that the claim is to be paid on; nullptr: none.
  [[nodiscard]] const Slip* open_slip(const Claim& claim) const;
  // All gaming days that have ended, in order.
  [[nodiscard]] const std::vector<DayRecord>& days() const { return days_; }
  [[nodiscard]] const DayRecord* find_day(GamingDay day) const;
  // All backups that this journal was restored from, in order (decide_restoration.h).
  [[nodiscard]] const std::vector<Restoration>& restorations() const { return restorations_; }
  // Whether the system clock is trusted (clock_trust.h).
  [[nodiscard]] const ClockStanding& clock() const { return clock_; }
  // The entry of the last self-check if it passed; 0: it failed, or there was none. It is the only
  // record of how far the journal was verified.
  [[nodiscard]] EntryNumber last_check() const { return last_check_; }
  [[nodiscard]] const Moments& moments() const { return moments_; }
  [[nodiscard]] const HouseKeys& keys() const { return keys_; }
  // The last change of the writer; nullopt: no node of a cluster has ever written.
  [[nodiscard]] const std::optional<WriterChanged>& writer() const { return writer_; }
  // All people ever added. A badge is never assigned again.
  [[nodiscard]] const std::map<Badge, Person>& people() const { return staff_.people; }
  [[nodiscard]] const Person* find_person(const Badge& badge) const;
  // Proposals that wait for a second person. Some may have expired.
  [[nodiscard]] const std::vector<Proposal>& proposals() const { return staff_.proposals; }
  [[nodiscard]] const Proposal* find_proposal(ProposalNumber number) const;
  [[nodiscard]] ProposalNumber last_proposal() const { return staff_.last_proposal; }
  // The recovery codes, and the earliest moment of the next try.
  [[nodiscard]] const Recovery& recovery() const { return staff_.recovery; }
  // The keys that may connect.
  [[nodiscard]] const Enrolments& enrolments() const { return staff_.enrolments; }
  // The table that currently has this key; nullopt: none.
  [[nodiscard]] std::optional<TableIndex> table_of(std::string_view key) const;

  // Applies the entry. Cannot fail: an entry that does not fit this state breaks an INVARIANT.
  // Entries read from disk are validated with validate_entry() of laws.h first.
  void apply(const Entry& entry);

  // What apply() changed since the changes were last taken or forgotten.
  [[nodiscard]] const Changes& changes() const { return changes_; }
  void forget_changes() { changes_.forget(); }
  [[nodiscard]] Changes take_changes() { return std::exchange(changes_, Changes{}); }

  // Restores the contents of the state tables (codec only).
  static State restored(EntryNumber last_entry, Floor floor, std::vector<LinkBalances> links,
                        std::vector<TableSession> sessions, std::vector<Claim> claims,
                        Staff staff = {}, EntryNumber configuration = EntryNumber(1),
                        std::vector<Slip> slips = {}, std::vector<DayRecord> days = {},
                        std::vector<Restoration> restorations = {}, EntryNumber last_check = {},
                        Moments moments = {}, ClockStanding clock = {}, HouseKeys keys = {},
                        std::optional<WriterChanged> writer = {});

  // Compares everything that entries determine; pending changes are not compared.
  friend bool operator==(const State& left, const State& right) {
    return left.last_entry_ == right.last_entry_ && left.floor_ == right.floor_ &&
           left.links_ == right.links_ && left.sessions_ == right.sessions_ &&
           left.claims_ == right.claims_ && left.staff_ == right.staff_ &&
           left.configuration_ == right.configuration_ && left.slips_ == right.slips_ &&
           left.days_ == right.days_ && left.restorations_ == right.restorations_ &&
           left.last_check_ == right.last_check_ && left.moments_ == right.moments_ &&
           left.clock_ == right.clock_ && left.keys_ == right.keys_ &&
           left.writer_ == right.writer_;
  }

 private:
  struct Applying;
  void take_floor(Floor floor);
  void take_check(EntryNumber entry, const SelfChecked& fact);
  void post(const Entry& entry);
  // REQUIRES: the day has ended.
  [[nodiscard]] std::size_t place_of(GamingDay day) const;
  // Parts of apply().
  void record_restoration(EntryNumber entry, const HistoryRestored& fact);
  void accept_restored(EntryNumber restored, EntryNumber entry);
  void record_clock_doubt(EntryNumber entry, const ClockDoubted& fact);
  void end_clock_doubt();
  void confirm_clock(std::int64_t by_us);

  EntryNumber last_entry_;
  Floor floor_;
  FloorIndex index_;  // of floor_
  std::vector<LinkBalances> links_;
  std::vector<TableSession> sessions_;
  std::vector<Claim> claims_;  // claim N is at index N - 1
  Staff staff_;
  EntryNumber configuration_;
  std::vector<Slip> slips_;  // slip N is at index N - 1
  std::vector<DayRecord> days_;
  std::vector<Restoration> restorations_;
  EntryNumber last_check_;
  Moments moments_;
  ClockStanding clock_;
  HouseKeys keys_;
  std::optional<WriterChanged> writer_;
  Changes changes_;
};

}  // namespace linkmeter
