// Display names: the floor's name for an index, or "#999" if the floor has none, so that a forged
// entry is still readable.
#pragma once

#include <string>
#include <string_view>

#include "meters/balances/posting.h"
#include "meters/floor/floor.h"
#include "meters/game/game_rules.h"

namespace linkmeter {

std::string table_name(const Floor& floor, TableIndex place);
std::string link_name(const Floor& floor, LinkIndex place);
// "mega", "reserve"
std::string pool_name(const Floor& floor, LinkIndex link, Pool pool);

// "hand pay at the cage": on slips and terminals.
std::string_view payment_source_text(PaymentSource source);

}  // namespace linkmeter
