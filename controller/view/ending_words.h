// Lifecycle text: the state of a link's discontinuation, for programs and people.
#pragma once

#include <string>

#include "controller/view/json.h"
#include "meters/balances/link_balances.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// "POKER-2 main"; "": nowhere, or not yet.
std::string went_to_text(const LinkLifecycle& ending, const Floor& floor);
// "collecting": true until it stopped, "discontinued", and "went_to": {"link", "level"} or null.
void add_lifecycle(Json& link, const LinkLifecycle& ending, const Floor& floor);

}  // namespace linkmeter
