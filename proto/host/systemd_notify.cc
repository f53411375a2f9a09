#include "proto/host/systemd_notify.h"

#include <systemd/sd-daemon.h>

#include <algorithm>
#include <cstdint>

namespace linkmeter {

namespace {

// A status is one line of the protocol; a newline would start another assignment.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char letter) { return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f'; },
      ' ');
  return text;
}

}  // namespace

SystemdNotify::SystemdNotify() {
  std::uint64_t watchdog_us = 0;
  if (sd_watchdog_enabled(0, &watchdog_us) > 0) {
    interval_ = std::chrono::microseconds(static_cast<std::int64_t>(watchdog_us / 2));
  }
}

void SystemdNotify::ready(const std::string& status) {
  status_ = one_line(status);
  sd_notify(0, ("READY=1\nSTATUS=" + status_).c_str());
}

void SystemdNotify::status(const std::string& status) {
  std::string line = one_line(status);
  if (line == status_) return;
  status_ = std::move(line);
  sd_notify(0, ("STATUS=" + status_).c_str());
}

void SystemdNotify::stopping() { sd_notify(0, "STOPPING=1"); }

void SystemdNotify::beat(std::chrono::microseconds uptime) {
  if (!interval_ || uptime < due_) return;
  due_ = uptime + *interval_;
  sd_notify(0, "WATCHDOG=1");
}

std::chrono::milliseconds SystemdNotify::time_until_beat(std::chrono::microseconds uptime) const {
  if (!interval_) return std::chrono::hours(1);
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(due_ - uptime));
}

}  // namespace linkmeter
