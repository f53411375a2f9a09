// Explanation: what the amount of a meter, or of a reserve, consists of, traced back to the wagers
// since its last 100% award, or since it opened. The parts sum to the amount, to 10^-8 dollar;
// otherwise explain() throws.
//
// A 100% award that was rejected as if never won (M11) does not begin a window: the earlier
// window continues, and what the award took and returned are events in it. A reserve is explained
// in the same way, since the last 100% award of any level of its link: each of these takes the
// reserve, as far as a limit permits.
//
// Cost. If only accruals touched the meter in an ended gaming day, the two readings of the day
// explain it, and its entries are not read. The contribution of each table is then its handle times
// the rate, and must equal the `contributed` of the readings; otherwise the entries are read. The
// entries are also read of these days:
//   - the day of `at` or of the claim's award, and the first day of the window (each twice: to find
//     the award, and to count);
//   - days with an award, a rejection, a correction, a transfer, or changed parameters;
//   - with `with_rounds`, every day of the window: only entries name rounds. Each round is kept, so
//     memory grows with them.
// Earlier awards are found through their claims, one read each. An award that needed no claim is
// listed only if the entries of its day are read. A correction and its exact opposite within one
// day leave no trace in a reading: the sum is right, but the events do not show the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/balances/reading.h"
#include "meters/facts/award.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"
#include "meters/state/claim.h"
#include "meters/state/state.h"

namespace linkmeter {

// Claim payout: how the amount of one claim was computed, from the entry that raised it: a fixed
// award, the whole meter, a percentage of it, or a seat's share of one of these.

struct ClaimPayout {
  struct Share {
    Seat seat;
    std::optional<ClaimNumber> claim;
    Amount amount;
  };
  Claim claim;
  AwardKind kind = AwardKind::line;
  std::optional<Seat> holder;  // envy: whose hand it was
  // From a meter: what the line took of it, and how it is shared, in the order of settlement.
  std::optional<JackpotHit> hit;
  std::vector<Share> shares;  // one: it is not shared
};

// nullopt: the entry has no award of this claim.
std::optional<ClaimPayout> claim_payout(const Entry& entry, const Claim& claim);

// The percentage that a hit took: 100 for the whole meter. nullopt: an old entry does not record
// the meter, or it was so small that several percentages give the amount.
std::optional<int> percent_of(const JackpotHit& hit, Amount before_limit);

// The steps of the calculation as sentences.
std::vector<std::string> payout_sentences(const ClaimPayout& payout, const Floor& floor);

// What a pool received, each part with its sign; the sum is the change of its balance.
struct PoolMovements {
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
  // Adds the other's parts, or with `sign` -1 takes them away.
  void add(const PoolMovements& other, int sign = 1);
  friend bool operator==(const PoolMovements&, const PoolMovements&) = default;
};

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
  PoolMovements flow = {};
  std::vector<TableShare> tables = {};
  bool is_by_readings = false;
};
// A movement that is neither an accrual nor a void.
struct PoolEvent {
  EntryNumber entry;
  Timestamp at;
  // "award", "share", "rejected", "correction", "transfer", "discontinued"
  std::string kind;
  Amount amount;  // the change of the balance
  std::vector<ClaimNumber> claims;
  // For a transfer or an ending, the other side: "POKER-1 main"; for an ending, the link.
  std::string other = {};
};
struct EarlierAward {
  EntryNumber entry;
  Timestamp at;
  bool whole = false;
  Amount amount, meter_before, left;  // meter_before: 0 if an old entry lacks it
  bool is_rejected = false;           // by now, every claim of it
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
  Amount award, kept, seeded, from_reserve;  // the award; the parts of the window's first balance
  PoolMovements flow;                        // since then
  std::vector<DayShare> days;
  std::vector<PoolEvent> events;
  std::vector<EarlierAward> earlier;  // the latest first, at most earlier_max
  std::uint64_t entries_read = 0;
  std::uint64_t days_by_readings = 0;

  static constexpr std::size_t earlier_max = 25;
  // A fixed award takes nothing from a meter: the payout is the whole explanation.
  [[nodiscard]] bool is_fixed() const { return payout && !payout->claim.level; }
  [[nodiscard]] Amount sum() const { return kept + seeded + from_reserve + flow.sum(); }
};

struct ExplainRequest {
  LinkIndex link;
  Pool pool;
  EntryNumber at;  // after this entry
  bool with_rounds = false;
  std::optional<ClaimNumber> claim = {};  // in the place of link, pool and entry: before its award
};

// What an explanation needs of a state, copied out of it: only the claims on the pool's own meters,
// few compared with a year's fixed awards; and only the ends of the days.
struct ExplainBasis {
  EntryNumber last_entry, configuration;
  LinkId link;  // the pool's
  Amount held;  // there, at the last entry
  std::vector<DayRecord> days;
  std::vector<Claim> claims;  // in their order, and the one that is asked for, whatever it is

  // nullptr: it is not included.
  [[nodiscard]] const Claim* find_claim(ClaimNumber number) const;
};
// REQUIRES: the link and its level exist, or a claim is requested.
ExplainBasis explain_basis(const State& state, const ExplainRequest& request);

// REQUIRES: the link and its level exist; `at` is an entry; the basis was made for the same
// request, from the state at the journal's head. Throws Fault if there is no such claim or the
// journal cannot be read.
Explanation explain(const Journal& journal, const ExplainBasis& basis, ExplainRequest request,
                    const std::function<void(std::uint64_t)>& progress = {});
Explanation explain(const Journal& journal, const State& state, const ExplainRequest& request,
                    const std::function<void(std::uint64_t)>& progress = {});

// An explanation as JSON, for programs and pages:
// {"link","level","entry","claim","balance","sum","since":{"entry","at","kind":"opening|award",
//   "award","kept","seeded","from_reserve"},
//  "parts":{"contributed","withheld","overflowed","seeded","from_reserve","awarded","returned",
//   "corrected","transferred"},
//  "days":[{"day","entries":[first,last],"contributed","change","by":"readings|entries",
//    "tables":[{"table","contributed","rounds":[{"round","entry","contributed"}]}]}],
//  "events":[{"entry","at","kind","amount","claims"}],
//  "earlier_awards":[{"entry","at","whole","amount","stood","left","rejected","claims"}],
//  "cost":{"entries_read","days_by_readings"}}
// since.kept + since.seeded + since.from_reserve + every part = sum = balance; every amount has its
// sign. A day's change includes its events. "rounds" exists only if it was requested.

Json explanation_json(const Explanation& explanation, const Floor& floor, bool with_rounds);

}  // namespace linkmeter
