// TimedInput: one input of the controller, and its time by the controller's clock.
#pragma once

#include <optional>
#include <variant>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct TimedInput {
  Timestamp now;
  std::variant<TableMessage, PersonMessage, SignIn, DayEnd, TableCounters> said;
  // Resolved by the edge, if other parameters are proposed or confirmed.
  std::optional<FloorRules> proposed = {};
  // Made by the edge, if a person acts on a gaming day or takes a reading.
  std::optional<DayFinding> finding = {};
  std::optional<ShownAmounts> shown = {};
};

// A person's request, with the data that the edge has added; points into `heard`.
inline PersonMessage with_edge(const PersonMessage& asked, const TimedInput& heard) {
  PersonMessage message = asked;
  message.finding = heard.finding ? &*heard.finding : nullptr;
  message.shown = heard.shown ? &*heard.shown : nullptr;
  return message;
}

}  // namespace linkmeter
