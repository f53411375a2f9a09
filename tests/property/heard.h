// Heard: one thing that the controller hears, and when, by its own clock.
#pragma once

#include <optional>
#include <variant>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct Heard {
  Timestamp now;
  std::variant<TableMessage, PersonMessage, SignIn, DayEnd, TableCounters> said;
  // Resolved by the edge, where other parameters are proposed or confirmed.
  std::optional<FloorRules> proposed = {};
  // Made by the edge, where somebody says something of a gaming day, or takes a reading.
  std::optional<DayFinding> finding = {};
  std::optional<ShownAmounts> shown = {};
};

// What a person asks, with what the edge has made for it; points into `heard`.
inline PersonMessage with_edge(const PersonMessage& asked, const Heard& heard) {
  PersonMessage message = asked;
  message.finding = heard.finding ? &*heard.finding : nullptr;
  message.shown = heard.shown ? &*heard.shown : nullptr;
  return message;
}

}  // namespace linkmeter
