// Explanation: what the amount of a meter, or of a reserve, is made of, traced back to the wagers
// since its last 100% award, or since it opened. The parts sum to the amount, to 10^-8 dollar, or
// explain() throws: an explanation that does not come out is none.
//
// A 100% award that was rejected as if never called (M11) begins nothing: its window goes on, and
// what it took and what came back are events in it. So is a reserve explained since the last 100%
// award of any level of its link: each of them takes the reserve, as far as a limit lets it in.
//
// Cost. A gaming day that has ended costs two readings, not its entries, where they show that
// nothing but accruals touched the meter: what each table brought is then its handle times the
// rate, and the readings' own `contributed` must say the same, else the day is scanned. Scanned
// are: the day that `at` or the claim's award is in, the day of the window's beginning (each twice:
// to find the award, and to count), days with an award, a rejection, a correction, a transfer, or
// other parameters, and with `with_rounds` every day of the window: only its entries name rounds,
// and each of these is kept, so that the memory grows with them. Earlier awards are found
// through their claims, one read each; one that needed no claim is listed only where its day was
// scanned. A correction and its exact opposite within one day leave no trace in a reading; the sum
// is as right, but the events do not show the two.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/explain/claim_payout.h"
#include "controller/store/journal.h"
#include "meters/facts/day_record.h"
#include "meters/facts/entry.h"
#include "meters/state/claim.h"
#include "meters/state/state.h"

namespace linkmeter {

// What came to a pool: each with its sign, so that all of them make the change of its balance.
struct PoolFlow {
  Amount contributed;   // by wagers, net of voids
  Amount withheld;      // voided contributions that stay on the meter, less what was repaid (M8)
  Amount overflowed;    // M9: from a level to the reserve
  Amount seeded;        // reseeds of awards that were rejected later; of an ending the house's
  Amount from_reserve;  // of those awards; of a reserve: what went to meters
  Amount awarded;       // taken by awards
  Amount returned;      // by rejected claims
  Amount corrected;     // M12
  Amount transferred;   // M12
  [[nodiscard]] Amount sum() const;
  PoolFlow& operator+=(const PoolFlow& other);
  friend bool operator==(const PoolFlow&, const PoolFlow&) = default;
};

// What the entry posts to the pool: first what is no award's, then each call of a meter, in order.
struct PoolStep {
  PoolFlow flow;
  const JackpotHit* call = nullptr;  // null: the first step
  std::uint32_t number = 0;          // of the call in its entry, from 1
};
std::vector<PoolStep> steps_of(const Entry& entry, LinkIndex link, Pool pool);
// The entry's calls of meters and awards; none if it is no entry that settles.
const std::vector<JackpotHit>& calls_of(const Entry& entry);
const std::vector<Award>& awards_of(const Entry& entry);

struct RoundShare {
  EntryNumber entry;
  RoundId round;
  Amount contributed;
};
struct TableShare {
  TableIndex table;
  Amount contributed;
  std::vector<RoundShare> rounds = {};
};
struct DayShare {
  std::string day;  // "" where no day had ended
  EntryNumber first, last;
  PoolFlow flow = {};
  std::vector<TableShare> tables = {};
  bool is_by_readings = false;
};
// Whatever is not an accrual or a void.
struct PoolEvent {
  EntryNumber entry;
  Timestamp at;
  // "award", "share", "rejected", "correction", "transfer", "discontinued"
  std::string kind;
  Amount amount;  // what it did to the balance
  std::vector<ClaimNumber> claims;
  // Of a transfer or an ending: where it went, or came from: "POKER-1 main", of an ending the link.
  std::string other = {};
};
struct EarlierAward {
  EntryNumber entry;
  Timestamp at;
  bool whole = false;
  Amount amount, stood, left;  // stood: 0 where an old entry does not say
  bool is_rejected = false;    // by now, every claim of it
  std::vector<ClaimNumber> claims;
};

struct Explanation {
  LinkIndex link;
  Pool pool;
  EntryNumber at;
  std::optional<ClaimNumber> claim;
  std::optional<ClaimPayout> payout;  // of the claim
  Amount balance;                     // counted apart from the parts
  EntryNumber since;                  // the award's entry, or 1
  Timestamp since_at;
  bool is_since_award = false;
  Amount award, kept, seeded, from_reserve;  // what it took, and what the window began with
  PoolFlow flow;                             // since then
  std::vector<DayShare> days;
  std::vector<PoolEvent> events;
  std::vector<EarlierAward> earlier;  // the latest first, at most earlier_max
  std::uint64_t entries_read = 0;
  std::uint64_t days_by_readings = 0;

  static constexpr std::size_t earlier_max = 25;
  // A fixed award comes off no meter: the payout is all that there is to say.
  [[nodiscard]] bool is_fixed() const { return payout && !payout->claim.level; }
  [[nodiscard]] Amount sum() const { return kept + seeded + from_reserve + flow.sum(); }
};

struct ExplainAsked {
  LinkIndex link;
  Pool pool;
  EntryNumber at;  // after this entry
  bool with_rounds = false;
  std::optional<ClaimNumber> claim = {};  // in the place of link, pool and entry: before its award
};

// What an explanation needs of a state, apart from it: of the claims only those off the pool's own
// meters, few beside the fixed awards of a year; of the days only where they end.
struct ExplainBasis {
  EntryNumber last_entry, configuration;
  LinkId link;  // the pool's
  Amount held;  // there, at the last entry
  std::vector<DayRecord> days;
  std::vector<Claim> claims;  // in their order, and the one that is asked for, whatever it is

  // nullptr: it is not among them.
  [[nodiscard]] const Claim* find_claim(ClaimNumber number) const;
};
// REQUIRES: the link and its level are there, or the claim is asked for.
ExplainBasis explain_basis(const State& state, const ExplainAsked& asked);

// REQUIRES: the link and its level are there; `at` is an entry; the basis is of the same question,
// and of the state at the journal's head. Throws Fault: no such claim, a journal that cannot
// be read.
Explanation explain(const Journal& journal, const ExplainBasis& basis, ExplainAsked asked,
                    const std::function<void(std::uint64_t)>& progress = {});
Explanation explain(const Journal& journal, const State& state, const ExplainAsked& asked,
                    const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
