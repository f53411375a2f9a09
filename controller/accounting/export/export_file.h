// Export file: an export that is in its place only when it is complete.
//
// It is written to FILE.part and synced. Then FILE.totals.json is written, and FILE.part is renamed
// to FILE. An export that is interrupted leaves no FILE; the same command writes it again.
//
// FILE.totals.json: {"format":"linkmeter-postings","version":1,"rows":N,"first_entry","last_entry",
// "from","to","day","link","sum_by_account":{"meter":"1.23000000",…},"bytes":N,"sha256":"…"}; the
// first and last entry have rows in the file; from and to are the requested range.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/export/csv.h"
#include "controller/accounting/export/export_text.h"
#include "controller/store/journal.h"

namespace linkmeter {

// One line of an exported file, and its postings.
struct ExportedLine {
  EntryNumber entry;  // 0: a ledger's line has none
  std::vector<std::pair<std::string, Amount>> postings;
  std::string line;                 // of entries: the line itself
  std::optional<PostingRow> row;    // of postings
  std::vector<std::string> fields;  // of a ledger
};

// Reads files that ExportText wrote.
class ExportedFile {
 public:
  // Throws Fault if the file cannot be read.
  ExportedFile(const std::filesystem::path& path, std::string format);
  // The next complete line; nullopt at the end, or at an error, which why() describes.
  std::optional<ExportedLine> next();
  [[nodiscard]] const std::string& why() const { return why_; }
  // The number of the last line returned, from 1; a head record is line 1.
  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
  // The offset in bytes of the line after it.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  std::optional<ExportedLine> next_entry();
  std::optional<ExportedLine> next_record();

  std::ifstream in_;
  CsvReader csv_;
  std::string format_;
  std::string why_;
  std::uint64_t line_number_ = 0;
  std::uint64_t offset_ = 0;
};

// The contents of FILE.totals.json.
struct ExportedTotals {
  ExportRequest asked;
  ExportRange range;
  ExportTotals totals;
  std::uint64_t bytes = 0;
  std::string sha256;
};
// Throws Fault, naming the file.
ExportedTotals read_export_totals(const std::filesystem::path& file);
// Throws Fault if it cannot be read.
std::string file_sha256(const std::filesystem::path& path);

// Writes the file and its totals. `replaces`: an existing FILE or FILE.part may be replaced. Throws
// Fault if one exists and may not be, or if the disk fails.
ExportTotals export_to_file(const Journal& journal, const State& state,
                            const ExportRequest& request, const std::filesystem::path& file,
                            bool replaces, const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
