#include "controller/accounting/export/export_text.h"

#include <algorithm>

#include "controller/accounting/export/csv.h"
#include "controller/accounting/export/entry_links.h"
#include "controller/view/display_names.h"
#include "controller/view/entry_json.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

std::string digits_of(Int128 units) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(units % 10)));
    units /= 10;
  } while (units != 0);
  return text;
}

// The record with its sums.
std::string ledger_line(CsvRecord& record, const LedgerSums& sums, ExportTotals& totals) {
  ++totals.rows;
  record.plain(digits_of(sums.debit)).plain(digits_of(sums.credit));
  return record.plain(digits_of(sums.postings)).plain("USD").whole();
}

ExportRange entries_of_day(GamingDay day, const State& state) {
  const std::vector<DayRecord>& days = state.days();
  if (days.empty()) throw Fault("no gaming day of this journal has ended, so none has a name yet");
  const DayRecord* record = state.find_day(day);
  if (record == nullptr && day != days.back().day.next()) {
    throw Fault("the journal has no gaming day " + text(day) + "; it has " +
                text(days.front().day) + " to " + text(days.back().day.next()));
  }
  const bool is_first = day == days.front().day;
  const EntryNumber before = is_first ? EntryNumber() : state.find_day(day.previous())->ended;
  return {before.next(), record == nullptr ? state.last_entry() : record->ended};
}

}  // namespace

ExportRange export_range(const ExportRequest& request, const State& state) {
  if (!request.link.empty() && !state.floor().find_link(LinkId(request.link))) {
    throw Fault("there is no link " + request.link);
  }
  const std::uint64_t head = state.last_entry().value();
  if (std::max(request.from, request.to) > head) {
    throw Fault("the journal ends with entry " + std::to_string(head));
  }
  if (request.to != 0 && request.from > request.to) {
    throw Fault("entry " + std::to_string(request.from) + " is after entry " +
                std::to_string(request.to));
  }
  ExportRange range{EntryNumber(1), EntryNumber(head)};
  if (request.day) range = entries_of_day(*request.day, state);
  if (request.from != 0) range.first = std::max(range.first, EntryNumber(request.from));
  if (request.to != 0) range.last = std::min(range.last, EntryNumber(request.to));
  return range;
}

void ExportTotals::add_row(EntryNumber entry) {
  ++rows;
  if (first == EntryNumber()) first = entry;
  last = entry;
}

void LedgerSums::add(const LedgerSums& other) {
  debit += other.debit;
  credit += other.credit;
  postings += other.postings;
}

ExportText::ExportText(const ExportRequest& request, const State& state,
                       const std::string& first_day)
    : asked_(request), state_(state), first_day_(first_day), rows_(state, first_day) {
  if (!request.link.empty()) link_ = state.floor().find_link(LinkId(request.link));
}

std::string ExportText::head() const {
  if (asked_.format == "postings") return posting_row_head();
  if (asked_.format != "ledger") return "";
  CsvRecord head;
  head.plain(ledger_name);
  for (const char* column :
       {"day", "link", "level", "account", "debit", "credit", "postings", "currency"}) {
    head.plain(column);
  }
  return head.whole();
}

bool ExportText::is_wanted(const Posting& posting) const {
  return asked_.link.empty() || link_ == posting.link;
}

std::string ExportText::entry_line(const Entry& entry, const Digest& hash,
                                   ExportTotals& totals) const {
  const bool is_all = asked_.link.empty();
  if (!is_all && (!link_ || !links_of(entry, state_).contains(*link_))) return "";
  std::string line = entry_json(entry, state_.floor(), hash) + "\n";
  totals.add_row(entry.number);
  for (const Posting& posting : entry.postings) {
    totals.add_posting(std::string(name(posting.account)), posting.amount);
  }
  return line;
}

std::string ExportText::posting_lines(const Entry& entry, ExportTotals& totals) const {
  std::string lines;
  for (const PostingRow& row : rows_.of(entry)) {
    if (!asked_.link.empty() && row.link != asked_.link) continue;
    lines += text(row);
    totals.add_row(row.entry);
    totals.add_posting(row.account, row.amount);
  }
  return lines;
}

std::string ExportText::of(const Entry& entry, const Digest& hash, ExportTotals& totals) {
  if (asked_.format == "entries") return entry_line(entry, hash, totals);
  if (asked_.format == "postings") return posting_lines(entry, totals);
  std::string ended;
  const std::string day = day_text(state_.days(), entry.number, first_day_);
  if (has_day_ && day != day_) ended = end_of_day(totals);
  day_ = day;
  has_day_ = true;
  day_last_ = entry.number;
  for (const Posting& posting : entry.postings) {
    if (!is_wanted(posting)) continue;
    const Int128 units = posting.amount.units();
    lines_[{posting.link, posting.pool, posting.account}].add(
        {units < 0 ? -units : 0, units < 0 ? 0 : units, 1});
    totals.add_posting(std::string(name(posting.account)), posting.amount);
    if (totals.first == EntryNumber()) totals.first = entry.number;
    totals.last = entry.number;
  }
  return ended;
}

std::string ExportText::end_of_day(ExportTotals& totals) {
  std::string text;
  LedgerSums of_day;
  for (const auto& [line, moved] : lines_) {
    const auto& [link, pool, account] = line;
    CsvRecord record;
    record.plain("line").plain(day_).text(link_name(state_.floor(), link));
    record.text(pool_name(state_.floor(), link, pool)).plain(name(account));
    text += ledger_line(record, moved, totals);
    of_day.add(moved);
  }
  CsvRecord record;
  record.plain("day").plain(day_).plain("").plain("").plain("");
  text += ledger_line(record, of_day, totals);
  total_.add(of_day);
  lines_.clear();
  return text;
}

std::string ExportText::end(ExportTotals& totals) {
  if (asked_.format != "ledger") return "";
  std::string text = has_day_ ? end_of_day(totals) : "";
  CsvRecord record;
  record.plain("total").plain("").plain("").plain("").plain("");
  return text + ledger_line(record, total_, totals);
}

}  // namespace linkmeter
