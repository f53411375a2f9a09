#include "tests/golden/ledger.h"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace linkmeter {
namespace {

constexpr const char* rule = "----";

}  // namespace

Ledger Ledger::parse(const std::string& text) {
  Ledger ledger;
  std::istringstream lines(text);
  std::string line;
  std::string prose;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    if (line.empty() || line.front() == '#') {
      prose += line + "\n";
      continue;
    }
    LedgerBlock block{std::exchange(prose, ""), number, "", ""};
    for (; line != rule; ++number) {
      block.command += line + "\n";
      if (!std::getline(lines, line)) {
        throw std::runtime_error("line " + std::to_string(block.line) + ": no outcome follows");
      }
    }
    while (std::getline(lines, line)) {
      ++number;
      if (line.empty()) {
        prose = "\n";
        break;
      }
      block.outcome += line + "\n";
    }
    ledger.blocks.push_back(std::move(block));
  }
  ledger.after = prose;
  return ledger;
}

std::string Ledger::text() const {
  std::string all;
  for (const LedgerBlock& block : blocks) {
    all += block.before + block.command + rule + "\n" + block.outcome;
  }
  return all + after;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return bytes.str();
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error(path.string() + " cannot be written");
}

}  // namespace linkmeter
