#include "controller/accounting/day/day_book.h"

#include <algorithm>
#include <string>
#include <utility>

#include "controller/accounting/day/day_scan.h"
#include "controller/store/journal_reader.h"
#include "controller/time/calendar.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

const DayRecord& ended_day(const std::vector<DayRecord>& days, GamingDay day) {
  const auto found = std::find_if(days.begin(), days.end(),
                                  [day](const DayRecord& record) { return record.day == day; });
  if (found != days.end()) return *found;
  throw Fault("the gaming day " + text(day) + " has not ended, or is before the journal");
}

Reading zero_reading(const Floor& floor) {
  Reading reading;
  for (const LinkConfig& terms : floor.links) {
    LinkReading link{LinkBalances::opened(terms)};
    link.shown.resize(terms.levels.size());
    reading.push_back(std::move(link));
  }
  return reading;
}

const DayEnded& day_end_in(const Entry& entry) {
  const auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended != nullptr) return *ended;
  throw Fault("entry " + std::to_string(entry.number.value()) + " ends no gaming day");
}

}  // namespace

DayBook day_book(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                 const std::function<void(std::uint64_t)>& progress) {
  const DayRecord& record = ended_day(days, day);
  DayBook book;
  book.day = day;
  book.first = EntryNumber(1);
  book.last = record.ended;
  OpenClaims claims;
  std::optional<Configuration> configuration;
  if (&record != days.data()) {
    const DayRecord& before = *(&record - 1);
    const Entry entry = entry_at(journal, before.ended);
    book.first = before.ended.next();
    book.begins_at = day_end_in(entry).ends_at;
    book.opening = day_end_in(entry).reading;
    claims = OpenClaims::after(journal, before.ended, entry.recorded_at);
    configuration = configuration_at(journal, before.ended);
  } else {
    configuration = configuration_of(entry_at(journal, EntryNumber(1)));
    if (!configuration) throw Fault("entry 1 of the journal opens no floor");
    book.opening = zero_reading(configuration->floor);
    const HouseTimes times = times_of(*configuration);
    if (!times.zone.empty()) book.begins_at = Calendar(times.zone, times.start).begin(day);
  }
  book.floor = std::move(configuration->floor);

  DayScan scan(book, std::move(claims));
  constexpr std::uint64_t told_every = 10'000;
  std::uint64_t count = 0;
  read_between(journal, book.first, book.last, [&](const Entry& entry, const Digest& hash) {
    scan.note(entry, hash);
    if (progress && ++count % told_every == 0) progress(count);
    if (auto changed = configuration_of(entry)) configuration = std::move(changed);
  });
  scan.finish();
  book.zone = times_of(*configuration).zone;
  return book;
}

}  // namespace linkmeter
