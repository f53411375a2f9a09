// The self-check of a starting controller on its journal, and the fact that records it. There are
// no files of a real data folder; the journal is proved as the program proves it.
#pragma once

#include <optional>
#include <string>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

struct SelfCheckFound {
  std::string journal_failure, balances_failure;  // "": passed
  std::optional<State> state;                     // if both passed
  SelfChecked fact;
};

// `is_quick`: only from the last check that passed.
SelfCheckFound self_check(const Journal& journal, bool is_quick);

}  // namespace linkmeter
