// Link table: a [[link]] of a floor file -> LinkConfig, held against its chapter. What the text
// fixes may be left out or repeated, never changed; what it bounds must be stated within the
// bounds; what it leaves open must be stated.
#pragma once

#include <optional>

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

struct LinkRead {
  LinkConfig terms;
  LinkRules rules;
};

// What was wrong is among the violations of `table`; the answer is then incomplete.
LinkRead read_link(TomlTable& table, const Catalogue& catalogue, const Floor& floor);

}  // namespace linkmeter
