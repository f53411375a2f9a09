// Posting misfit: the part of misfit() of laws.h that looks at an entry's postings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"

namespace linkmeter {

// Why the postings are not of this floor's pools; nullopt: they are.
std::optional<std::string> posting_violation(const Floor& floor,
                                             const std::vector<Posting>& postings);
// Would a balance leave what an Amount is allowed to hold on the way? REQUIRES: posting_violation() said
// no.
bool overflows(const State& state, const std::vector<Posting>& postings);

}  // namespace linkmeter
