// Line sign: one sign on a line: says what the sign is to show when that changes, and again now and
// then, for a sign that lost its power knows nothing. Pure: updates, moments and a driver in, bytes
// out.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "controller/signs/sign_driver.h"
#include "controller/signs/sign_text.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class LineSign {
 public:
  // Between two texts: what a slow sign can show. Between repeats of the same.
  static constexpr std::int64_t interval_us_min = 250'000, interval_us_max = 5'000'000;

  LineSign(SignText text, std::unique_ptr<SignDriver> driver)
      : text_(std::move(text)), driver_(std::move(driver)) {}

  void note(const SignUpdate& update, Timestamp uptime, Timestamp wall) {
    text_.note(update, uptime, wall);
  }
  // What is to be written now; nullopt: nothing.
  [[nodiscard]] std::optional<std::string> say(Timestamp uptime);
  // The last that the sign is told: that it is not driven any more.
  [[nodiscard]] std::string farewell();
  // The port was closed since: all that was said is forgotten.
  void begin_anew() { said_.clear(); }

  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] bool is_stale(Timestamp uptime) const { return text_.is_stale(uptime); }

 private:
  SignText text_;
  std::unique_ptr<SignDriver> driver_;
  std::string said_;  // "": nothing
  Timestamp said_at_;
};

}  // namespace linkmeter
