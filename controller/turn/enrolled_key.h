// Enrolled key: the key that an act would make a table's or viewer's.
#pragma once

#include <string>

#include "meters/facts/operator_command.h"
#include "meters/state/state.h"

namespace linkmeter {

// Proposed, or confirmed; null: it enrols none.
const std::string* enrolled_key(const State& state, const OperatorCommand& act);

}  // namespace linkmeter
