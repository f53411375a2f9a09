#include "controller/time/local_time.h"

#include <date/tz.h>

#include <chrono>
#include <stdexcept>

namespace linkmeter {

std::string local_text(Timestamp moment, std::string_view zone) {
  constexpr const char* form = "%F %T %Z";
  const auto seconds = std::chrono::floor<std::chrono::seconds>(
      date::sys_time<std::chrono::microseconds>(std::chrono::microseconds(moment.microseconds())));
  try {
    return date::format(form, date::make_zoned(date::locate_zone(std::string(zone)), seconds));
  } catch (const std::runtime_error&) {
    return date::format(form, seconds);
  }
}

}  // namespace linkmeter
