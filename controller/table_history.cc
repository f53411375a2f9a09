#include "controller/table_history.h"

#include <cstddef>
#include <vector>

#include "controller/witness.h"

namespace linkmeter {
namespace {

// The first restoration of the journal that the table was never told.
std::size_t first_untold(const Journal& journal, const std::vector<Restoration>& all,
                         const Head& told) {
  for (std::size_t at = all.size(); at > 0; --at) {
    if (all[at - 1].entry == told.entry && find_head(journal, told.entry) == told) return at;
  }
  return 0;  // or one that is itself lost
}

}  // namespace

TableHistory table_history(const Journal& journal, const State& state, const Hello& hello) {
  TableHistory history;
  const std::vector<Restoration>& all = state.restorations();
  if (!all.empty()) history.last_restored = find_head(journal, all.back().entry).value_or(Head{});
  history.differs = other_history(journal, hello);
  if (!history.differs) return history;
  const std::size_t untold = first_untold(journal, all, hello.history);
  if (untold == all.size()) return history;
  const HistoryRestored& restored = all[untold].fact;
  if (restored.ended_with >= hello.witness.entry) return history;
  history.differs.reset();
  history.again_after = Head{restored.ended_with, restored.hash};
  return history;
}

std::optional<Head> find_head(const Journal& journal, EntryNumber number) {
  std::optional<Head> head;
  journal.read(number, [&](const StoredEntry& stored) {
    if (stored.number == number) head = Head{stored.number, stored.hash};
    return false;
  });
  return head;
}

}  // namespace linkmeter
