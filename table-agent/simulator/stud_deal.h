// Stud deal: one round of a game of own cards, against the dealer or not (Raise It Up, Crazy 4, Pai
// Gow Poker, Three Card Prime).
#pragma once

#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

// Lock, then the hands in one or two shows and the close; now and then a misdeal instead. Cards go
// to every position of the game, whether or not somebody sits there: in Pai Gow Poker four are left
// over.
//
// Every bettor is shown; where the game has folds, some have folded, with cards where these may
// still bring envy to others, and else now and then without. A player who bet nothing here is shown
// only where his hand may bring envy to a bettor. The dealer is shown with the first hands; where a
// hand counts only beside the dealer's, all are shown with him.
std::vector<TableCommand> deal_stud(const TableOffers& table, const RoundId& round, Prng& chance);

// 1 round in 200 is voided after its lock.
inline constexpr std::uint64_t rounds_per_misdeal = 200;

}  // namespace linkmeter
