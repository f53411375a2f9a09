#include "meters/rules/account_lock.h"

#include <algorithm>
#include <cstdint>

#include "meters/values/limits.h"

namespace linkmeter {

std::optional<Timestamp> lock_after_wrong_pin(const State& state, const Person& person,
                                              Timestamp now) {
  if (person.failures + 1 < limits::sign_in_failures_max) return std::nullopt;
  if (!person.has(Right::alter)) return until_new_pin;
  const bool has_another =
      std::any_of(state.people().begin(), state.people().end(), [&](const auto& one) {
        const Person& other = one.second;
        return other.badge != person.badge && other.department == person.department &&
               other.may(Right::alter, now);
      });
  const std::int64_t first = has_another ? limits::lock_us_first : limits::last_wait_us_first;
  const std::int64_t most = has_another ? limits::lock_us_max : limits::last_wait_us_max;
  constexpr std::uint32_t doublings_max = 16;
  const std::uint32_t doublings =
      std::min(person.failures + 1 - limits::sign_in_failures_max, doublings_max);
  return now.after(std::min(most, first << doublings));
}

}  // namespace linkmeter
