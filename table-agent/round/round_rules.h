// Round check: what the controller would refuse of what a dealer says of his round, told before it
// is submitted: by the controller's own names, with a sentence that says which seat or card.
//
// Laws: it objects to nothing that the controller would accept (a person may have corrected any
// hand, so where the controller does not tell which hands count, no earlier hand is held against a
// later one), but for a keyed line that no wager
// of the table has, which is a slip of the hand; and, unless the dealer says that a hand is not to
// be shown, for two things: a dealer's hand without the hands that are weighed
// against it, for those wagers would be lost in silence; and a hand before one whose turn is
// earlier, for no later message could turn back which of them met the meter first (M6). It decides
// no money.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/round/dealer_action.h"
#include "table-agent/round/round_machine.h"

namespace linkmeter {

struct DealerError {
  std::string_view name;
  std::string words;
};

// nullopt: it may be said. Repeats of what was said are the caller's.
std::optional<DealerError> object(const RoundMachine& machine, const touch::Submit& submitted);

// A whole poker hand.
std::optional<DealerError> object(const TableOffers& table, const PlayPot& pot);
// Of a void.
std::optional<DealerError> check_reason(const std::string& reason);

// The lines that a dealer may key for a seat's hand: of every wager that a seat's hand decides.
std::vector<LineId> lines_to_key(const TableOffers& table);

// Whose hands are weighed or looked at.
struct SeatNeed {
  bool own_hand = false;  // a wager of the seat hangs on its own hand
  bool dealer = false;    // one hangs on the dealer's (too)
  bool together = false;  // its hand is to be shown in one message with the dealer's
};
SeatNeed need_of(const TableOffers& table, const std::vector<AskedWager>& wagers, Seat seat);

// Does a wager of the round hang on the dealer's hand, which was not shown? Such a round is not
// closed. Not one that its seat's fold gave up.
bool waits_for_dealer(const TableOffers& table, const RoundRecord& round);

}  // namespace linkmeter
