#include "tests/bench/peers/crew.h"

#include <algorithm>
#include <barrier>
#include <exception>
#include <stdexcept>
#include <thread>

namespace linkmeter::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Hired {
  std::vector<std::chrono::nanoseconds> latencies;
  Clock::time_point begin, end;
  std::exception_ptr fault;
};

double milliseconds_of(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void work(Hired& own, const CrewTask& task, std::barrier<>& together,
          const std::function<std::unique_ptr<Client>()>& hire) {
  std::unique_ptr<Client> client;
  try {
    client = hire();
  } catch (...) {
    own.fault = std::current_exception();
  }
  together.arrive_and_wait();
  if (own.fault) return;
  own.begin = own.end = Clock::now();
  try {
    while (own.end - own.begin < task.duration) {
      client->hand_in();
      const auto now = Clock::now();
      own.latencies.push_back(now - own.end);
      own.end = now;
    }
  } catch (...) {
    own.fault = std::current_exception();
  }
}

}  // namespace

CrewDone run_crew(const CrewTask& task,
                  const std::function<std::unique_ptr<Client>(std::size_t)>& hire) {
  std::vector<Hired> all(task.clients);
  std::barrier together(static_cast<std::ptrdiff_t>(task.clients));
  std::vector<std::thread> threads;
  for (std::size_t at = 0; at < task.clients; ++at) {
    threads.emplace_back([&, at] { work(all[at], task, together, [&] { return hire(at); }); });
  }
  for (std::thread& one : threads) one.join();
  CrewDone done;
  Clock::time_point begin = Clock::time_point::max(), end = Clock::time_point::min();
  for (const Hired& one : all) {
    if (one.fault) std::rethrow_exception(one.fault);
    begin = std::min(begin, one.begin);
    end = std::max(end, one.end);
    done.latencies.insert(done.latencies.end(), one.latencies.begin(), one.latencies.end());
  }
  done.seconds = std::chrono::duration<double>(end - begin).count();
  done.wagers = done.latencies.size() * task.per_piece;
  std::sort(done.latencies.begin(), done.latencies.end());
  return done;
}

nlohmann::json CrewDone::json(const std::string& engine, const CrewTask& task) const {
  const auto at = [this](std::size_t per_mille) {
    return milliseconds_of(latencies.at((latencies.size() - 1) * per_mille / 1'000));
  };
  return {{"engine", engine},
          {"clients", task.clients},
          {"per_commit", task.per_piece},
          {"wagers_per_s", static_cast<double>(wagers) / seconds},
          {"p50_ms", at(500)},
          {"p99_ms", at(990)},
          {"p999_ms", at(999)},
          {"longest_ms", at(1'000)}};
}

void require_meter(std::int64_t units, std::size_t level, std::uint64_t wagers) {
  const std::int64_t expected =
      wager_cents * rates_ppm.at(level) * static_cast<std::int64_t>(wagers);
  if (units != expected) {
    throw std::runtime_error("WRONG: meter " + std::to_string(level) + " is " +
                             std::to_string(units) + ", not " + std::to_string(expected));
  }
}

}  // namespace linkmeter::bench
