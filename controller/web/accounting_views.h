// Account reading: what the accounting pages ask of the journal, as JSON. Nothing here touches the
// state: it is asked on a thread of its own (accounting_worker.h), with what it needs of the state
// given to it.
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
//  "state":"open|signed|closed","is_ready"}; a report that is not closed is ready, or not.
struct DayTold {
  DayRecord record;
  bool is_ready = false;
  std::optional<std::size_t> open_items;
};
Json day_json(const Journal& journal, const DayTold& told);

// {"points":[{"day","closing","awarded","seeded","contributed","handle","paid"}]}, the oldest
// first: of a level at the ends of these days, one after the other. What a day did is the
// difference to the day before. The first of them is no point, unless the journal begins with it
// (`is_from_opening`): then its point has all that was done since the floor opened.
Json history_json(const Journal& journal, const std::vector<DayRecord>& days, LinkIndex link,
                  Pool pool, bool is_from_opening);

// {"head","entries":[as export tells them],"next"}: from an entry on, of one kind of fact where it
// is not "". "next" is where the next page begins; it is missing at the end.
struct JournalQuery {
  EntryNumber from;
  std::size_t count = 50;
  std::string fact;
};
Json journal_json(const Journal& journal, const Floor& floor, const JournalQuery& asked,
                  const std::atomic<bool>& stops);

// {"acts":[{"entry","at","badge","name","act","words"}],"next"}: what people did between two
// entries, so many acts at most. "next" is the entry of the first act that is not told any more; it
// is missing where all of them are.
struct CommandQuery {
  EntryNumber first, last;
  std::size_t most = 0;
  std::map<Badge, std::string> names;
};
Json acts_json(const Journal& journal, const Floor& floor, const CommandQuery& asked,
               const std::atomic<bool>& stops);

// [{"since","at","proposed_by","confirmed_by","changes"}], the newest first.
Json configurations_json(const Journal& journal, EntryNumber since);

}  // namespace linkmeter
