#include "meters/state/state_changes.h"

#include <utility>

namespace linkmeter {

void Changes::note_ended(TableIndex table, const RoundId& id) {
  const auto [found, is_first] = rounds.try_emplace({table, id});
  if (!is_first && found->second) rounds.erase(found);
}

void Changes::forget() {
  floor = last_check = moments = keys = recovery = writer = false;
  links.clear();
  sessions.clear();
  answers.clear();
  ended.clear();
  rounds.clear();
  pots.clear();
  claims.clear();
  slips.clear();
  days.clear();
  restorations.clear();
  clock = false;
  people.clear();
  proposals.clear();
  enrolments.clear();
}

}  // namespace linkmeter
