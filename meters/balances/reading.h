// Reading: what every meter of the floor showed at a moment, for accounting: the books of all
// links, and the amounts last sent to the signs.
//
// Law: a reading in the journal agrees with the entries before it; validate_entry() checks that. So
// the difference of two readings is the sum of the entries between them.
#pragma once

#include <optional>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/values/amount.h"

namespace linkmeter {

struct LinkReading {
  LinkBalances book;
  // By level: the amount last sent to the signs, in whole cents; nullopt: never sent.
  std::vector<std::optional<Amount>> shown = {};
  friend bool operator==(const LinkReading&, const LinkReading&) = default;
};

using Reading = std::vector<LinkReading>;  // by link index

}  // namespace linkmeter
