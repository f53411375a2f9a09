// Deals one whole hand of Texas hold'em as one pot.
#pragma once

#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

// Six to nine players are dealt in (fewer at a smaller table) and fold street by street. If two or
// more are left on the river there is a showdown, and the best hands share the pot. The cards of a
// folded hand are not shown.
std::vector<TableCommand> deal_holdem(const TableOffers& table, const RoundId& round, Prng& chance);

}  // namespace linkmeter
