#include "controller/accounting/day/day_report.h"

#include <algorithm>
#include <utility>

#include "controller/accounting/day/day_attestations.h"
#include "controller/accounting/day/day_book.h"
#include "controller/accounting/day/day_report_json.h"
#include "controller/accounting/day/day_variances.h"
#include "controller/view/json.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {

DayReport day_report(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                     EntryNumber as_of, const std::function<void(std::uint64_t)>& progress) {
  const auto record = std::find_if(days.begin(), days.end(),
                                   [day](const DayRecord& one) { return one.day == day; });
  if (record == days.end() || record->ended > as_of) {
    throw Fault("the gaming day " + text(day) + " has not ended, or is before the journal");
  }
  DayBook book = day_book(journal, days, day, progress);
  book.reconciliations = reconciliations_of(journal, days, day, as_of, book.floor.tables.size());
  const DayAttestations statements = day_attestations(journal, *record, as_of);
  const std::vector<DayItem> items = day_variances(book, statements);
  DayReport report;
  // Texts from outside may hold bytes that are not UTF-8: replaced, never an error.
  report.json =
      day_report_json(book, statements, items).dump(-1, ' ', false, Json::error_handler_t::replace);
  report.digest = sha256(report.json);
  report.finding.report = report.digest;
  for (const DayItem& item : items) {
    report.finding.items.emplace(
        item.item, DayFinding::Item{item.difference, item.explained == nullptr, item.is_claim()});
  }
  return report;
}

}  // namespace linkmeter
