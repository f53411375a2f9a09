// Display names: the floor's name for an index, or "#999" if the floor has none, so that a forged
// entry is still readable.
#pragma once

#include <string>

#include "meters/balances/posting.h"
#include "meters/floor/floor.h"

namespace linkmeter {

std::string table_name(const Floor& floor, TableIndex place);
std::string link_name(const Floor& floor, LinkIndex place);
// "mega", "reserve"
std::string pool_name(const Floor& floor, LinkIndex link, Pool pool);

}  // namespace linkmeter
