// Imported files: CSV, exported files of each format, and their totals. CSV is compared with a
// second reader that knows only RFC 4180; a text is read back from a record unchanged.
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "controller/accounting/export/csv.h"
#include "controller/accounting/export/export_file.h"
#include "controller/accounting/export/import_check.h"
#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

using Record = std::vector<std::string>;
struct Records {
  std::vector<Record> all;
  bool whole = true;
  friend bool operator==(const Records&, const Records&) = default;
};

Records read(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  CsvReader reader(in);
  Records records;
  while (auto record = reader.next()) records.all.push_back(std::move(*record));
  records.whole = reader.ended_well();
  INVARIANT(reader.offset() <= bytes.size());
  INVARIANT(!records.whole || reader.offset() == bytes.size());
  return records;
}

// One field; nullopt: malformed. The separator stays in the text.
std::optional<std::string> naive_field(std::string_view& text) {
  if (!text.starts_with('"')) {
    const std::size_t end = text.find_first_of(",\"\r\n");
    if (end == std::string_view::npos || text[end] == '"') return std::nullopt;
    const std::string field(text.substr(0, end));
    text.remove_prefix(end);
    return field;
  }
  std::string field;
  for (text.remove_prefix(1);; text.remove_prefix(1)) {
    const std::size_t quote = text.find('"');
    if (quote == std::string_view::npos) return std::nullopt;
    field += text.substr(0, quote);
    text.remove_prefix(quote + 1);
    if (!text.starts_with('"')) return field;
    field += '"';
  }
}

Records read_naively(std::string_view text) {
  Records records;
  while (!text.empty()) {
    Record record;
    for (;;) {
      auto field = naive_field(text);
      if (!field) return {records.all, false};
      record.push_back(std::move(*field));
      if (text.starts_with(",")) {
        text.remove_prefix(1);
        continue;
      }
      if (!text.starts_with("\r\n")) return {records.all, false};
      text.remove_prefix(2);
      break;
    }
    records.all.push_back(std::move(record));
  }
  return records;
}

const char* format_of(std::string_view bytes) {
  if (bytes.starts_with("linkmeter-postings")) return "postings";
  return bytes.starts_with("linkmeter-ledger") ? "ledger" : "entries";
}

}  // namespace

void judge_csv(std::string_view bytes) {
  INVARIANT(read(bytes) == read_naively(bytes));
  CsvRecord record;
  record.text(bytes).plain(bytes);
  const Records back = read(record.whole());
  INVARIANT(back.whole && back.all.size() == 1 && back.all[0].size() == 2);
  INVARIANT(csv_text(back.all[0][0]) == bytes);
  INVARIANT(back.all[0][1] == bytes);
  constexpr std::string_view formula = "=+-@\t\r\n";
  INVARIANT(back.all[0][0].empty() || formula.find(back.all[0][0][0]) == std::string_view::npos);
}

// An exported file whose totals are computed to match its size and digest.
void judge_import(std::string_view bytes) {
  static const ScratchFile file("export"), totals("export.totals.json");
  const std::string format = format_of(bytes);
  file.hold(bytes);
  totals.hold(R"({"format":"linkmeter-)" + format +
              R"(","version":1,"link":null,"day":null,"from":1,"to":9,"rows":2,"first_entry":2,)"
              R"("last_entry":3,"sum_by_account":{"meter":"1.00000000"},"bytes":)" +
              std::to_string(bytes.size()) + R"(,"sha256":")" + hex(sha256(bytes)) + "\"}");
  ExportedFile lines(file.path(), format);
  std::uint64_t offset = lines.offset();
  while (lines.next()) {
    INVARIANT(lines.offset() > offset && lines.offset() <= bytes.size());
    offset = lines.offset();
  }
  static_cast<void>(check_import(file.path()));
}

void judge_totals(std::string_view bytes) {
  static const ScratchFile file("told"), totals("told.totals.json");
  totals.hold(bytes);
  try {
    const ExportedTotals told = read_export_totals(file.path());
    for (const auto& [account, units] : told.totals.by_account) {
      INVARIANT(parse_units(text_exact(units)) == units);
    }
  } catch (const Fault& fault) {
    INVARIANT(std::string_view(fault.what()).starts_with(totals.path().string()));
  }
}

}  // namespace linkmeter::fuzz
