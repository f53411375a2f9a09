// Accounting views: what accounting pages read from the journal, as JSON.
//
// Law: nothing here reads the state, because it runs on the AccountingWorker's thread. The caller
// passes what is needed of the state.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/explain/explanation.h"
#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/facts/day_facts.h"
#include "meters/floor/floor.h"
#include "meters/state/claim.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// {"day","ended","ends_at","signed_by","signed_at","closed_by","closed_at","report","open_items",
//  "state":"open|signed|closed","is_ready"}. "is_ready": whether the day's report can be read.
struct DayStatus {
  DayRecord record;
  bool is_ready = false;
  std::optional<std::size_t> open_items;
};
Json day_json(const Journal& journal, const DayStatus& status);

// {"points":[{"day","closing","awarded","seeded","contributed","handle","paid"}]}, oldest first:
// one pool at the ends of these consecutive days. A point has the differences to the day before. So
// the first day gives no point, unless the journal begins with it (`is_from_opening`): then its
// point has everything since the floor opened.
Json history_json(const Journal& journal, const std::vector<DayRecord>& days, LinkIndex link,
                  Pool pool, bool is_from_opening);

// {"head","entries":[as in an export],"facts","next"}: entries from `from` on, of one kind of fact
// unless `fact` is "". "facts": the names of all kinds. "next": the first entry of the next page;
// missing at the end of the journal.
struct JournalQuery {
  EntryNumber from;
  std::size_t count = 50;
  std::string fact;
};
Json journal_json(const Journal& journal, const Floor& floor, const JournalQuery& query,
                  const std::atomic<bool>& stops);

// {"acts":[{"entry","at","badge","name","act","words"}],"next"}: what people did from entry `first`
// to entry `last`, at most `most` acts. "next": the entry of the first act that is left out;
// missing if none is.
struct CommandQuery {
  EntryNumber first, last;
  std::size_t most = 0;
  std::map<Badge, std::string> names;
};
Json acts_json(const Journal& journal, const Floor& floor, const CommandQuery& query,
               const std::atomic<bool>& stops);

// [{"since","at","proposed_by","confirmed_by","changes"}], newest first, from the configuration
// that entry `since` made.
Json configurations_json(const Journal& journal, EntryNumber since);

// ClaimListing: the claims that accounting pages list, out of all claims ever raised.
//
// Laws: no pending claim is left out in favour of a settled one, however old it is. Count and sum
// cover all pending claims, also those that the list has no room for, so a reader sees that a list
// was cut.
struct ClaimListing {
  static constexpr std::size_t pending_max = 1'000;
  static constexpr std::size_t settled_max = 200;

  std::vector<Claim> pending;  // oldest first; if cut, the ones that wait longest
  std::vector<Claim> settled;  // newest first
  std::size_t pending_count = 0, settled_count = 0;  // of all
  Amount pending_sum;                                // of all
};

// REQUIRES: `all` is in the order of claim numbers.
ClaimListing claim_listing(const std::vector<Claim>& all);

// {"pending":{"count","sum"},"settled":{"count"},"claims":[{"claim","link","table","line","level",
//   "amount","state","raised_at","entry","age_s"}]}: pending claims first. The age of the others is
//   null.
Json claim_listing_json(const ClaimListing& listing, const Floor& floor, Timestamp now);

}  // namespace linkmeter
