// Planted: a mistake in place of the core. The trial must report it at the first message that it
// affects; a judge that has never detected anything proves nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "tests/property/timed_input.h"

namespace linkmeter {

// Alters the entry. true: it was altered.
using Alter = std::function<bool(Entry&)>;
// Alters the message before the decision. nullopt: nothing to alter.
using Mishear = std::function<std::optional<TableMessage>(const State&, TableMessage)>;
// The same for people's acts and their times, or their sign-ins.
using MishearPerson = std::function<std::optional<TimedInput>(const State&, TimedInput)>;
// Alters the house's terms or the chapters' rules for the decision.
using WrongRules = std::function<void(Floor&, FloorRules&)>;

struct Planted {
  std::size_t altered = 0;                // wrong decisions; the trial stops at one
  std::optional<std::string> divergence;  // the trial's report
};

// `floor`: of test_floor(); nullopt: one after the other until the mistake has occurred.
Planted plant(const Alter& alter, std::optional<std::size_t> floor = {});
Planted plant(const Mishear& mishear, std::optional<std::size_t> floor = {});
Planted plant(const MishearPerson& mishear, std::optional<std::size_t> floor = {});
Planted plant(const WrongRules& misread, std::optional<std::size_t> floor = {});

}  // namespace linkmeter
