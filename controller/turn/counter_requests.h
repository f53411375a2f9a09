// Counter asking: which tables are still to tell what they have counted of the gaming day that
// ended last. Told is with every heartbeat; entered once per table and day, when the journal has
// all that the table has counted.
#pragma once

#include <optional>
#include <set>

#include "controller/store/journal.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class CounterAsking {
 public:
  // What is to be entered of a heartbeat's counts; nullopt: nothing, or they are entered already.
  [[nodiscard]] std::optional<TableCounters> take(const State& state, const Journal& journal,
                                                  TableIndex table,
                                                  const std::optional<ToldCounts>& counts);
  // What take() gave of the table is entered. Counts that were refused are asked for again.
  void note_entered(TableIndex table) { told_.insert(table); }

 private:
  void look(const State& state, const Journal& journal);

  EntryNumber ended_;  // the end of the day that told_ is of
  std::set<TableIndex> told_;
};

}  // namespace linkmeter
