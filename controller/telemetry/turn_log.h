// TurnLog: what a turn did, for the people who run the controller, on standard error: one line for
// every win, every round that a wrong chip count blocks, every act of a person, and every refused
// message with its source. Refusals are limited to a few lines a second, so that a flood of bad
// messages cannot fill a disk; how many were not shown is said later. PINs never come here.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "meters/state/state.h"

namespace linkmeter {

// Text from outside made fit for a log: at most 64 bytes, anything but plain printing ASCII as
// \xNN.
std::string printable(const std::string& text);

class TurnLog {
 public:
  static constexpr std::uint64_t refusals_per_second_max = 20;

  void note(const Controller::Turn& turn, const State& state, std::chrono::microseconds uptime);
  // Tables that came or went.
  static void note(const std::vector<Presence::Change>& changes, const Floor& floor);
  // Refusals since the last line that said how many were not shown.
  [[nodiscard]] std::uint64_t hidden_count() const { return hidden_count_; }

 private:
  void note(const Controller::Refused& refused, std::chrono::microseconds uptime);

  std::chrono::seconds second_{-1};
  std::uint64_t shown_in_second_ = 0;
  std::uint64_t hidden_count_ = 0;
};

// Makes the log of this process, on standard error.
void begin_log();

}  // namespace linkmeter
