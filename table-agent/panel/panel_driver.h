// Panel side: the dealer at his panel (table-agent/panel/README.md) as one of the two that drive a
// table's round (round_machine.h). Beside a device he has the buttons: open, no more bets, count,
// show, close, void, resolve. Without one he also marks the wagers that he has accepted, seat by
// seat.
//
// Laws: a touch is answered once, "" or by the name of why not, and when it becomes a message, only
// when that is in the outbox. Its id makes it one action however often it comes, for what became a
// message over restarts too. What the controller would refuse is refused here first, in words.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "table-agent/device/device_driver.h"
#include "table-agent/panel/panel_port.h"
#include "table-agent/round/round_machine.h"

namespace linkmeter {

class PanelDriver {
 public:
  // Of touches that became no message: how many answers are remembered for a repeat.
  static constexpr std::size_t answers_remembered = 256;

  // All of them must outlive it; `device` may be null: the table has no sensors.
  PanelDriver(RoundMachine& machine, PanelInbox& port, const DeviceDriver* device,
              std::function<void(const std::string&)> tell)
      : machine_(machine), port_(port), device_(device), tell_(std::move(tell)) {}

  // Takes the touches that wait, up to what becomes a message.
  void take_touches();
  // What was touched and became a message is said now (""), or never, and why.
  void settle(std::string_view why);
  [[nodiscard]] bool has_asked() const { return has_asked_; }

 private:
  PanelAnswer take(const DealerAction& touch);
  PanelAnswer take(const input::BettingSwitched& bets, const DealerAction& touch);
  PanelAnswer take(const input::WagerPlaced& placed, const DealerAction& touch);
  PanelAnswer take(const input::WagerRemoved& removed, const DealerAction& touch);
  PanelAnswer take(const input::ChipCount& count, const DealerAction& touch);
  PanelAnswer take(const touch::Submit& submitted, const DealerAction& touch);
  PanelAnswer take(const touch::CallFloor& call, const DealerAction& touch);
  PanelAnswer take(const touch::GoOn& going_on, const DealerAction& touch);
  // A void before the count, where the sensors are gone: the wagers go back.
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
  std::deque<std::string> answered_;  // in the order of their touches
};

// One sentence for a dealer, of any name that a touch may be answered by.
std::string panel_words(std::string_view why);

}  // namespace linkmeter
