// SerialSign: one sign on a serial line. Writes the text when it changes, and repeats it from time
// to time, because a sign that lost its power has forgotten it. Pure: updates, moments and a driver
// in, bytes out.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "controller/signs/sign_driver.h"
#include "controller/signs/sign_text.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class SerialSign {
 public:
  // The shortest time between two texts, for slow signs, and between repeats of the same text.
  static constexpr std::int64_t interval_us_min = 250'000, interval_us_max = 5'000'000;

  SerialSign(SignText text, std::unique_ptr<SignDriver> driver)
      : text_(std::move(text)), driver_(std::move(driver)) {}

  void note(const SignUpdate& update, Timestamp uptime, Timestamp wall) {
    text_.note(update, uptime, wall);
  }
  // The bytes to write now; nullopt: none.
  [[nodiscard]] std::optional<std::string> say(Timestamp uptime);
  // The last message to the sign: it states that the sign is no longer driven.
  [[nodiscard]] std::string final_bytes();
  // Call after the port was closed and opened again: forgets what was written.
  void forget_sent() { sent_.clear(); }

  [[nodiscard]] const std::string& said() const { return sent_; }
  [[nodiscard]] bool is_stale(Timestamp uptime) const { return text_.is_stale(uptime); }

 private:
  SignText text_;
  std::unique_ptr<SignDriver> driver_;
  std::string sent_;  // "": nothing written yet
  Timestamp last_sent_at_;
};

}  // namespace linkmeter
