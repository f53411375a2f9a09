// ClockWatch: the times that a controller may record, by the judge's own rules. The system's clock
// is the steady clock plus a difference that people set. Recorded times are never before a trusted
// clock and never go back; a change of more than a second is reported. A clock that differs by more
// than an hour from the trusted time is in doubt, and recorded time does not follow it until it was
// right for five seconds or was confirmed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "meters/facts/clock_doubt.h"
#include "meters/values/timestamp.h"
#include "tests/simulation/finding.h"

namespace linkmeter {

class ClockWatch {
 public:
  // The present values of the two clocks.
  void set(std::int64_t steady_us, std::int64_t ahead_us) {
    steady_us_ = steady_us;
    ahead_us_ = ahead_us;
    look();
  }
  // A controller starts, and continues from the last recorded time; `standing`: from the journal.
  void start(Timestamp last_recorded, const ClockStanding& standing) {
    highest_us_ = last_recorded.microseconds() - steady_us_;
    trusted_us_ = told_us_ = highest_us_ - standing.lead_us;
    is_starting_ = true;
    closed_us_ = standing.doubt ? hour_us : 7 * 24 * hour_us;
    is_doubted_ = false;
    wrong_at_us_ = drifted_at_us_ = steady_us_;
    look();
  }
  Finding entry(Timestamp recorded_at, Timestamp before) {
    if (recorded_at < before) return "clock: a recorded time goes back";
    if (recorded_at.microseconds() == steady_us_ + highest_us_) return std::nullopt;
    return "clock: recorded at another moment than the clocks say, by " +
           std::to_string(recorded_at.microseconds() - steady_us_ - highest_us_) + " us";
  }
  Finding changed(std::int64_t by_us) {
    if (is_doubted_) return "clock: a clock that nobody believes was taken for one that was set";
    if (by_us != ahead_us_ - told_us_) return "clock: the clock was not set by so much";
    told_us_ = ahead_us_;
    return std::nullopt;
  }
  [[nodiscard]] Finding doubted(std::int64_t by_us) const {
    if (!is_doubted_) return "clock: it is doubted, and nothing is wrong";
    if (by_us != ahead_us_ - trusted_us_) return "clock: it is not wrong by so much";
    return std::nullopt;
  }
  [[nodiscard]] Finding returned() const {
    return is_doubted_ ? Finding("clock: it is trusted again, and is still wrong") : std::nullopt;
  }
  // Two managers confirm the clock; `by_us`: the doubted difference.
  void confirm(std::int64_t by_us) { confirmed_us_ = by_us; }
  [[nodiscard]] std::int64_t highest_us() const { return highest_us_; }
  // The value of `ahead_us` that ends a doubt.
  [[nodiscard]] std::int64_t trusted_us() const { return trusted_us_; }
  [[nodiscard]] bool is_doubted() const { return is_doubted_; }
  // After days were checked. `is_entered`: according to the journal, the clock is in doubt.
  [[nodiscard]] Finding finish(bool is_entered) const {
    if (is_doubted_) {
      return is_entered || confirmed_us_ ? std::nullopt
                                         : Finding("clock: a clock that is wrong is believed");
    }
    if (std::abs(ahead_us_ - told_us_) <= 1'000'000) return std::nullopt;
    return "clock: the clock was set, and no entry says so";
  }
  // The controller reads the time again after the confirmation.
  void take_confirmed() {
    if (!confirmed_us_) return;
    trusted_us_ += *confirmed_us_;
    told_us_ = trusted_us_;
    is_starting_ = is_doubted_ = false;
    confirmed_us_.reset();
    look();
  }

 private:
  static constexpr std::int64_t hour_us = 3'600'000'000;

  void look() {
    const std::int64_t step = ahead_us_ - trusted_us_;
    if (step < -hour_us || step > (is_starting_ ? closed_us_ : hour_us)) {
      is_doubted_ = true;
      wrong_at_us_ = steady_us_;
      return;
    }
    if (is_doubted_ && steady_us_ - wrong_at_us_ < 5'000'000) return;
    is_doubted_ = false;
    if (is_starting_) {
      is_starting_ = false;
      told_us_ = std::max(told_us_, ahead_us_);
      trusted_us_ = ahead_us_;
      drifted_at_us_ = steady_us_;
    }
    highest_us_ = std::max(highest_us_, ahead_us_);
    // A hundredth of the time that has passed, in whole microseconds.
    const std::int64_t most = (steady_us_ - drifted_at_us_) / 100;
    trusted_us_ += std::clamp(ahead_us_ - trusted_us_, -most, most);
    drifted_at_us_ += 100 * most;
  }

  std::int64_t steady_us_ = 0;
  std::int64_t ahead_us_ = 0;    // of the system's clock, relative to the steady one
  std::int64_t highest_us_ = 0;  // the highest trusted time since the controller started
  std::int64_t told_us_ = 0;
  std::int64_t trusted_us_ = 0;
  std::int64_t closed_us_ = 0;
  std::int64_t wrong_at_us_ = 0, drifted_at_us_ = 0;
  bool is_starting_ = false;
  bool is_doubted_ = false;
  std::optional<std::int64_t> confirmed_us_;
};

}  // namespace linkmeter
