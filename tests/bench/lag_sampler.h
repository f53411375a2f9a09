// LagSampler: how far a standby's journal is behind the writer's, measured from outside: a thread
// reads both heads every `interval`. The lag is the age of the oldest entry that the standby does
// not have on its disk; 0: it has all. An entry's age counts from the last reading without it, so
// the lag is never too small, and too large by an interval at most.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <thread>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter::bench {

class LagSampler {
 public:
  static constexpr std::chrono::milliseconds interval{10};

  // The data folders of the two nodes. Measures from now on.
  LagSampler(std::filesystem::path writer, std::filesystem::path standby);
  LagSampler(const LagSampler&) = delete;
  LagSampler& operator=(const LagSampler&) = delete;
  ~LagSampler();

  // Ends the measurement. Sorted. Throws Fault if a journal could not be read.
  std::vector<std::chrono::nanoseconds> finish();
  // Until the standby has all; REQUIRES: finish() was called, and nothing is written any more.
  [[nodiscard]] std::chrono::nanoseconds await_standby() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Mark {
    EntryNumber head;
    Clock::time_point at;
  };

  void run();
  void sample();

  const std::filesystem::path writer_, standby_;
  std::deque<Mark> marks_;  // of the writer's head, those that the standby has not reached
  Clock::time_point read_at_ = Clock::now();
  std::vector<std::chrono::nanoseconds> lags_;
  std::exception_ptr failure_;
  std::atomic<bool> stops_ = false;
  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace linkmeter::bench
