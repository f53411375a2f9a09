// Panel scene: everything about a table that a dealer may have to see, at one moment: what the
// panel's picture is drawn from (panel_view.h), and what he may do now and why not
// (panel_actions.h).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/round/round_machine.h"

namespace linkmeter {

struct PanelState {
  const TableOffers& table;
  const RoundRecord& round;
  RoundMachine::Betting betting = RoundMachine::Betting::none;
  // Null where the table plays by itself (a script, a deal): its panel only shows.
  const RoundMachine* machine = nullptr;
  bool has_device = false;
  bool sensors_are_there = true;
  bool sensors_tell_all = true;  // what lies on them is known
  std::string locked_by = {};    // "no_controller"; "": it is not
  std::string frozen = {};       // why the table is frozen; "": it is not
  std::vector<SuspendedLink> suspended = {};
  std::vector<LinkId> stopped = {};  // funds of pots that collect no more
  std::size_t unacknowledged = 0;
  bool calls_floor = false;
  std::vector<ClaimNotice> claims = {};  // of the table, as the controller told last
  // Also those that it does not tell of any more, as it told of each last.
  std::map<ClaimNumber, ClaimNotice> known_claims = {};

  [[nodiscard]] bool only_shows() const { return machine == nullptr; }
  [[nodiscard]] bool is_betting() const { return betting != RoundMachine::Betting::none; }
  // "No more bets" was said, and the sensors cannot tell any more what they held then.
  [[nodiscard]] bool is_cut_off() const {
    return betting == RoundMachine::Betting::counting && !sensors_tell_all;
  }
  // A round is on, whose cards and lights lie on the table.
  [[nodiscard]] bool has_round() const {
    return !is_betting() && round.number > 0 && round.phase != RoundRecord::Phase::over;
  }
  // It was left open when this outbox took over the table: what becomes of it?
  [[nodiscard]] bool asks_what_becomes() const {
    return has_round() && round.is_left_open && round.phase != RoundRecord::Phase::ending;
  }
  // Of betting that is open, else of the round, as far as they still lie there.
  [[nodiscard]] std::vector<AskedWager> wagers() const;
  // The round that touches are about now: the one that betting is for, else the latest; "" none.
  [[nodiscard]] RoundId round_id() const;
};

inline std::vector<AskedWager> PanelState::wagers() const {
  if (is_betting()) {
    if (machine == nullptr) return {};
    return is_cut_off() ? machine->closed_with() : machine->bets().wagers();
  }
  const bool lies_there = has_round() || round.light == RoundRecord::Light::returned;
  return lies_there ? round.wagers : std::vector<AskedWager>();
}

inline RoundId PanelState::round_id() const {
  if (betting != RoundMachine::Betting::none) return round.next_id();
  return round.number == 0 ? RoundId() : round.id();
}

}  // namespace linkmeter
