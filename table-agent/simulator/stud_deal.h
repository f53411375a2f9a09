// Deals one round of a game in which each player has his own cards, with or without a dealer's hand
// (Raise It Up, Crazy 4, Pai Gow Poker, Three Card Prime).
#pragma once

#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

// Returns a lock, the hands in one or two shows, and a close; now and then a misdeal instead. Every
// position of the game gets cards, even without a player: in Pai Gow Poker four cards are left
// over.
//
// Every bettor is shown. In a game with folds some bettors have folded: with cards if these may
// bring envy to others, otherwise sometimes without. A player without a bet is shown only if his
// hand may bring envy to a bettor. The dealer is shown with the first hands; if a hand counts only
// beside the dealer's, all hands are shown with it.
std::vector<TableCommand> deal_stud(const TableOffers& table, const RoundId& round, Prng& chance);

// 1 round in 200 is voided after its lock.
inline constexpr std::uint64_t rounds_per_misdeal = 200;

}  // namespace linkmeter
