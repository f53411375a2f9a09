// Export text: the journal as files for others, in three forms, each a stream of complete lines:
//   entries   JSON Lines, an entry each (entry_json.h)
//   postings  CSV, a posting each, posting_row.h
//   ledger    CSV, "linkmeter-ledger 1". Each gaming day has a "line" for each link, level and
//             account that moved, then a "day" with both sums, which are equal. A "total" ends the
//             file. A level's money is the house's debt, so a positive posting is a credit and a
//             negative one a debit; both are whole numbers of 10^-8 dollar, never negative.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "controller/accounting/export/posting_row.h"
#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "meters/values/gaming_day.h"
#include "meters/values/int128.h"

namespace linkmeter {

// What to export; by default the whole journal.
struct ExportRequest {
  std::string format = "entries";  // or "postings", "ledger"
  std::optional<GamingDay> day;
  std::string link;  // only entries that are about it (entry_links.h), and its postings; "": all
  std::uint64_t from = 0, to = 0;
  friend bool operator==(const ExportRequest&, const ExportRequest&) = default;
};
// first > last: no entries.
struct ExportRange {
  EntryNumber first, last;
  friend bool operator==(const ExportRange&, const ExportRange&) = default;
};
// Throws Fault if the journal has no such day, link or entries.
ExportRange export_range(const ExportRequest& request, const State& state);

// The totals of a file.
struct ExportTotals {
  std::uint64_t rows = 0;
  EntryNumber first, last;  // entries with rows in the file
  std::map<std::string, Int128> by_account;

  void add_posting(const std::string& account, Amount amount) {
    by_account[account] += amount.units();
  }
  void add_row(EntryNumber entry);
  friend bool operator==(const ExportTotals&, const ExportTotals&) = default;
};

// The sums of a ledger's lines. None is below zero.
struct LedgerSums {
  Int128 debit = 0, credit = 0, postings = 0;
  void add(const LedgerSums& other);
  friend bool operator==(const LedgerSums&, const LedgerSums&) = default;
};

class ExportText {
 public:
  // Both must outlive this. `first_day`: what a day is called while none has ended. REQUIRES: the
  // state is that of the journal's head; for entries of every link its floor is enough.
  ExportText(const ExportRequest& request, const State& state, const std::string& first_day);

  // The first record; "" if the form has none.
  [[nodiscard]] std::string head() const;
  // Lines of the entry, and what they add to the totals. REQUIRES: each entry once, in order.
  std::string of(const Entry& entry, const Digest& hash, ExportTotals& totals);
  // The lines after the last entry.
  std::string end(ExportTotals& totals);

 private:
  using Line = std::tuple<LinkIndex, Pool, Account>;

  [[nodiscard]] bool is_wanted(const Posting& posting) const;
  std::string entry_line(const Entry& entry, const Digest& hash, ExportTotals& totals) const;
  std::string posting_lines(const Entry& entry, ExportTotals& totals) const;
  std::string end_of_day(ExportTotals& totals);

  const ExportRequest& asked_;
  const State& state_;
  std::optional<LinkIndex> link_;  // the requested one; nullopt: all, or an unknown one
  std::string first_day_;
  PostingRows rows_;
  std::string day_;
  EntryNumber day_last_;
  bool has_day_ = false;
  std::map<Line, LedgerSums> lines_;  // of the day
  LedgerSums total_;
};

// A ledger's first column: its name and version.
inline constexpr std::string_view ledger_name = "linkmeter-ledger 1";

}  // namespace linkmeter
