// Open rounds as JSON: the hands that were shown, as a person sees them before he puts one right.
#pragma once

#include <cstddef>

#include "controller/view/json.h"
#include "meters/state/state.h"

namespace linkmeter {

// The newest `most` of the table's open rounds, the newest first. A hand's entry is the one that
// says it as it is now; its claims are those of that hand which nobody has rejected.
Json rounds_json(const State& state, TableIndex table, std::size_t most);
// The newest `most` of the table's pots that can still be put right.
Json pots_json(const State& state, TableIndex table, std::size_t most);

}  // namespace linkmeter
