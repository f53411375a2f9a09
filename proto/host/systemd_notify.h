// Service notice: what a program tells the service manager that started it (systemd): that it is
// ready, how it stands, that it is alive, that it stops. Without one it tells nobody.
//
// Laws: beat() is called by the loop that does the work and by nothing else, so that a loop that
// hangs is seen, and the program is started anew.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace linkmeter {

class SystemdNotify {
 public:
  // Asks the environment whether somebody wants to hear, and how often.
  SystemdNotify();

  void ready(const std::string& status);
  // One line for people; the same line again is not told again.
  void status(const std::string& status);
  void stopping();
  // Alive; told when half of the watchdog's time has passed since the last time.
  void beat(std::chrono::microseconds uptime);
  // The loop is not to sleep longer than this; a long time where nobody watches.
  [[nodiscard]] std::chrono::milliseconds time_until_beat(std::chrono::microseconds uptime) const;

 private:
  std::optional<std::chrono::microseconds> interval_;  // half of the watchdog's
  std::chrono::microseconds due_{};
  std::string status_;
};

}  // namespace linkmeter
