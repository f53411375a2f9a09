// linkmeter-simulation [SEED [COUNT]]: one line per seed; at the first divergence the seed and
// what it was, and exit 1. Without SEED: 1; without COUNT: 1.

#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/simulation.h"

namespace {

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto first = number(words.empty() ? "1" : words[0]);
  const auto count = number(words.size() < 2 ? "1" : words[1]);
  if (!first || !count || words.size() > 2) {
    std::cerr << "usage: linkmeter-simulation [SEED [COUNT]]\n";
    return 2;
  }
  for (std::uint64_t seed = *first; seed - *first < *count; ++seed) {
    const auto report = linkmeter::simulate(seed, linkmeter::Plant::none);
    if (report.divergence) {
      std::cout << "seed " << seed << ": " << *report.divergence << "\n";
      return 1;
    }
    std::cout << "seed " << seed << ": " << report.entries << " entries in " << report.turns
              << " turns, " << report.frames << " frames, " << report.controller_starts
              << " controller starts\n";
  }
  return 0;
}
