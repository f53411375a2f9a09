// linkmeter-peers: one task on one other engine, measured like linkmeter-bench; prints one line of
// JSON. The engine already runs (tests/bench/run starts it); its journal is emptied first.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "proto/host/command_line.h"
#include "tests/bench/peers/crew.h"

int main(int count, char** arguments) {
  using namespace linkmeter::bench;
  std::string engine, place;
  CrewTask task;
  unsigned milliseconds = 1'000;
  bool is_keyed = false, is_pipelined = false;
  CLI::App app("Durable wagers of other engines", "linkmeter-peers");
  app.add_option("--engine", engine, "Which")
      ->required()
      ->check(CLI::IsMember({"postgres", "sqlite", "redis"}));
  app.add_option("--place", place, "PostgreSQL's socket folder, SQLite's file, Redis' socket")
      ->required();
  app.add_option("--clients", task.clients, "At the same time")
      ->transform(linkmeter::a_number(1, 256));
  app.add_option("--per-commit", task.per_piece, "Wagers handed in, and acknowledged, together")
      ->transform(linkmeter::a_number(1, 10'000));
  app.add_option("--milliseconds", milliseconds, "How long")
      ->transform(linkmeter::a_number(1, 86'400'000));
  app.add_flag("--keyed", is_keyed, "PostgreSQL, batches: a repeat is not counted again");
  app.add_flag("--pipelined", is_pipelined, "Redis: a call for each wager, sent together");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  task.duration = std::chrono::milliseconds(milliseconds);
  try {
    CrewDone done;
    if (is_keyed && task.per_piece == 1) throw std::runtime_error("--keyed is of batches");
    if (engine == "postgres") done = run_postgres(place, task, is_keyed);
    if (engine == "sqlite") done = run_sqlite(place, task);
    if (engine == "redis") done = run_redis(place, task, is_pipelined);
    std::printf("%s\n", done.json(engine, task).dump().c_str());
    return 0;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "linkmeter-peers: %s\n", fault.what());
    return 1;
  }
}
