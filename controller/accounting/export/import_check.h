// Import check: reads an exported file back and holds it against its totals, and, where there is
// one, against the journal it came from.
//
// Alone a file is held to: its size and SHA-256, a form without mistakes, its count of rows, the
// sum of every account, and that every entry's postings sum to zero (M14; of a ledger: every day).
// With the journal: line by line, to the last field; the first one that differs is named.
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
  std::string why;  // what is wrong first, "line 17: …"; "": nothing
  ExportedTotals told;
  // What the postings of the file make: link, level, account. Of postings alone.
  std::map<std::tuple<std::string, std::string, std::string>, Int128> balances;
};

// Throws Fault if the file or its totals cannot be read.
ImportCheck check_import(const std::filesystem::path& file);
// Also against the journal. REQUIRES: the state is that of its head.
ImportCheck check_import(const std::filesystem::path& file, const Journal& journal,
                         const State& state,
                         const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
