// Heard: one thing that the controller hears, and when, by its own clock.
#pragma once

#include <variant>

#include "meters/command.h"
#include "meters/timestamp.h"

namespace linkmeter {

struct Heard {
  Timestamp now;
  std::variant<TableMessage, PersonMessage, SignIn> said;
};

}  // namespace linkmeter
