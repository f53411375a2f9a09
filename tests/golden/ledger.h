// Ledger: a *.ledger file: commands to the core and, word for word, their outcomes.
//
//   # Prose: why the amounts below are what they are.
//
//   C4-01 1 {"event":"close","round":"r1"}
//   ----
//   #2 message_refused C4-01:1 round_unknown
//
// A block is a command (one or more lines), the line "----", and the outcome up to a blank line.
// Lines that begin with # between blocks are prose; inside a command they belong to the command.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace linkmeter {

struct LedgerBlock {
  std::string before;  // prose and blank lines, unchanged
  int line = 0;        // of the command
  std::string command;
  std::string outcome;
};

struct Ledger {
  std::vector<LedgerBlock> blocks;
  std::string after;  // the text after the last block

  // Throws std::runtime_error if a command has no outcome.
  static Ledger parse(const std::string& text);
  // The file's text; byte for byte the same if the outcomes are unchanged.
  [[nodiscard]] std::string text() const;
};

// Both throw std::runtime_error if they fail.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace linkmeter
