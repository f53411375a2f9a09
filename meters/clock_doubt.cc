#include "meters/clock_doubt.h"

#include <chrono>

#include "meters/text.h"

namespace linkmeter {

std::string clock_difference_text(std::int64_t by_us) {
  using std::chrono::days, std::chrono::floor, std::chrono::hh_mm_ss, std::chrono::microseconds,
      std::chrono::round, std::chrono::seconds;
  // In whole seconds, so that the least number has an opposite.
  const seconds by = round<seconds>(microseconds(by_us));
  const seconds size = by < seconds(0) ? -by : by;
  const auto whole = floor<days>(size);
  const hh_mm_ss rest(size - whole);
  return std::to_string(whole.count()) + " d " + padded(rest.hours().count(), 2) + ":" +
         padded(rest.minutes().count(), 2) + ":" + padded(rest.seconds().count(), 2) +
         (by_us < 0 ? " behind" : " ahead");
}

std::string suspension_reason(EntryNumber doubted, const ClockDoubted& fact) {
  return "the system's clock is in doubt: " + clock_difference_text(fact.by_us) + " (entry " +
         std::to_string(doubted.value()) + ")";
}

std::string summary(const ConfirmClock& confirm) {
  return "confirm the system's clock, " + clock_difference_text(confirm.by_us) +
         " of the trusted time (entry " + std::to_string(confirm.doubted.value()) + ")" +
         (confirm.note.empty() ? "" : ", " + confirm.note);
}

std::string_view name(ClockFault fault) {
  switch (fault) {
    case ClockFault::stepped: return "stepped";
    case ClockFault::behind: return "behind";
    case ClockFault::ahead: return "ahead";
    case ClockFault::unsynchronised: return "unsynchronised";
  }
  return "unknown";
}

}  // namespace linkmeter
