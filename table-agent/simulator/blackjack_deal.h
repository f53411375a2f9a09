// Deals one round of Blackjack, without splits and doubles.
#pragma once

#include <span>
#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

// A hand's total: an ace counts 11 unless that busts. REQUIRES: no joker.
struct BlackjackTotal {
  int points = 0;
  friend bool operator==(BlackjackTotal, BlackjackTotal) = default;
};
BlackjackTotal blackjack_total(std::span<const Card> cards);

// Returns a lock, one show with the hands and the dealer's hand, and a close; now and then a
// misdeal instead. Players draw to 17, or surrender two cards that the dealer's Blackjack has not
// beaten. A surrendered hand is shown as folded; a player without a wager is then not shown. The
// dealer stands on every 17. He completes his hand while anything depends on it: a player still in
// the game, or a wager on the dealer's cards.
std::vector<TableCommand> deal_blackjack(const TableOffers& table, const RoundId& round,
                                         Prng& chance);

}  // namespace linkmeter
