// Ledger: a *.ledger file: what was asked of the core and, word for word, what came of it.
//
//   # Prose: why the amounts below are what they are.
//
//   C4-01 1 {"event":"close","round":"r1"}
//   ----
//   #2 message_refused C4-01:1 round_unknown
//
// A block is a command (one line or several), the line "----", and the outcome up to a blank line.
// Lines that begin with # between blocks are prose; inside a command they belong to the command.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace linkmeter {

struct LedgerBlock {
  std::string before;  // prose and blank lines, as they stand
  int line = 0;        // of the command
  std::string command;
  std::string outcome;
};

struct Ledger {
  std::vector<LedgerBlock> blocks;
  std::string after;  // what follows the last block

  // Throws std::runtime_error if a command has no outcome.
  static Ledger parse(const std::string& text);
  // The file again, byte for byte if the outcomes are those that were read.
  [[nodiscard]] std::string text() const;
};

// Throw std::runtime_error if it cannot be done.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace linkmeter
