// The commands `export` and `import`: writes the journal as files for others, and checks such
// files.
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
  bool replaces = false;
  std::vector<std::filesystem::path> files;
  bool check = false, json = false;
};

void declare_exports(CLI::App& app, ExportOptions& options, std::function<int()>& work);

// Writes to standard output, or to a file with its totals. Throws Fault.
int export_journal(const ExportOptions& options);
// Exit 1 if a file does not match its totals or the journal. Throws Fault.
int check_imports(const ExportOptions& options);

}  // namespace linkmeter::cli
