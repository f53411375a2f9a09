#include "table-agent/device/device_outputs.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace linkmeter {

bool DeviceOutputs::paint(const std::string& mode, const std::multiset<std::string>& lights,
                          DeviceSession& talk) {
  const bool all = talk.picture_is_wanted() || mode_.empty();
  if (all || !std::includes(lights.begin(), lights.end(), lights_.begin(), lights_.end())) {
    talk.say("dark");
    lights_.clear();
  }
  const bool is_other = mode != mode_;
  if (all || is_other) talk.say(mode);
  mode_ = mode;
  std::vector<std::string> fresh;
  std::set_difference(lights.begin(), lights.end(), lights_.begin(), lights_.end(),
                      std::back_inserter(fresh));
  for (const std::string& one : fresh) talk.say(one);
  lights_ = lights;
  return is_other;
}

}  // namespace linkmeter
