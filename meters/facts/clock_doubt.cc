#include "meters/facts/clock_doubt.h"

#include <chrono>

#include "meters/values/enum_names.h"
#include "meters/values/text.h"

namespace linkmeter {

std::string clock_difference_text(std::int64_t by_us) {
  using std::chrono::days, std::chrono::floor, std::chrono::hh_mm_ss, std::chrono::seconds;
  // Rounds to whole seconds without an overflow: the smallest number has no positive counterpart,
  // and std::chrono::round multiplies.
  constexpr std::int64_t second_us = 1'000'000;
  const std::int64_t whole_s = by_us / second_us;
  const std::int64_t rest_us = by_us % second_us;
  const std::int64_t size_s = whole_s < 0 ? -whole_s : whole_s;
  const bool is_up = rest_us >= second_us / 2 || rest_us <= -second_us / 2;
  const seconds size(size_s + (is_up ? 1 : 0));
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
  static constexpr EnumNames<ClockFault::stepped, ClockFault::unsynchronised> names{
      "stepped", "behind", "ahead", "unsynchronised"};
  return names.of(fault);
}

}  // namespace linkmeter
