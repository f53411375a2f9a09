#include "controller/accounting/export/import_check.h"

#include <optional>
#include <sstream>
#include <vector>

#include "controller/accounting/export/csv.h"
#include "controller/store/journal_reader.h"
#include "controller/turn/day_rollover.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

using CsvFields = std::vector<std::string>;

std::string at_line(std::uint64_t number, const std::string& words) {
  return "line " + std::to_string(number) + ": " + words;
}

// Checks that the postings of each entry sum to zero, when the next entry begins.
class EntryBalance {
 public:
  // The entry before it, if it does not balance.
  std::string begin(EntryNumber entry) {
    std::string why = entry == entry_ ? "" : end();
    entry_ = entry;
    return why;
  }
  void add(Amount amount) { sum_ += amount.units(); }
  std::string end() {
    const Int128 sum = std::exchange(sum_, 0);
    if (sum == 0) return "";
    return "the postings of entry " + std::to_string(entry_.value()) + " sum to " +
           text_exact(sum) + ", not to zero";
  }

 private:
  EntryNumber entry_;
  Int128 sum_ = 0;
};

// Compares the sums of a ledger's lines with the sums that it states.
class LedgerCheck {
 public:
  std::string take(const CsvFields& fields, ExportTotals& totals) {
    const auto debit = number(fields, 5), credit = number(fields, 6), postings = number(fields, 7);
    if (fields.size() != 9 || !debit || !credit || !postings) return "it is not a line of a ledger";
    const LedgerSums said{*debit, *credit, *postings};
    if (fields[0] == "line") {
      day_.add(said);
      totals.by_account[fields[4]] += *credit - *debit;
      return "";
    }
    if (fields[0] == "day") {
      if (*debit != *credit) return "the day does not balance";
      if (said != day_) return "the day is not the sum of its lines";
      total_.add(day_);
      day_ = {};
      return "";
    }
    if (fields[0] != "total") return "it is not a line of a ledger";
    ended_ = true;
    return said == total_ ? "" : "the total is not the sum of the days";
  }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  // As many lines of as many digits as a disk holds add up to less than the largest sum.
  static constexpr std::size_t digits_max = 26;
  static std::optional<Int128> number(const CsvFields& fields, std::size_t at) {
    if (at >= fields.size() || fields[at].empty() || fields[at].size() > digits_max)
      return std::nullopt;
    Int128 value = 0;
    for (const char byte : fields[at]) {
      if (byte < '0' || byte > '9') return std::nullopt;
      value = value * 10 + (byte - '0');
    }
    return value;
  }

  LedgerSums day_, total_;
  bool ended_ = false;
};

std::string wrong_totals(const ExportTotals& counted, const ExportTotals& totals, bool is_ledger) {
  if (counted.rows != totals.rows) {
    return "it has " + std::to_string(counted.rows) + " rows, its totals say " +
           std::to_string(totals.rows);
  }
  for (const auto& [account, units] : totals.by_account) {
    const auto found = counted.by_account.find(account);
    if (found == counted.by_account.end() || found->second != units) {
      return "the sum of " + account + " is not " + text_exact(units) + ", as its totals say";
    }
  }
  if (counted.by_account.size() != totals.by_account.size()) {
    return "it has an account that its totals do not have";
  }
  // A ledger's lines name no entries.
  if (is_ledger || (counted.first == totals.first && counted.last == totals.last)) return "";
  return "its first and last entry are not those of its totals";
}

std::string wrong_by_itself(const std::filesystem::path& file, ImportCheck& check) {
  const std::string& format = check.stated.asked.format;
  if (std::filesystem::file_size(file) != check.stated.bytes)
    return "its size is not that of its totals";
  ExportedFile lines(file, format);
  ExportTotals counted;
  EntryBalance balance;
  LedgerCheck ledger;
  const bool is_ledger = format == "ledger";
  while (const auto line = lines.next()) {
    std::string why = is_ledger ? ledger.take(line->fields, counted) : balance.begin(line->entry);
    if (!is_ledger && line->entry < counted.last) why = "entries are not in order";
    if (!why.empty()) return at_line(lines.line_number(), why);
    counted.add_row(line->entry);
    for (const auto& [account, amount] : line->postings) {
      counted.add_posting(account, amount);
      // A transfer from another link has only one half here.
      if (check.stated.asked.link.empty()) balance.add(amount);
    }
    if (!line->row) continue;
    const PostingRow& row = *line->row;
    check.balances[{row.link, row.level, row.account}] += row.amount.units();
  }
  if (!lines.why().empty()) return at_line(lines.line_number() + 1, lines.why());
  if (is_ledger && !ledger.ended()) return "it has no line \"total\"";
  if (std::string why = balance.end(); !why.empty()) return why;
  if (std::string why = wrong_totals(counted, check.stated.totals, is_ledger); !why.empty()) {
    return why;
  }
  return file_sha256(file) == check.stated.sha256 ? "" : "its SHA-256 is not that of its totals";
}

// Compares the lines that the journal gives with those of the file.
class FileComparison {
 public:
  FileComparison(const std::filesystem::path& file, const std::string& format)
      : lines_(file, format), is_json_(format == "entries") {}

  // The first difference in these lines; "": none.
  std::string take(const std::string& text) {
    if (is_json_) return text.empty() ? "" : compare(text.substr(0, text.size() - 1));
    std::istringstream in(text);
    CsvReader records(in);
    while (const auto fields = records.next()) {
      if (std::string why = compare(*fields); !why.empty()) return why;
    }
    return "";
  }
  std::string end() {
    return lines_.next() ? at_line(lines_.line_number(), "the journal has no such row") : "";
  }

 private:
  std::string compare(const std::string& wanted) {
    const auto line = lines_.next();
    if (!line) return missing();
    if (line->line == wanted) return "";
    return at_line(lines_.line_number(), "entry " + std::to_string(line->entry.value()) +
                                             " is not as the journal has it");
  }
  std::string compare(const CsvFields& wanted) {
    const auto line = lines_.next();
    if (!line) return missing();
    const CsvFields& has = line->fields;
    for (std::size_t at = 0; at < wanted.size(); ++at) {
      if (at < has.size() && has[at] == wanted[at]) continue;
      const std::string said = at < has.size() ? has[at] : "";
      return at_line(lines_.line_number(), "of entry or day " + wanted[0] + " it says \"" + said +
                                               "\" where the journal says \"" + wanted[at] + "\"");
    }
    return "";
  }
  std::string missing() {
    return at_line(lines_.line_number() + 1, "a row is missing that the journal has");
  }

  ExportedFile lines_;
  bool is_json_;
};

}  // namespace

ImportCheck check_import(const std::filesystem::path& file) {
  ImportCheck check;
  check.stated = read_export_totals(file);
  check.why = wrong_by_itself(file, check);
  return check;
}

ImportCheck check_import(const std::filesystem::path& file, const Journal& journal,
                         const State& state, const std::function<void(std::uint64_t)>& progress) {
  ImportCheck check;
  check.stated = read_export_totals(file);
  if (check.stated.range.last > journal.head().entry) {
    check.why = "it goes to entry " + std::to_string(check.stated.range.last.value()) +
                ", and the journal ends with entry " + std::to_string(journal.head().entry.value());
    return check;
  }
  ExportText text(check.stated.asked, state, first_day_text(journal, state));
  FileComparison comparison(file, check.stated.asked.format);
  ExportTotals totals;
  read_between(journal, check.stated.range.first, check.stated.range.last,
               [&](const Entry& entry, const Digest& hash) {
                 const std::string lines = text.of(entry, hash, totals);
                 if (check.why.empty()) check.why = comparison.take(lines);
                 if (progress) progress(entry.number.value());
               });
  if (check.why.empty()) check.why = comparison.take(text.end(totals));
  if (check.why.empty()) check.why = comparison.end();
  if (check.why.empty()) check.why = wrong_by_itself(file, check);
  return check;
}

}  // namespace linkmeter
