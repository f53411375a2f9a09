// The meters as JSON: the output of `linkmeter meters --json` and of the accounting page.
#pragma once

#include "controller/view/json.h"
#include "meters/state/state.h"

namespace linkmeter {

// {"entry":N,"links":[...]}
Json meters_json(const State& state);

}  // namespace linkmeter
