// What a dealer may do now. For each action that is not allowed it gives the reason, so that a page
// can disable it and say why.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "table-agent/panel/panel_state.h"

namespace linkmeter {

struct AllowedAction {
  std::string_view action;  // "close_bets": the action's name in a request
  std::string why;          // "": allowed
  std::string words;
};

// Every action of a dealer, in the order of a round.
std::vector<AllowedAction> allowed_actions(const PanelState& scene);

// The state of the table ("counting") and a sentence that tells the dealer what to do.
struct PanelMode {
  std::string_view name;
  std::string words;
};
PanelMode mode_of(const PanelState& scene);

// Seats whose hands must still be shown, in the order of settlement: highest first (M6).
std::vector<Seat> seats_to_show(const PanelState& scene);
// Whether a wager depends on the dealer's hand and that hand was not shown.
bool dealer_is_to_show(const PanelState& scene);

}  // namespace linkmeter
