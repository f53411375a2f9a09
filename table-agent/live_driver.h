// Table play: a real table: one round (round_machine.h), driven by its device (device_driver.h), by
// the dealer at its panel (panel_driver.h), or by both.
//
// Law: the words of both are taken one after the other, and each is answered to whom it came from;
// while one of them becomes a message, nothing else is taken.
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
  // Of its place in the outbox, with a device or a panel: what drives a table may change in the
  // middle of a round.
  static constexpr std::string_view name = "device";

  struct Setup {
    TableOffers table;
    BytePort* device = nullptr;                 // null: no sensors
    PanelInbox* panel = nullptr;                // null: no panel
    std::string place;                          // what the outbox holds for `name`
    std::vector<StoredMessage> unacknowledged;  // of the outbox
    std::function<std::string()> new_word;      // a name that was never given before
    std::function<void(const std::string&)> tell;
    DeviceSession::Intervals intervals = {};
  };
  // Throws Fault if the place cannot be read.
  explicit LiveDriver(const Setup& setup);

  [[nodiscard]] std::optional<Step> next() override { return keeping_.next(); }
  [[nodiscard]] bool is_over() const override { return false; }
  [[nodiscard]] bool is_live() const override { return true; }
  void update(const Surroundings& surroundings) override;
  void on_submitted(MessageNumber number) override;
  void on_not_submitted() override;
  std::optional<Position> on_reply(const std::vector<Answered>& answered) override {
    return keeping_.on_reply(answered);
  }
  void on_hands(const std::vector<RoundHands>& rounds) override { keeping_.on_hands(rounds); }
  void on_left_open(const std::vector<OpenRound>& rounds) override {
    keeping_.on_left_open(rounds);
  }
  void forget_entries() override { keeping_.forget_entries(); }
  [[nodiscard]] int descriptor() const override { return device_ ? device_->descriptor() : -1; }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const override;

  [[nodiscard]] const RoundMachine* keeping() const override { return &keeping_; }
  [[nodiscard]] Sensors sensors() const override {
    return {.there_are = device_.has_value(),
            .are_there = !device_ || device_->is_connected(),
            .tell_all = !device_ || device_->bets_are_known()};
  }

 private:
  void settle(std::string_view why);
  void go_on();

  RoundMachine keeping_;
  std::optional<DeviceDriver> device_;
  std::optional<PanelDriver> panel_;
  std::optional<Timestamp> started_at_;
  bool was_linked_ = false;
};

}  // namespace linkmeter
