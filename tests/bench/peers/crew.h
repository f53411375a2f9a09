// Crew: clients of one engine, each with a thread, that submit wagers one batch after another. The
// engine commits and acknowledges a batch at once. Also the wager that all of them submit.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace linkmeter::bench {

// The same wager as in Linkmeter's own load: three meters, parts per million of five dollars. A
// cent times a part per million is one unit of 10^-8 dollar.
inline constexpr std::int64_t wager_cents = 500;
inline constexpr std::array<std::int64_t, 3> rates_ppm{90'000, 70'000, 30'000};
inline constexpr const char* wager_kind = "crazy-4/five-card";

struct PeerWager {
  int table = 0;
  std::int64_t number = 0;
  int seat = 0;
  std::string round;
};

// One client's wagers, six in a round.
class WagerSource {
 public:
  explicit WagerSource(std::size_t client) : table_(static_cast<int>(client)) {}
  PeerWager next() {
    const std::int64_t number = ++last_;
    return {table_, number, static_cast<int>(number % 6) + 1, "r" + std::to_string(number / 6)};
  }

 private:
  int table_;
  std::int64_t last_ = 0;
};

struct CrewTask {
  std::size_t clients = 1;
  std::size_t per_piece = 1;  // wagers
  std::chrono::milliseconds duration{1'000};
};

class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // Submits one batch; returns when it is durable.
  virtual void hand_in() = 0;
};

struct CrewDone {
  std::uint64_t wagers = 0;
  double seconds = 0;
  std::vector<std::chrono::nanoseconds> latencies;  // of every batch, sorted

  [[nodiscard]] nlohmann::json json(const std::string& engine, const CrewTask& task) const;
};

// `hire` makes the client with a number, in that client's thread. All clients begin together. An
// exception in one of them is rethrown here after all have ended.
CrewDone run_crew(const CrewTask& task,
                  const std::function<std::unique_ptr<Client>(std::size_t)>& hire);

// Throws unless the meter contains exactly this many wagers.
void require_meter(std::int64_t units, std::size_t level, std::uint64_t wagers);

// Each function measures one task on an engine with an empty journal, and proves the count.
// `place`: PostgreSQL's socket folder; SQLite's file; Redis' socket. `is_keyed`: the journal has a
// key of table and number, so a repeat is not counted again.
CrewDone run_postgres(const std::string& place, const CrewTask& task, bool is_keyed);
CrewDone run_sqlite(const std::string& place, const CrewTask& task);
// `is_pipelined`: a batch is many calls sent together; otherwise one call of a script with all
// wagers.
CrewDone run_redis(const std::string& place, const CrewTask& task, bool is_pipelined);

}  // namespace linkmeter::bench
