// PanelState: everything about a table that a dealer may need to see, at one moment. The panel's
// view (panel_view.h) and the allowed actions (panel_actions.h) are derived from it.
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
  // Null at a table that plays by itself (a script, a deal): its panel only shows.
  const RoundMachine* machine = nullptr;
  RoundDriver::Sensors sensors = {};
  std::string locked_by = {};   // "no_controller"; "": not locked
  std::string frozen = {};      // why the table is frozen; "": not frozen
  std::string controller = {};  // "controller b": which of several; "": there is one
  std::vector<SuspendedLink> suspended = {};
  std::vector<LinkId> stopped = {};  // funds of pots that collect no more
  std::size_t unacknowledged = 0;
  bool calls_floor = false;
  std::vector<ClaimNotice> claims = {};  // of the table, as the controller last reported them
  // The last report of every claim, including claims that the controller no longer reports.
  std::map<ClaimNumber, ClaimNotice> known_claims = {};

  [[nodiscard]] bool only_shows() const { return machine == nullptr; }
  [[nodiscard]] bool is_betting() const { return betting != RoundMachine::Betting::none; }
  // "No more bets" was submitted, and the sensors have lost the wagers of that moment.
  [[nodiscard]] bool is_cut_off() const {
    return betting == RoundMachine::Betting::counting && !sensors.tell_all;
  }
  // Whether a round is on, with its cards and lights on the table.
  [[nodiscard]] bool has_round() const {
    return !is_betting() && round.number > 0 && round.phase != RoundRecord::Phase::over;
  }
  // Whether the round was left open when this outbox took over the table, and waits for a decision.
  [[nodiscard]] bool asks_about_left_open_round() const {
    return has_round() && round.is_left_open && round.phase != RoundRecord::Phase::ending;
  }
  // The wagers of open betting, otherwise of the round, as far as they are still on the table.
  [[nodiscard]] std::vector<AskedWager> wagers() const;
  // The round that actions refer to now: the one that betting is for, otherwise the latest; "" if
  // none.
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
