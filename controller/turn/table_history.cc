#include "controller/turn/table_history.h"

#include <algorithm>
#include <cstddef>

#include "controller/store/journal_reader.h"
#include "controller/store/seen_head.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

std::vector<Head> last_restored(const Journal& journal, const std::vector<Restoration>& all) {
  std::vector<Head> heads;
  const std::size_t count = std::min(all.size(), limits::reported_restorations_max);
  for (std::size_t at = all.size() - count; at < all.size(); ++at) {
    heads.push_back(find_head(journal, all[at].entry).value());
  }
  return heads;
}

// The first restoration that the table has not received yet; nullptr: it has received all.
const Restoration* first_unreported(const TableHistory& history,
                                    const std::vector<Restoration>& all,
                                    const std::vector<Head>& told) {
  std::size_t unreported = 0;  // number
  for (auto one = history.restored.rbegin(); one != history.restored.rend(); ++one, ++unreported) {
    if (std::find(told.begin(), told.end(), *one) != told.end()) break;
  }
  return unreported == 0 ? nullptr : &all[all.size() - unreported];
}

}  // namespace

TableHistory table_history(const Journal& journal, const State& state, const Hello& hello) {
  TableHistory history;
  const std::vector<Restoration>& all = state.restorations();
  history.restored = last_restored(journal, all);
  history.differs = history_mismatch(journal, hello);
  if (!history.differs) return history;
  const Restoration* unreported = first_unreported(history, all, hello.history);
  if (unreported == nullptr || unreported->fact.ended_with >= hello.witness.entry) return history;
  history.differs.reset();
  history.again_after = Head{unreported->fact.ended_with, unreported->fact.hash};
  return history;
}

}  // namespace linkmeter
