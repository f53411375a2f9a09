// SystemdNotify: tells the service manager (systemd) that the program is ready, what its status is,
// that it is alive, and that it stops. Without a service manager it does nothing.
//
// Laws: only the loop that does the work calls beat(), so systemd detects a loop that hangs and
// restarts the program.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace linkmeter {

class SystemdNotify {
 public:
  // Reads from the environment whether a service manager listens, and the watchdog interval.
  SystemdNotify();

  void ready(const std::string& status);
  // Sends one line for people. A repeated line is not sent again.
  void status(const std::string& status);
  void stopping();
  // Reports that the program is alive, if half of the watchdog interval has passed since the last
  // report.
  void beat(std::chrono::microseconds uptime);
  // The longest time that the loop may sleep; a long time without a watchdog.
  [[nodiscard]] std::chrono::milliseconds time_until_beat(std::chrono::microseconds uptime) const;

 private:
  std::optional<std::chrono::microseconds> interval_;  // half of the watchdog interval
  std::chrono::microseconds due_{};
  std::string status_;
};

}  // namespace linkmeter
