// Counts the hands of each line of a paytable in the shipped catalogue, by name. Tests compare the
// counts with published ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "controller/odds/hand_counts.h"
#include "tests/support/small_floor.h"

namespace linkmeter::odds {

using ByLine = std::map<std::string, std::uint64_t>;

// REQUIRES: the shipped catalogue has it.
inline const WagerRules& shipped_wager(const char* id) {
  static const Catalogue catalogue = std::get<Catalogue>(parse_catalogue(shipped_catalogue()));
  const WagerRules* const found = catalogue.find_wager(WagerId(id));
  if (found == nullptr) throw std::runtime_error(std::string("the catalogue has no ") + id);
  return *found;
}

inline ByLine by_line(const HandCounts& counts, const Paytable& paytable) {
  const std::vector<std::uint64_t> hands = hands_per_line(counts, paytable);
  ByLine lines;
  for (std::size_t place = 0; place < hands.size(); ++place) {
    lines[paytable.lines[place].id.text()] = hands[place];
  }
  return lines;
}

}  // namespace linkmeter::odds
