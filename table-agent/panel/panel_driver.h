// PanelDriver: the dealer at his panel (table-agent/panel/README.md), one of the two drivers of a
// table's round (round_machine.h). With a device he has the buttons: open, no more bets, count,
// show, close, void, resolve. Without a device he also marks the accepted wagers, seat by seat.
//
// Laws: an action is answered once: "", or the name of the reason against it. An action that
// becomes a message is answered only when the message is in the outbox. An id identifies one
// action, however often it arrives, and after a restart too if it became a message. What the
// controller would refuse is refused here first, with a sentence.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "table-agent/device/device_driver.h"
#include "table-agent/panel/panel_transport.h"
#include "table-agent/round/round_machine.h"

namespace linkmeter {

class PanelDriver {
 public:
  // How many answers to actions that became no message are kept for repeats.
  static constexpr std::size_t answers_remembered = 256;

  // All of these must outlive the driver. `device` may be null: the table has no sensors.
  PanelDriver(RoundMachine& machine, PanelInbox& port, const DeviceDriver* device,
              std::function<void(const std::string&)> tell)
      : machine_(machine), port_(port), device_(device), tell_(std::move(tell)) {}

  // Takes the waiting actions, up to and including one that becomes a message.
  void take_actions();
  // Answers the action that became the pending message, if there is one. `why`: "" if the message
  // was submitted, otherwise why it never will be.
  void settle(std::string_view why);

 private:
  PanelAnswer take(const DealerAction& touch);
  PanelAnswer take(const input::BettingSwitched& bets, const DealerAction& touch);
  PanelAnswer take(const input::WagerPlaced& placed, const DealerAction& touch);
  PanelAnswer take(const input::WagerRemoved& removed, const DealerAction& touch);
  PanelAnswer take(const input::ChipCount& count, const DealerAction& touch);
  PanelAnswer take(const touch::Submit& submitted, const DealerAction& touch);
  PanelAnswer take(const touch::CallFloor& call, const DealerAction& touch);
  PanelAnswer take(const touch::GoOn& going_on, const DealerAction& touch);
  // A void before the count, when the sensors are gone: the wagers are returned.
  PanelAnswer take_back(const VoidRound& voided, const DealerAction& touch);
  [[nodiscard]] bool is_of_other_betting(const DealerAction& touch) const;
  void answer(std::uint64_t ticket, const std::string& id, PanelAnswer answer);

  RoundMachine& machine_;
  PanelInbox& port_;
  const DeviceDriver* device_;
  std::function<void(const std::string&)> tell_;
  bool has_asked_ = false;
  std::uint64_t asked_ticket_ = 0;
  std::string asked_id_;
  std::map<std::string, PanelAnswer> answers_;
  std::deque<std::string> answered_;  // in the order of their actions
};

// A sentence for the dealer for any name in an answer to an action.
std::string panel_words(std::string_view why);

}  // namespace linkmeter
