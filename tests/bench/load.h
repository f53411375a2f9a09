// Load: tables that play rounds as fast as a controller, or the ceiling, answers, or at a pace.
// They use bare sockets without an outbox, each with a window of unanswered messages. A message's
// time runs from its send to its acknowledgement. An acknowledgement is sent after the commit, so
// everything that is counted here is on disk.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace linkmeter::bench {

enum class Shape { lock_close, lock_show_close };

struct Workload {
  std::size_t rounds = 100'000;  // of all tables together
  std::size_t seats = 6;         // wagers of a round
  std::size_t tables = 8;
  std::size_t window = 64;  // messages of a table that may be unanswered
  Shape shape = Shape::lock_close;
  std::chrono::milliseconds pace{0};  // from one round of a table to its next; 0: no pause
  // Every `wins_every`-th round of a table shows four of a kind at seat 1, which raises a claim; 0:
  // none. Only with hands shown.
  std::size_t wins_every = 0;

  [[nodiscard]] std::size_t messages_per_round() const {
    return shape == Shape::lock_close ? 2 : 3;
  }
  [[nodiscard]] bool is_won(std::size_t round_of_table) const {
    return shape == Shape::lock_show_close && wins_every > 0 &&
           (round_of_table + 1) % wins_every == 0;
  }
  // The rounds of a table; the first tables play the remainder.
  [[nodiscard]] std::size_t rounds_of(std::size_t table) const {
    return rounds / tables + (table < rounds % tables ? 1 : 0);
  }
};

struct Played {
  std::chrono::nanoseconds elapsed{};  // from the first send to the last acknowledgement
  std::vector<std::chrono::nanoseconds> latencies;  // of every message, sorted
  std::vector<std::chrono::nanoseconds> wins;       // of messages that raised a claim, sorted
  std::size_t frames = 0;                           // a frame contains several acknowledgements
};

// The tables' keys are those of the controller's data folder. Throws Fault if a message is refused
// or not answered.
Played play(const std::string& endpoint, const std::filesystem::path& data,
            const Workload& workload);

}  // namespace linkmeter::bench
