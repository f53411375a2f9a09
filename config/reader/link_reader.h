// Link reader: reads a [[link]] of a floor file into LinkConfig and validates it against its
// chapter. What the chapter fixes may be omitted or repeated, but not changed. What it bounds must
// be stated within the bounds. What it leaves open must be stated.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

struct LinkRead {
  LinkConfig terms;
  LinkRules rules;
};

// Reports violations through `table`; if there are any, the result is incomplete.
LinkRead read_link(TomlTable& table, const Catalogue& catalogue, const Floor& floor);

}  // namespace linkmeter
