#include "controller/writing_obstacle.h"

#include "controller/auth/pin_key.h"
#include "proto/host/fault.h"

namespace linkmeter {

std::string WritingObstacle::operator()() {
  const std::string& fault = health_.watch_standby();
  if (!fault.empty()) return fault;
  const std::string& in_force = controller_.state().keys().of(KeyKind::pin);
  if (in_force == looked_at_ && key_mistake_.empty()) return "";
  looked_at_ = in_force;
  key_mistake_.clear();
  try {
    static_cast<void>(pin_key(data_, controller_.state()));
  } catch (const Fault& wrong) {
    key_mistake_ = wrong.what();
  }
  return key_mistake_;
}

}  // namespace linkmeter
