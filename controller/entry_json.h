// An entry as one line of JSON, with names instead of places: what `linkmeter export` prints.
#pragma once

#include <string>

#include "meters/entry.h"
#include "meters/floor.h"

namespace linkmeter {

// REQUIRES: the entry fits `floor` (entry 1: its own).
std::string entry_json(const Entry& entry, const Floor& floor, const Digest& hash);

}  // namespace linkmeter
