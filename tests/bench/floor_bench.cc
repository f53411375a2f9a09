// linkmeter-bench: the whole system under load. Eight tables on one link over TCP loopback, a real
// controller process with its journal on disk. It prints the figures and the machine; then it
// proves that every wager was counted: meters equal to 10^-8 dollar, and a clean audit. With
// --engine ceiling the same load runs against linkmeter-ceiling.
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "meters/values/amount.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"
#include "tests/bench/audience.h"
#include "tests/bench/bench_floor.h"
#include "tests/bench/crowd.h"
#include "tests/bench/load.h"
#include "tests/support/real_floor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::bench {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

struct Options {
  Workload workload;
  std::string shape = "lock-close";
  std::string crowd = "none";
  std::size_t signs = 0;
  unsigned pace_ms = 0;
  std::string engine = "linkmeter";
  bool reads_books = false;
  bool is_json = false;
  std::filesystem::path programs = LINKMETER_PROGRAMS;

  [[nodiscard]] bool is_ceiling() const { return engine == "ceiling"; }
  [[nodiscard]] std::uint64_t wagers() const { return workload.rounds * workload.seats; }
};

// Crazy 4 five-card, paytable C, unit $5: the figures that the chapter fixes.
struct Level {
  const char* name;
  std::int64_t seed_dollars;
  std::int64_t rate_ppm;
};
constexpr Level levels[] = {
    {"mega", 50'000, 90'000}, {"major", 5'000, 70'000}, {"minor", 1'250, 30'000}};
constexpr std::string_view won_level = "minor";  // by four of a kind

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

void print_machine(const Options& options) {
  utsname system{};
  ::uname(&system);
  const Workload& workload = options.workload;
  std::printf("machine    %s, %u processors, %s %s\n", processor().c_str(),
              std::thread::hardware_concurrency(), system.sysname, system.release);
  std::printf(
      "workload   %s: %zu rounds (%s) of %zu wagers, %zu tables on one link with three meters, "
      "window %zu,\n           TCP loopback, load and controller on the same machine\n",
      options.engine.c_str(), workload.rounds, options.shape.c_str(), workload.seats,
      workload.tables, workload.window);
}

double milliseconds(std::chrono::nanoseconds time) {
  return duration<double, std::milli>(time).count();
}

using Latencies = std::vector<std::chrono::nanoseconds>;

// They are sorted.
double at(const Latencies& all, std::size_t per_mille) {
  return milliseconds(all.at((all.size() - 1) * per_mille / 1'000));
}
double at(const Played& played, std::size_t per_mille) { return at(played.latencies, per_mille); }

void print_played(const Options& options, const Played& played) {
  const double seconds = duration<double>(played.elapsed).count();
  const auto messages = static_cast<double>(played.latencies.size());
  std::printf("durable    %.0f wagers/s, %.0f rounds/s, %.0f messages/s (%.2f s)\n",
              static_cast<double>(options.wagers()) / seconds,
              static_cast<double>(options.workload.rounds) / seconds, messages / seconds, seconds);
  std::printf(
      "answered   p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.2f ms; %.1f messages a "
      "frame\n",
      at(played, 500), at(played, 990), at(played, 999), at(played, 1'000),
      messages / static_cast<double>(played.frames));
  if (!played.wins.empty()) {
    std::printf("wins       %zu that raised a claim: p50 %.2f ms, p99 %.2f ms, longest %.2f ms\n",
                played.wins.size(), at(played.wins, 500), at(played.wins, 990),
                at(played.wins, 1'000));
  }
}

// For programs: one line of JSON.
void print_json(const Options& options, const Played& played, nlohmann::json figures) {
  const double seconds = duration<double>(played.elapsed).count();
  figures["engine"] = options.engine;
  figures["wagers_per_s"] = static_cast<double>(options.wagers()) / seconds;
  figures["messages_per_s"] = static_cast<double>(played.latencies.size()) / seconds;
  figures["p50_ms"] = at(played, 500);
  figures["p99_ms"] = at(played, 990);
  figures["p999_ms"] = at(played, 999);
  figures["longest_ms"] = at(played, 1'000);
  if (!played.wins.empty()) {
    figures["wins"] = played.wins.size();
    figures["win_p50_ms"] = at(played.wins, 500);
    figures["win_p99_ms"] = at(played.wins, 990);
  }
  std::printf("%s\n", figures.dump().c_str());
}

nlohmann::json ask(const Options& options, const std::filesystem::path& data, const char* command) {
  const ProgramEnd end =
      run_program(options.programs / "linkmeter", {command, "--data", data.string(), "--json"});
  if (end.code != 0) throw Fault(std::string("linkmeter ") + command + " failed");
  return nlohmann::json::parse(end.output);
}

void require(bool holds, const std::string& what) {
  if (!holds) throw Fault("WRONG: " + what);
}

// What the meters must be, from the rates alone (M1).
void verify(const Options& options, const std::filesystem::path& data, std::size_t won,
            nlohmann::json& figures) {
  const Workload& workload = options.workload;
  const auto meters = ask(options, data, "meters");
  const auto& link = meters.at("links").at(0);
  const auto wagers = static_cast<std::int64_t>(workload.rounds * workload.seats);
  for (std::size_t at = 0; at < std::size(levels); ++at) {
    const Level& level = levels[at];
    const Amount expected = Amount::dollars(level.seed_dollars) +
                            Amount::from_units(500 * level.rate_ppm).times(wagers);
    const auto& told = link.at("levels").at(at);
    if (won > 0 && level.name == won_level) {
      require(told.at("hits") == won, "the hits of " + std::string(level.name));
      continue;
    }
    require(told.at("level") == level.name && told.at("amount") == text_exact(expected),
            std::string(level.name) + " is " + told.at("amount").get<std::string>() + ", not " +
                text_exact(expected));
  }
  for (std::size_t at = 0; at < workload.tables; ++at) {
    const auto& table = link.at("tables").at(at);
    const std::size_t rounds = workload.rounds_of(at);
    require(table.at("rounds") == rounds && table.at("wagers") == rounds * workload.seats,
            "the counts of table " + table_name(at));
  }
  const steady_clock::time_point begin = steady_clock::now();
  const auto audit = ask(options, data, "audit");
  const double audit_s = duration<double>(steady_clock::now() - begin).count();
  constexpr std::size_t starts = 2;  // each has journaled its self-check
  const std::size_t entries = 1 + starts + workload.rounds * workload.messages_per_round();
  require(audit.at("clean") == true && audit.at("entries") == entries, "the audit");
  figures["audit_entries_per_s"] = static_cast<double>(entries) / audit_s;
  if (!options.is_json) {
    std::printf(
        "verified   meters exact to 10^-8 dollar, %zu entries, audit clean (in %.2f s, %.0f "
        "entries/s)\n",
        entries, audit_s, static_cast<double>(entries) / audit_s);
  }
}

// The ceiling's meters start at zero, and it keeps nothing else.
void verify_ceiling(const Options& options, const std::filesystem::path& data) {
  const ProgramEnd end =
      run_program(options.programs / "linkmeter-ceiling", {"--data", data.string(), "--show"});
  require(end.code == 0, "the ceiling's store");
  const auto told = nlohmann::json::parse(end.output);
  for (std::size_t at = 0; at < std::size(levels); ++at) {
    const auto expected = 500 * levels[at].rate_ppm * static_cast<std::int64_t>(options.wagers());
    require(told.at("meters").at(at) == expected, std::string("the ceiling's ") + levels[at].name);
  }
  const std::size_t entries = options.workload.rounds * options.workload.messages_per_round();
  require(told.at("entries") == entries && told.at("wagers") == options.wagers(),
          "the ceiling's counts");
  if (!options.is_json) std::printf("verified   meters exact, %zu entries\n", entries);
}

// "" without pages.
std::string pages_of(const std::filesystem::path& data) {
  std::ifstream file(data / "endpoints");
  std::string line;
  for (int at = 0; at < 3; ++at) {
    if (!std::getline(file, line)) return "";
  }
  return line;
}

Crowd::Kind kind_of(const std::string& crowd) {
  if (crowd == "half-open") return Crowd::Kind::half_open;
  return crowd == "large-frames" ? Crowd::Kind::large_frames : Crowd::Kind::none;
}

// The files of one run.
struct Places {
  std::filesystem::path program, floor, data, log;

  [[nodiscard]] double journal_bytes(const Options& options) const {
    const auto file = data / (options.is_ceiling() ? "ceiling" : "journal") / "data.mdb";
    return std::filesystem::exists(file) ? static_cast<double>(std::filesystem::file_size(file))
                                         : 0.0;
  }
};

// Accounting queries on the same journal.
void read_books(const Options& options, const Places& places, nlohmann::json& figures) {
  const auto timed = [&](const char* what, std::vector<std::string> words) {
    words.insert(words.end(), {"--data", places.data.string()});
    const steady_clock::time_point begin = steady_clock::now();
    require(run_program(options.programs / "linkmeter", words).code == 0, words.front());
    figures[what] = duration<double>(steady_clock::now() - begin).count();
  };
  const auto file = (places.data / "postings.csv").string();
  timed("export_s", {"export", "--format", "postings", "--out", file});
  timed("explain_s", {"explain", "--link", "C4", "--level", "mega", "--json"});
  if (options.is_json) return;
  std::printf(
      "books      export of the postings in %.2f s (%.1f MB), explain of a meter in %.2f s\n",
      figures["export_s"].get<double>(),
      static_cast<double>(std::filesystem::file_size(file)) / 1e6,
      figures["explain_s"].get<double>());
}

void print_company(const Options& options, const Audience& audience, const Crowd& crowd) {
  if (options.signs > 0) {
    std::printf("signs      %zu, %llu events, %.1f MB read by them\n", options.signs,
                static_cast<unsigned long long>(audience.events()),
                static_cast<double>(audience.bytes()) / 1e6);
  }
  if (options.crowd != "none") {
    std::printf("crowd      %s: %llu connections, %.1f MB taken from them\n", options.crowd.c_str(),
                static_cast<unsigned long long>(crowd.connections()),
                static_cast<double>(crowd.bytes()) / 1e6);
  }
}

Played measure(const Options& options, const Places& places, nlohmann::json& figures) {
  const std::string web = options.signs == 0 ? "none" : "http://127.0.0.1:0";
  RunningController first({places.program, places.floor, places.data, places.log, {}, web});
  const Audience audience(options.signs == 0 ? "" : pages_of(places.data), "C4", options.signs);
  const Crowd crowd(first.endpoint(), kind_of(options.crowd));
  const double bytes_before = places.journal_bytes(options);
  const double processor_before = first.processor_seconds();
  Played played = play(first.endpoint(), places.data, options.workload);
  const double busy = first.processor_seconds() - processor_before;
  const double share = 100 * busy / duration<double>(played.elapsed).count();
  const double peak_mb = static_cast<double>(first.memory_peak_bytes()) / 1e6;
  require(audience.lost() == 0, "a sign lost its stream");
  first.kill();
  const double bytes =
      (places.journal_bytes(options) - bytes_before) / static_cast<double>(options.wagers());
  figures["processor_percent"] = share;
  figures["memory_mb"] = peak_mb;
  figures["bytes_per_wager"] = bytes;
  if (options.is_json) return played;
  print_played(options, played);
  std::printf("processor  %.2f s of the controller, %.1f %% of one\n", busy, share);
  print_company(options, audience, crowd);
  std::printf("memory     %.1f MB at most (VmHWM, with the mapped pages of the journal)\n",
              peak_mb);
  std::printf("journal    %.0f bytes a wager (%.1f MB)\n", bytes,
              places.journal_bytes(options) / 1e6);
  return played;
}

int run(const Options& options) {
  const ScopedDirectory directory;
  const auto program = options.is_ceiling() ? "linkmeter-ceiling" : "linkmeter-controller";
  const Places places{options.programs / program, directory.path() / "floor.toml",
                      directory.path() / "data", directory.path() / "log"};
  std::ofstream(places.floor) << floor_text(options.workload.tables);
  const ProgramEnd init =
      run_program(options.programs / "linkmeter",
                  {"init", "--floor", places.floor.string(), "--data", places.data.string()});
  require(init.code == 0, "init");
  if (!options.is_json) print_machine(options);
  nlohmann::json figures;
  const Played played = measure(options, places, figures);
  if (options.is_ceiling()) {
    verify_ceiling(options, places.data);
  } else {
    const steady_clock::time_point begin = steady_clock::now();
    RunningController second({places.program, places.floor, places.data, places.log, {}});
    figures["restart_ms"] = milliseconds(steady_clock::now() - begin);
    second.kill();
    if (!options.is_json) {
      std::printf("restart    %.0f ms from the start of the process to ready, after kill -9\n",
                  figures["restart_ms"].get<double>());
    }
    verify(options, places.data, played.wins.size(), figures);
    if (options.reads_books) read_books(options, places, figures);
  }
  if (options.is_json) print_json(options, played, std::move(figures));
  return 0;
}

}  // namespace
}  // namespace linkmeter::bench

int main(int count, char** arguments) {
  using namespace linkmeter::bench;
  Options options;
  Workload& workload = options.workload;
  CLI::App app("Linkmeter benchmark: a real controller under load, and the proof that it counted",
               "linkmeter-bench");
  app.add_option("--rounds", workload.rounds, "Rounds of all tables together")
      ->transform(linkmeter::a_number(1, 1'000'000'000));
  app.add_option("--wagers", workload.seats, "Wagers of a round")
      ->transform(linkmeter::a_number(1, 6));
  app.add_option("--tables", workload.tables, "Tables on the link")
      ->transform(linkmeter::a_number(1, 1'000));
  app.add_option("--window", workload.window, "Unanswered messages of a table")
      ->transform(linkmeter::a_number(1, 1'024));
  app.add_option("--shape", options.shape, "What a round says")
      ->check(CLI::IsMember({"lock-close", "lock-show-close"}));
  app.add_option("--crowd", options.crowd, "Strangers at the door meanwhile")
      ->check(CLI::IsMember({"none", "half-open", "large-frames"}));
  app.add_option("--signs", options.signs, "Signs open meanwhile")
      ->transform(linkmeter::a_number(0, 600));
  app.add_option("--wins-every", workload.wins_every,
                 "Every so manieth round of a table raises a claim, where hands are shown")
      ->transform(linkmeter::a_number(0, 1'000'000'000));
  app.add_option("--pace", options.pace_ms, "Milliseconds from one round of a table to its next")
      ->transform(linkmeter::a_number(0, 60'000));
  app.add_option("--engine", options.engine, "What answers the tables")
      ->check(CLI::IsMember({"linkmeter", "ceiling"}));
  app.add_flag("--books", options.reads_books,
               "Export and explain the journal afterwards, as accounting does");
  app.add_flag("--json", options.is_json, "Print the figures as one line of JSON");
  app.add_option("--programs", options.programs, "The folder with the programs");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  workload.pace = std::chrono::milliseconds(options.pace_ms);
  if (options.shape == "lock-show-close") workload.shape = Shape::lock_show_close;
  try {
    return run(options);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "linkmeter-bench: %s\n", fault.what());
    return 1;
  }
}
