// Reading: what every meter of the floor showed at a moment, taken for accounting: the books of all
// links as they stood, and what the signs had last been told.
//
// Law: a reading in the journal is what the entries before it add up to; misfit() holds it to that.
// So the difference of two readings is what came between them.
#pragma once

#include <optional>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/values/amount.h"

namespace linkmeter {

struct LinkReading {
  LinkBalances book;
  // By level: what the signs had last been told, in whole cents; nothing: they never were.
  std::vector<std::optional<Amount>> shown = {};
  friend bool operator==(const LinkReading&, const LinkReading&) = default;
};

using Reading = std::vector<LinkReading>;  // by place

}  // namespace linkmeter
