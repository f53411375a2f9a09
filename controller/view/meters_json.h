// The meters as JSON: what `linkmeter meters --json` prints and what accounting reads on its page.
#pragma once

#include "controller/view/json.h"
#include "meters/state/state.h"

namespace linkmeter {

// {"entry":N,"links":[...]}
Json meters_json(const State& state);

}  // namespace linkmeter
