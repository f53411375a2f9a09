// linkmeter-year DIR [--days N] [--tables N] [--rounds N] [--seed N] [--faults N]: simulates a year
// of a house in the data folder DIR, closed day by day, and prints what it took. `linkmeter audit`,
// `explain`, `export` and tests/recount.py work on DIR afterwards.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <variant>

#include "controller/store/data_folder.h"
#include "controller/store/lmdb_journal.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"
#include "tests/year/year.h"
#include "tests/year/year_floor.h"

namespace linkmeter {
namespace {

struct Asked {
  std::filesystem::path data;
  std::string first = "2026-01-01";
  int tables = 100;
  YearPlan plan;
};

FloorFile floor_of(int tables) {
  const auto catalogue =
      read_catalogue_texts(std::string(LINKMETER_SOURCE_DIR) + "/config/catalogue");
  auto read = parse_floor("year.toml", year_floor_text(tables),
                          std::get<std::vector<CatalogueText>>(catalogue));
  if (const auto* violations = std::get_if<Violations>(&read)) {
    throw Fault(violations->front().text());
  }
  return std::get<FloorFile>(std::move(read));
}

// The memory of this process alone: the system decides how much of the mapped journal stays in
// memory.
std::string own_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) {
      return std::to_string(std::stol(line.substr(8)) / 1'024) + " MiB";
    }
  }
  return "unknown";
}

int live(const Asked& asked) {
  FloorFile floor = floor_of(asked.tables);
  const GamingDay first = parse_gaming_day(asked.first).value();
  const Calendar calendar(floor.timezone, floor.gaming_day_start);
  FloorOpened opened{floor.floor, floor.text, floor.catalogue_texts};
  opened.people = year_staff();
  create_data_folder(asked.data, std::move(opened), calendar.begin(first));
  const auto journal = LmdbJournal::open(journal_path(asked.data));
  YearHouse house(*journal, std::move(floor), first, asked.plan.seed, YearHouse::Opened());
  const auto began = std::chrono::steady_clock::now();
  YearTold told = live_a_year(house, asked.plan, [&](int day) {
    if (day % 30 == 0) {
      std::cerr << "day " << day << ": entry " << house.state().last_entry().value() << ", "
                << own_memory() << " of memory\n";
    }
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::sort(told.report_took.begin(), told.report_took.end());
  const auto part = [&told](double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(told.report_took.size()));
    return told.report_took[std::min(at, told.report_took.size() - 1)].count();
  };
  std::cout << "days " << asked.plan.days << ", tables " << asked.tables << ", rounds "
            << told.rounds << ", claims " << told.claims << ", entries "
            << house.state().last_entry().value() << ", " << took.count() << " s\n"
            << "a day's report: median " << part(0.5) << " us, p99 " << part(0.99)
            << " us, longest " << told.report_took.back().count() << " us\n";
  for (const auto& [kind, count] : told.planted) {
    std::cout << "found " << count << " x " << kind << '\n';
  }
  for (const std::string& wrong : told.wrong) std::cout << "WRONG " << wrong << '\n';
  return told.wrong.empty() ? 0 : 1;
}

}  // namespace
}  // namespace linkmeter

int main(int count, char** arguments) {
  linkmeter::Asked asked;
  CLI::App app("Lives a year of a house into a data folder", "linkmeter-year");
  app.add_option("data", asked.data, "the data folder to make")->required();
  app.add_option("--first", asked.first, "the first gaming day");
  constexpr int most = std::numeric_limits<int>::max();
  app.add_option("--days", asked.plan.days, "gaming days")->transform(linkmeter::a_number(1, most));
  app.add_option("--tables", asked.tables, "tables, a multiple of 10")
      ->transform(linkmeter::a_number(1, most));
  app.add_option("--rounds", asked.plan.rounds_per_table, "rounds of a table and day")
      ->transform(linkmeter::a_number(1, most));
  app.add_option("--seed", asked.plan.seed, "of the dealing and the faults")
      ->transform(linkmeter::a_number(0));
  app.add_option("--faults", asked.plan.faults_of_a_kind, "planted of each kind")
      ->transform(linkmeter::a_number(0, most));
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return linkmeter::live(asked);
  } catch (const std::exception& error) {
    std::cerr << "linkmeter-year: " << error.what() << '\n';
    return 1;
  }
}
