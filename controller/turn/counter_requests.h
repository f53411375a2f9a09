// CounterRequests: the tables that have not yet reported their counters of the gaming day that
// ended last. Tables report with every heartbeat. The counters are journaled once per table and
// day, when the journal has every message that the table has counted.
#pragma once

#include <optional>
#include <set>

#include "controller/store/journal.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class CounterRequests {
 public:
  // The counters of a heartbeat that are to be journaled. nullopt: none, or they are journaled
  // already.
  [[nodiscard]] std::optional<TableCounters> take(const State& state, const Journal& journal,
                                                  TableIndex table,
                                                  const std::optional<ReportedCounts>& counts);
  // The result of take() is journaled for the table. Rejected counters are requested again.
  void note_entered(TableIndex table) { reported_.insert(table); }

 private:
  void look(const State& state, const Journal& journal);

  EntryNumber ended_;  // the end of the day that the set below belongs to
  std::set<TableIndex> reported_;
};

}  // namespace linkmeter
