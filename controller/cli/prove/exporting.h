// Exporting: the journal as files for others, and such files read back.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace linkmeter::cli {

struct ExportOptions {
  std::filesystem::path data, out;
  std::string format = "entries";
  std::string day, link;
  std::uint64_t from = 0, to = 0;
  bool is_anew = false;
  std::vector<std::filesystem::path> files;
  bool check = false, json = false;
};

// The commands "export" and "import".
void declare_exports(CLI::App& app, ExportOptions& options, std::function<int()>& work);

// Writes what is asked for to standard output, or to a file with its totals. Throws Fault.
int export_journal(const ExportOptions& options);
// Exit 1 if a file is not what its totals, or the journal, say. Throws Fault.
int check_imports(const ExportOptions& options);

}  // namespace linkmeter::cli
