// Export file: an export that stands in a folder only when it is whole.
//
// It is written to FILE.part; when everything is on the disk FILE.totals.json is written, and
// FILE.part becomes FILE. FILE.part.json says what FILE.part is a part of. An export that was
// interrupted, by whatever, goes on after the last entry of which FILE.part has every row, if the
// same is asked of the same journal, and if those rows are what the journal says; what is new in
// the journal since then is not in it. What another user made, or sees under another name, is not
// gone on with.
//
// FILE.totals.json: {"format":"linkmeter-postings","version":1,"rows":N,"first_entry","last_entry",
// "from","to","day","link","sum_by_account":{"meter":"1.23000000",…},"bytes":N,"sha256":"…"}; the
// first and last entry are those that the file has rows of, from and to what it was asked for.
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

// What one line of an exported file says of the money.
struct ExportedLine {
  EntryNumber entry;  // 0: of none (a ledger's)
  std::vector<std::pair<std::string, Amount>> postings;
  std::string line;                 // of entries: as it stands there
  std::optional<PostingRow> row;    // of postings
  std::vector<std::string> fields;  // of a ledger
};

// Reads back what ExportText wrote.
class ExportedFile {
 public:
  // Throws Fault if it cannot be read.
  ExportedFile(const std::filesystem::path& path, std::string format);
  // The next whole line; nullopt at the end, or where it is none: why() says it.
  std::optional<ExportedLine> next();
  [[nodiscard]] const std::string& why() const { return why_; }
  // Its number, from 1: the first record, where there is one, is line 1.
  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
  // Where the line after it begins, in bytes.
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

// As FILE.totals.json has it.
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

struct ExportResult {
  ExportTotals totals;
  EntryNumber gone_on_after;  // 0: begun anew
};
// Writes the file. `is_anew`: what is there already, whole or in part, is written over. Throws
// Fault: what is there is another's, or the disk is full; FILE.part then stays.
ExportResult export_to_file(const Journal& journal, const State& state, const ExportRequest& asked,
                            const std::filesystem::path& file, bool is_anew,
                            const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
