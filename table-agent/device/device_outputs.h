// Device picture: what the device of this session was told to show: open or locked, and its lights.
//
// Laws: the device is told what changed; what goes out takes the whole picture anew, begun by
// "dark", for only that can turn a light off. A device that missed a line is told all of it.
#pragma once

#include <set>
#include <string>

#include "table-agent/device/device_session.h"

namespace linkmeter {

class DeviceOutputs {
 public:
  // Tells the difference. True: the mode is another than it was. REQUIRES: the talk is begun.
  bool paint(const std::string& mode, const std::multiset<std::string>& lights,
             DeviceSession& talk);
  // The device was told that its sensors are open.
  [[nodiscard]] bool is_open() const { return mode_.starts_with("open "); }

 private:
  std::string mode_;  // "": nothing was told
  std::multiset<std::string> lights_;
};

}  // namespace linkmeter
