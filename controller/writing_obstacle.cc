#include "controller/writing_obstacle.h"

#include "proto/host/fault.h"

namespace linkmeter {

std::string WritingObstacle::operator()() {
  const std::string& fault = health_.watch_standby();
  if (!fault.empty()) return fault;
  try {
    use_pin_keys_();
  } catch (const Fault& wrong) {
    return wrong.what();
  }
  return "";
}

}  // namespace linkmeter
