// DeviceOutputs: what the agent told the device to show in this session: open or locked, and its
// lights.
//
// Laws: normally only changes are sent. To turn a light off, the whole output state is sent again,
// after "dark", because only "dark" turns lights off. A device that missed a line gets the whole
// state.
#pragma once

#include <set>
#include <string>

#include "table-agent/device/device_session.h"

namespace linkmeter {

class DeviceOutputs {
 public:
  // Sends the changes. Returns whether the mode changed. REQUIRES: the session has begun.
  bool paint(const std::string& mode, const std::multiset<std::string>& lights,
             DeviceSession& talk);
  // Whether the device was told to open its sensors.
  [[nodiscard]] bool is_open() const { return mode_.starts_with("open "); }

 private:
  std::string mode_;  // "": nothing was sent yet
  std::multiset<std::string> lights_;
};

}  // namespace linkmeter
