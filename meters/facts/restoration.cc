#include "meters/facts/restoration.h"

#include <chrono>

#include "meters/values/hex.h"
#include "meters/values/text.h"

namespace linkmeter {

AcceptHistory Restoration::to_accept() const {
  return {entry, fact.ended_with, fact.hash, fact.restored_at};
}

std::string suspension_reason(EntryNumber restored, const HistoryRestored& fact) {
  return "restored from a backup up to entry " + std::to_string(fact.ended_with.value()) +
         ", which two managers have not accepted yet (entry " + std::to_string(restored.value()) +
         ")";
}

std::string summary(const AcceptHistory& accept) {
  return "accept the history restored with entry " + std::to_string(accept.restored.value()) +
         ": up to entry " + std::to_string(accept.ended_with.value()) + ", " + hex(accept.hash) +
         ", at " + utc_text(accept.restored_at) + (accept.note.empty() ? "" : ", " + accept.note);
}

std::string utc_text(Timestamp moment) {
  using std::chrono::days, std::chrono::floor, std::chrono::hh_mm_ss, std::chrono::microseconds,
      std::chrono::seconds, std::chrono::sys_time, std::chrono::year_month_day;
  const sys_time<microseconds> at{microseconds(moment.microseconds())};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(floor<seconds>(at) - day);
  return padded(int{date.year()}, 4) + "-" + padded(unsigned{date.month()}, 2) + "-" +
         padded(unsigned{date.day()}, 2) + " " + padded(time.hours().count(), 2) + ":" +
         padded(time.minutes().count(), 2) + ":" + padded(time.seconds().count(), 2) + " UTC";
}

}  // namespace linkmeter
