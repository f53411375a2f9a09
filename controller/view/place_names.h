// Place names: a place as the name that it has on a floor, or as "#999" where the floor has none: a
// forged entry can still be read.
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
