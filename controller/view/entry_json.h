// An entry as one line of JSON, with names instead of places: what `linkmeter export` prints. A
// place that the floor does not have, as in a forged entry, is printed as "#999".
#pragma once

#include <string>

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// `floor` is the one that the entry belongs to (entry 1: its own).
std::string entry_json(const Entry& entry, const Floor& floor, const Digest& hash);

}  // namespace linkmeter
