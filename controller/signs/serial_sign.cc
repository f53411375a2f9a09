#include "controller/signs/serial_sign.h"

namespace linkmeter {

std::optional<std::string> SerialSign::say(Timestamp uptime) {
  const std::string words = text_.words(uptime);
  const std::int64_t passed = uptime.microseconds() - last_sent_at_.microseconds();
  const std::int64_t due = words == sent_ ? interval_us_max : interval_us_min;
  if (!sent_.empty() && passed < due) return std::nullopt;
  sent_ = words;
  last_sent_at_ = uptime;
  return driver_->bytes(words);
}

std::string SerialSign::final_bytes() {
  sent_ = SignText().words(Timestamp());
  return driver_->bytes(sent_);
}

}  // namespace linkmeter
