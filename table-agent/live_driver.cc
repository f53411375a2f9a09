#include "table-agent/live_driver.h"

namespace linkmeter {

namespace {

// How long a start waits for the controller before it talks to the device. After a restart in the
// middle of a round, the table is then linked before the device repeats its unanswered lines.
constexpr std::int64_t first_link_us = 2'000'000;

}  // namespace

LiveDriver::LiveDriver(const Setup& setup)
    : machine_(
          {setup.table, std::string(name), setup.place, setup.unacknowledged, setup.new_word}) {
  if (setup.device != nullptr) {
    device_.emplace(DeviceDriver::Setup{machine_, *setup.device, setup.table.terms.id.text(),
                                        setup.new_word, setup.log, setup.intervals,
                                        setup.panel != nullptr});
  }
  if (setup.panel != nullptr) {
    panel_.emplace(machine_, *setup.panel, device_ ? &*device_ : nullptr, setup.log);
  }
}

void LiveDriver::update(const Surroundings& surroundings) {
  const Timestamp now = surroundings.now;
  if (!started_at_) started_at_ = now;
  was_linked_ = was_linked_ || surroundings.locked_by.empty() ||
                now.microseconds() - started_at_->microseconds() >= first_link_us;
  machine_.update(surroundings);
  if (device_ && was_linked_) device_->update(now);
  go_on();
}

std::optional<Timestamp> LiveDriver::wakes_at() const {
  if (!device_) return std::nullopt;
  if (was_linked_) return device_->wakes_at();
  if (!started_at_) return std::nullopt;
  return Timestamp::from_microseconds(started_at_->microseconds() + first_link_us);
}

void LiveDriver::on_submitted(MessageNumber number) {
  machine_.on_submitted(number);
  settle("");
}

void LiveDriver::on_not_submitted() {
  const std::string why = machine_.on_not_submitted();
  if (!why.empty()) settle(why);
}

void LiveDriver::settle(std::string_view why) {
  if (device_) device_->settle(why);
  if (panel_) panel_->settle(why);
  go_on();
}

// Takes the inputs that waited behind the last step, and shows what has changed.
void LiveDriver::go_on() {
  if (device_) device_->take_lines();
  if (panel_) panel_->take_actions();
  if (!device_ || !was_linked_) return;
  device_->paint();
  device_->flush();
}

}  // namespace linkmeter
