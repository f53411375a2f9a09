// Panel doing: what a dealer may do at this moment, and for everything that he may not, why not: so
// that a page can disable it and say so in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "table-agent/panel/panel_state.h"

namespace linkmeter {

struct AllowedAction {
  std::string_view action;  // "close_bets", as a touch names it
  std::string why;          // "": it may be done
  std::string words;
};

// Every action of a dealer, in the order of a round.
std::vector<AllowedAction> allowed_actions(const PanelState& scene);

// "counting": where the table stands, and in words what a dealer is to do.
struct PanelMode {
  std::string_view name;
  std::string words;
};
PanelMode mode_of(const PanelState& scene);

// Seats that a hand is still to be shown of, in the order of settlement: highest first (M6).
std::vector<Seat> seats_to_show(const PanelState& scene);
// A wager hangs on the dealer's hand, which was not shown.
bool dealer_is_to_show(const PanelState& scene);

}  // namespace linkmeter
