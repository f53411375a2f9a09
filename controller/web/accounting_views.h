// Accounting views: what accounting pages read from the journal, as JSON.
//
// Law: nothing here reads the state, because it runs on the AccountingWorker's thread. The caller
// passes what is needed of the state.
#pragma once

#include <atomic>
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
Json journal_json(const Journal& journal, const Floor& floor, const JournalQuery& asked,
                  const std::atomic<bool>& stops);

// {"acts":[{"entry","at","badge","name","act","words"}],"next"}: what people did from entry `first`
// to entry `last`, at most `most` acts. "next": the entry of the first act that is left out;
// missing if none is.
struct CommandQuery {
  EntryNumber first, last;
  std::size_t most = 0;
  std::map<Badge, std::string> names;
};
Json acts_json(const Journal& journal, const Floor& floor, const CommandQuery& asked,
               const std::atomic<bool>& stops);

// [{"since","at","proposed_by","confirmed_by","changes"}], newest first, from the configuration
// that entry `since` made.
Json configurations_json(const Journal& journal, EntryNumber since);

}  // namespace linkmeter
