// linkmeter-cluster-bench: measures a cluster that runs: its tables' load with the standby's lag, a
// takeover, and bare etcd with the bytes of a journal. Prints one line of JSON.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "proto/host/command_line.h"
#include "proto/host/fault.h"
#include "tests/bench/bare_etcd.h"
#include "tests/bench/bench_floor.h"
#include "tests/bench/lag_sampler.h"
#include "tests/bench/load.h"
#include "tests/bench/takeover_load.h"

namespace linkmeter::bench {
namespace {

using std::chrono::duration;

double to_ms(std::chrono::nanoseconds time) { return duration<double, std::milli>(time).count(); }

// `times` are sorted.
double at(const std::vector<std::chrono::nanoseconds>& times, std::size_t per_mille) {
  return to_ms(times.at((times.size() - 1) * per_mille / 1'000));
}

nlohmann::json percentiles(const std::vector<std::chrono::nanoseconds>& times) {
  return {{"p50_ms", at(times, 500)}, {"p99_ms", at(times, 990)}, {"p999_ms", at(times, 999)}};
}

nlohmann::json measure_load(const std::string& endpoint, const std::filesystem::path& data,
                            const std::filesystem::path& standby, const Workload& workload) {
  std::optional<LagSampler> sampler;
  if (!standby.empty()) sampler.emplace(data, standby);
  const Played played = play(endpoint, data, workload);
  nlohmann::json figures = percentiles(played.latencies);
  const double seconds = duration<double>(played.elapsed).count();
  figures["wagers_per_s"] = static_cast<double>(workload.rounds * workload.seats) / seconds;
  if (sampler) {
    const auto lags = sampler->finish();
    figures["lag_p50_ms"] = at(lags, 500);
    figures["lag_p99_ms"] = at(lags, 990);
    figures["lag_longest_ms"] = at(lags, 1'000);
    figures["followed_ms"] = to_ms(sampler->await_standby());
  }
  return figures;
}

// Kills the process, or else runs the command; the child outlives this call.
void begin(pid_t killed, const std::vector<std::string>& command) {
  if (killed != 0) {
    if (::kill(killed, SIGKILL) != 0) throw Fault("the writer cannot be killed");
    return;
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw Fault("no process");
  if (child == 0) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);  // this program prints the figures alone
    ::execv(words.front(), words.data());
    ::_exit(127);
  }
}

nlohmann::json measure_takeover(Takeover takeover, pid_t killed,
                                const std::vector<std::string>& command) {
  takeover.event = [&] { begin(killed, command); };
  const TakenOver seen = play(takeover);
  int status = 0;
  if (killed == 0 && (::wait(&status) < 0 || status != 0)) throw Fault("the command failed");
  return {
      {"first_ms", to_ms(seen.first)}, {"gap_ms", to_ms(seen.gap)}, {"messages", seen.messages}};
}

struct Options {
  std::string endpoint;
  std::filesystem::path data, standby;
  std::vector<std::string> etcd;
  std::size_t count = 2'000;
  Workload workload;
  Takeover takeover;
  pid_t killed = 0;
  std::vector<std::string> command;
};

void add_node(CLI::App& app, Options& options) {
  app.add_option("--endpoint", options.endpoint, "Where the writer serves tables")->required();
  app.add_option("--data", options.data, "Its data folder")->required();
}

void add_load(CLI::App& app, Options& options) {
  add_node(app, options);
  app.add_option("--standby", options.standby, "The data folder of a standby: measures its lag");
  app.add_option("--rounds", options.workload.rounds, "Rounds of all tables together")
      ->transform(a_number(1, 1'000'000'000));
  app.add_option("--wagers", options.workload.seats, "Wagers of a round")
      ->transform(a_number(1, 6));
  app.add_option("--tables", options.workload.tables, "Tables on the link")
      ->transform(a_number(1, 1'000));
  app.add_option("--window", options.workload.window, "Unanswered messages of a table")
      ->transform(a_number(1, 1'024));
}

int run(int count, char** arguments) {
  Options options;
  CLI::App app("Linkmeter benchmark: a cluster that runs", "linkmeter-cluster-bench");
  app.require_subcommand(1);
  CLI::App& floor = *app.add_subcommand("floor", "Print the floor file");
  floor.add_option("--tables", options.workload.tables, "Tables on the link")
      ->transform(a_number(1, 1'000));
  CLI::App& load = *app.add_subcommand("load", "Play as fast as the writer answers");
  add_load(load, options);
  CLI::App& etcd = *app.add_subcommand("etcd", "Write a journal's last entries to etcd alone");
  etcd.add_option("--etcd", options.etcd, "Its endpoints")->delimiter(',')->required();
  etcd.add_option("--data", options.data, "The data folder with the journal")->required();
  etcd.add_option("--count", options.count, "Entries")->transform(a_number(1, 1'000'000));
  CLI::App& takeover = *app.add_subcommand("takeover", "Play while another node takes over");
  add_node(takeover, options);
  takeover.add_option("--tables", options.takeover.tables, "Tables that play")
      ->transform(a_number(1, 1'000));
  takeover.add_option("--to", options.takeover.other, "The node that takes over")->required();
  takeover.add_option("--kill", options.killed, "Kill this process, the writer");
  takeover.add_option("command", options.command, "Or run this, after --");
  CLI11_PARSE(app, count, arguments);
  if (floor.parsed()) {
    std::fputs(floor_text(options.workload.tables).c_str(), stdout);
    return 0;
  }
  nlohmann::json figures;
  if (load.parsed()) {
    figures = measure_load(options.endpoint, options.data, options.standby, options.workload);
  } else if (etcd.parsed()) {
    figures = percentiles(write_to_etcd(options.etcd, options.data, options.count));
  } else {
    options.takeover.endpoint = options.endpoint;
    options.takeover.data = options.data;
    figures = measure_takeover(options.takeover, options.killed, options.command);
  }
  std::printf("%s\n", figures.dump().c_str());
  return 0;
}

}  // namespace
}  // namespace linkmeter::bench

int main(int count, char** arguments) {
  try {
    return linkmeter::bench::run(count, arguments);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "linkmeter-cluster-bench: %s\n", fault.what());
    return 1;
  }
}
