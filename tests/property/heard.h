// Heard: one thing that the controller hears, and when, by its own clock.
#pragma once

#include <optional>
#include <variant>

#include "meters/command.h"
#include "meters/floor.h"
#include "meters/timestamp.h"

namespace linkmeter {

struct Heard {
  Timestamp now;
  std::variant<TableMessage, PersonMessage, SignIn> said;
  // Resolved by the edge, where other parameters are proposed or confirmed.
  std::optional<FloorRules> proposed = {};
};

}  // namespace linkmeter
