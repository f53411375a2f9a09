// Blackjack deal: one round of Blackjack, without splits and doubles.
#pragma once

#include <span>
#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

// A hand's total: an ace is 11 where that does not bust. REQUIRES: no joker.
struct BlackjackTotal {
  int points = 0;
  friend bool operator==(BlackjackTotal, BlackjackTotal) = default;
};
BlackjackTotal blackjack_total(std::span<const Card> cards);

// Lock, one show with the hands and the dealer's, close; now and then a misdeal instead. Players
// draw to 17, or surrender two cards that the dealer's Blackjack has not beaten (shown as folded;
// of a player without a wager here nothing is shown then). The dealer stands on every 17, and
// completes his hand while anything depends on it: a player still in the game, or a wager that
// looks at the dealer's cards.
std::vector<TableCommand> deal_blackjack(const TableOffers& table, const RoundId& round,
                                         Prng& chance);

}  // namespace linkmeter
