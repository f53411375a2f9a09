// linkmeter-simulation [--quiet] [SEED [COUNT]]: simulates houses, one for each seed, and prints a
// line for each. At the first divergence it prints the seed, the step and the mistake, and exits
// with 1. SEED and COUNT default to 1. --quiet: a line for every thousand, with sums.
// linkmeter-simulation --canaries [SEEDS]: prints each planted mistake, the judge that detected it,
// and the seed (at most SEEDS); exit 1 if one was not detected, or was detected by another judge.

#include <spdlog/spdlog.h>

#include <charconv>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/canary.h"
#include "tests/simulation/simulation.h"

namespace {

using linkmeter::SimulationReport;

constexpr std::uint64_t told_every = 1'000;
constexpr std::size_t words_told_max = 150;

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string line(const SimulationReport& report) {
  return std::to_string(report.entries) + " entries in " + std::to_string(report.turns) +
         " turns, " + std::to_string(report.frames) + " frames, " +
         std::to_string(report.controller_starts) + " controller starts, " +
         std::to_string(report.rebuilds) + " rebuilds, " + std::to_string(report.copies) +
         " copies, " + std::to_string(report.days) + " days, " + std::to_string(report.closed) +
         " closed";
}

void tell_all(const SimulationReport& all, std::uint64_t seeds) {
  std::cout << seeds << " seeds: " << line(all) << ", " << all.reconciliations << " tellings, "
            << all.amounts_shown << " looks at amounts on signs\n";
  std::cout << "left open, for nobody could: " << all.unenrolled << " tables, " << all.unresumed
            << " links, " << all.unclosed << " days\n";
  for (const auto& [fact, count] : all.acts) std::cout << "  " << fact << " " << count << "\n";
}

int run(std::uint64_t first, std::uint64_t count, bool is_quiet) {
  SimulationReport all;
  for (std::uint64_t seed = first; seed - first < count; ++seed) {
    const SimulationReport report = linkmeter::simulate(seed, linkmeter::Plant::none);
    if (report.divergence) {
      std::cout << "seed " << seed << ", step " << report.steps << ": " << *report.divergence
                << std::endl;
      return 1;
    }
    all.add(report);
    if (!is_quiet) std::cout << "seed " << seed << ": " << line(report) << "\n";
    if (is_quiet && (seed - first + 1) % told_every == 0) {
      std::cout << seed - first + 1 << " seeds, from " << first << std::endl;
    }
  }
  tell_all(all, count);
  return 0;
}

int run_canaries(std::uint64_t seeds) {
  bool all_caught = true;
  for (const linkmeter::Canary& canary : linkmeter::canaries()) {
    const linkmeter::CanaryCaught caught = linkmeter::catch_canary(canary.plant, seeds);
    const bool is_right = linkmeter::is_named(canary.judge, caught.judge);
    all_caught = all_caught && is_right;
    std::cout << "| " << canary.name << " | " << canary.of << " | "
              << (caught.judge.empty() ? "NOBODY" : caught.judge)
              << (is_right ? "" : " (expected " + std::string(canary.judge) + ")") << " | "
              << caught.seed << " | " << caught.words.substr(0, words_told_max) << " |"
              << std::endl;
  }
  return all_caught ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_level(spdlog::level::off);  // every day that ends would be logged
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::string option = !words.empty() && words[0].starts_with("--") ? words[0] : "";
  if (!option.empty()) words.erase(words.begin());
  const auto first = number(words.empty() ? "1" : words[0]);
  const auto count = number(words.size() < 2 ? "1" : words[1]);
  const bool is_known = option.empty() || option == "--quiet" || option == "--canaries";
  if (!first || !count || words.size() > 2 || !is_known) {
    std::cerr << "usage: linkmeter-simulation [--quiet] [SEED [COUNT]] | --canaries [SEEDS]\n";
    return 2;
  }
  if (option == "--canaries") return run_canaries(words.empty() ? 200 : *first);
  return run(*first, *count, option == "--quiet");
}
