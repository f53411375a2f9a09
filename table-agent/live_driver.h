// Live driver: a real table. One round machine (round_machine.h) is driven by the table's device
// (device_driver.h), by the dealer's panel (panel_driver.h), or by both.
//
// Law: inputs of device and panel are taken one after the other, and each gets its own answer.
// While an input is becoming a message, no other input is taken.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/device/device_driver.h"
#include "table-agent/panel/panel_driver.h"
#include "table-agent/round/round_driver.h"
#include "table-agent/round/round_machine.h"

namespace linkmeter {

class LiveDriver final : public RoundDriver {
 public:
  // The outbox keeps its place under this name, with a device or a panel: they may change in the
  // middle of a round.
  static constexpr std::string_view name = "device";

  struct Setup {
    TableOffers table;
    BytePort* device = nullptr;                 // null: no sensors
    PanelInbox* panel = nullptr;                // null: no panel
    std::string place;                          // what the outbox holds for `name`
    std::vector<StoredMessage> unacknowledged;  // of the outbox
    std::function<std::string()> new_word;      // returns a name that was never used before
    std::function<void(const std::string&)> log;
    DeviceSession::Intervals intervals = {};
  };
  // Throws Fault if the place cannot be read.
  explicit LiveDriver(const Setup& setup);

  [[nodiscard]] std::optional<Step> next() override { return machine_.next(); }
  [[nodiscard]] bool is_over() const override { return false; }
  [[nodiscard]] bool is_live() const override { return true; }
  void update(const Surroundings& surroundings) override;
  void on_submitted(MessageNumber number) override;
  void on_not_submitted() override;
  std::optional<Position> on_reply(const std::vector<Answered>& answered) override {
    return machine_.on_reply(answered);
  }
  [[nodiscard]] int descriptor() const override { return device_ ? device_->descriptor() : -1; }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const override;

  [[nodiscard]] const RoundMachine* machine() const override { return &machine_; }
  [[nodiscard]] RoundMachine* machine() override { return &machine_; }
  [[nodiscard]] Sensors sensors() const override {
    return {.there_are = device_.has_value(),
            .are_there = !device_ || device_->is_connected(),
            .tell_all = !device_ || device_->bets_are_known()};
  }

 private:
  void settle(std::string_view why);
  void go_on();

  RoundMachine machine_;
  std::optional<DeviceDriver> device_;
  std::optional<PanelDriver> panel_;
  std::optional<Timestamp> started_at_;
  bool was_linked_ = false;
};

}  // namespace linkmeter
