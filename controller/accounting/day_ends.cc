#include "controller/accounting/day_ends.h"

#include <algorithm>

#include "controller/configuration_text.h"
#include "meters/codec/journal_codec.h"

namespace linkmeter {
namespace {

constexpr std::int64_t least_us = 1;  // what moments differ by at least

}  // namespace

void DayEnds::note(const Entry& entry) {
  if (!entry.postings.empty()) moved_ = entry.recorded_at;
}

Timestamp DayEnds::moved(const State& state) {
  if (moved_) return *moved_;
  moved_ = Timestamp();
  const bool is_first = state.days().empty();
  journal_.read(
      is_first ? EntryNumber(1) : state.days().back().ended.next(), [&](const StoredEntry& stored) {
        const std::optional<Entry> entry = decode_entry(stored.bytes);
        const bool counts = entry && (!entry->postings.empty() || entry->number == EntryNumber(1));
        if (counts) moved_ = std::max(*moved_, entry->recorded_at);
        return true;
      });
  return *moved_;
}

DayEnd DayEnds::running(const State& state, const Calendar& calendar) {
  if (state.days().empty()) {
    if (!first_) first_ = moved(state);
    const GamingDay day = calendar.day_of(*first_);
    return {day, calendar.end(day), {}};
  }
  const DayRecord& last = state.days().back();
  const GamingDay day = last.day.next();
  return {day, std::max(calendar.end(day), last.ends_at.after(least_us)), {}};
}

std::optional<DayEnd> DayEnds::over(const State& state, const Calendar& calendar, Timestamp now) {
  DayEnd end = running(state, calendar);
  if (end.ends_at > now) return std::nullopt;
  end.ends_at = std::max(end.ends_at, moved(state).after(least_us));
  if (end.ends_at > now) return std::nullopt;
  return end;
}

std::string first_day_text(const Journal& journal, const State& state) {
  if (!state.days().empty()) return "";
  const HouseTimes times = times_of(configuration_in_force(journal, state));
  if (times.zone.empty()) return "";
  return text(DayEnds(journal).running(state, Calendar(times.zone, times.start)).day);
}

}  // namespace linkmeter
