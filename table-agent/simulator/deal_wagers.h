// The seats, wagers and cards of a simulated round, drawn at random.
#pragma once

#include <cstdint>
#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/prng.h"
#include "table-agent/simulator/shuffle.h"

namespace linkmeter {

// The cards of a round.
Shuffle shuffle_of(const TableOffers& table, Prng& chance);
// At least `least` seats of the table, in ascending order. REQUIRES: least <= seats of the table.
std::vector<Seat> take_seats(const TableOffers& table, std::uint8_t least, Prng& chance);
// The accepted wagers of a round: at least one, in the order of the seats. A Hand Bonus is on the
// seat's own hand, on the dealer's, or on both.
std::vector<AskedWager> take_wagers(const TableOffers& table, const std::vector<Seat>& seats,
                                    Prng& chance);

}  // namespace linkmeter
