// The meters as JSON: the output of `linkmeter meters --json` and of the accounting page.
#pragma once

#include <string>

#include "controller/view/json.h"
#include "meters/balances/link_balances.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"

namespace linkmeter {

// {"entry":N,"links":[...]}
Json meters_json(const State& state);

// Where the amount of a discontinued link went: "POKER-2 main"; "": nowhere, or not yet.
std::string went_to_text(const LinkLifecycle& ending, const Floor& floor);
// "collecting": true until it stopped, "discontinued", and "went_to": {"link", "level"} or null.
void add_lifecycle(Json& link, const LinkLifecycle& ending, const Floor& floor);

}  // namespace linkmeter
