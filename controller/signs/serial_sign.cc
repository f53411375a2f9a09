#include "controller/signs/serial_sign.h"

namespace linkmeter {

std::optional<std::string> SerialSign::say(Timestamp uptime) {
  const std::string words = text_.words(uptime);
  const std::int64_t passed = uptime.microseconds() - said_at_.microseconds();
  const std::int64_t due = words == said_ ? interval_us_max : interval_us_min;
  if (!said_.empty() && passed < due) return std::nullopt;
  said_ = words;
  said_at_ = uptime;
  return driver_->bytes(words);
}

std::string SerialSign::farewell() {
  said_ = SignText().words(Timestamp());
  return driver_->bytes(said_);
}

}  // namespace linkmeter
