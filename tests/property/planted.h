// Planted: a mistake put in the core's place. The trial must report it at the very first message
// that it touches; a judge that has never caught anything proves nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "tests/property/heard.h"

namespace linkmeter {

// The entry comes out wrong. true: it is another now.
using Alter = std::function<bool(Entry&)>;
// Something else is decided than what was said. nullopt: nothing to get wrong.
using Mishear = std::function<std::optional<TableMessage>(const State&, TableMessage)>;
// The same of what people ask and when; or of how they sign in.
using MishearPerson = std::function<std::optional<Heard>(const State&, Heard)>;
// The house's terms or the chapters' rules are not what is decided by.
using Misread = std::function<void(Floor&, FloorRules&)>;

struct Planted {
  std::size_t altered = 0;                // decisions that came out wrong; the trial stops at one
  std::optional<std::string> divergence;  // what the trial said
};

// `floor`: of test_floor(); nullopt: one after the other until the mistake has come about.
Planted plant(const Alter& alter, std::optional<std::size_t> floor = {});
Planted plant(const Mishear& mishear, std::optional<std::size_t> floor = {});
Planted plant(const MishearPerson& mishear, std::optional<std::size_t> floor = {});
Planted plant(const Misread& misread, std::optional<std::size_t> floor = {});

}  // namespace linkmeter
