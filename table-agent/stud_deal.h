// Stud deal: one round of a game of own cards against the dealer or the board (Raise It Up, Crazy
// 4).
#pragma once

#include <vector>

#include "meters/command.h"
#include "table-agent/chance.h"
#include "table-agent/deal_table.h"

namespace linkmeter {

// Lock, then the hands in one or two shows and the close; now and then a misdeal instead. A seat
// that bet and folds is shown as folded, with its cards where they may still bring envy to others.
std::vector<TableCommand> deal_stud(const DealTable& table, const RoundId& round, Chance& chance);

// 1 round in 200 is voided after its lock.
inline constexpr std::uint64_t rounds_per_misdeal = 200;

}  // namespace linkmeter
