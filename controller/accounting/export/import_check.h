// Import check: reads an exported file back and compares it with its totals, and, if given, with
// the journal that it came from.
//
// A file alone: size and SHA-256, form, number of rows, the sum of every account, and that every
// entry's postings sum to zero (M14; in a ledger: every day). With the journal: line by line and
// field by field; the first difference is named.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "controller/accounting/export/export_file.h"
#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "meters/values/int128.h"

namespace linkmeter {

struct ImportCheck {
  std::string why;  // the first error, "line 17: …"; "": none
  ExportedTotals stated;
  // The sums of a file of postings, by link, level, account.
  std::map<std::tuple<std::string, std::string, std::string>, Int128> balances;
};

// Throws Fault if the file or its totals cannot be read.
ImportCheck check_import(const std::filesystem::path& file);
// Also compares with the journal. REQUIRES: the state is that of its head.
ImportCheck check_import(const std::filesystem::path& file, const Journal& journal,
                         const State& state,
                         const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
