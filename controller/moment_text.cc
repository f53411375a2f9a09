#include "controller/moment_text.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace linkmeter {

std::string text(Timestamp moment) {
  constexpr std::int64_t per_second = 1'000'000;
  std::int64_t seconds = moment.microseconds() / per_second;
  std::int64_t rest = moment.microseconds() % per_second;
  if (rest < 0) {
    rest += per_second;
    --seconds;
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (gmtime_r(&time, &parts) == nullptr) return "?";
  std::array<char, 64> buffer{};
  const auto length = std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06dZ", static_cast<int>(rest));
  return std::string(buffer.data(), length) + fraction.data();
}

}  // namespace linkmeter
