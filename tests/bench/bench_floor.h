// A floor file with `tables` Crazy 4 tables on one link with three meters.
#pragma once

#include <cstddef>
#include <string>

namespace linkmeter::bench {

std::string table_name(std::size_t table);
std::string floor_text(std::size_t tables);

}  // namespace linkmeter::bench
