// Round rules: finds what the controller would refuse in a dealer's input before it is submitted.
// The controller's own checks decide (TableChecks); the answer has the controller's name for the
// refusal and a sentence with the seat or card.
//
// Laws: it accepts everything that the controller accepts, with these exceptions:
// - a keyed line that no wager of the table has, because that is a typing mistake;
// - a dealer's hand without the hands that play against it, because their wagers would be lost
//   without notice;
// - a hand before another hand with an earlier turn, because no later message could change which of
//   them met the meter first (M6).
// The last two are accepted if the dealer says that a hand will not be shown. A person may have
// corrected any hand; so if the controller does not report which hands count, an earlier hand is
// not compared with a later one. It decides no money.
#pragma once

#include <string>
#include <vector>

#include "table-agent/round/dealer_action.h"
#include "table-agent/round/round_machine.h"

namespace linkmeter {

// The answer has no reason if the input may be submitted. The caller handles repeats.
PanelAnswer object(const RoundMachine& machine, const touch::Submit& submitted);

// A whole poker hand.
PanelAnswer object(const TableOffers& table, const PlayPot& pot);
// Checks the reason of a void.
PanelAnswer check_reason(const std::string& reason);

// The lines that a dealer may key for a seat's hand: the lines of every wager that the hand
// decides.
std::vector<LineId> lines_to_key(const TableOffers& table);

// Which hands a seat's wagers need.
struct SeatNeed {
  bool own_hand = false;  // a wager of the seat depends on its own hand
  bool together = false;  // its hand must be shown in one message with the dealer's
};
SeatNeed need_of(const TableOffers& table, const std::vector<AskedWager>& wagers, Seat seat);

// Whether a wager of the round depends on the dealer's hand and that hand was not shown. Such a
// round cannot be closed. Wagers that the seat gave up by folding do not count.
bool waits_for_dealer(const TableOffers& table, const RoundRecord& round);

}  // namespace linkmeter
