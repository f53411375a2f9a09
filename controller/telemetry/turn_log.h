// TurnLog: logs the results of turns to standard error: one line for every win, every round blocked
// by a wrong chip count, every command of a person, and every rejected message with its source.
// Rejections are limited to a few lines a second, so that a flood of bad messages cannot fill a
// disk; the number of suppressed lines is logged later. PINs never come here.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"
#include "meters/state/state.h"

namespace linkmeter {

// Text from outside, made safe for a log: at most 64 bytes, anything but printable ASCII as \xNN.
std::string printable(const std::string& text);

class TurnLog final : public Service {
 public:
  static constexpr std::uint64_t refusals_per_second_max = 20;

  void note(const Controller::Turn& turn, const State& state, std::chrono::microseconds uptime);
  // Tables that were linked or lost.
  static void note(const std::vector<TablePresence::Change>& changes, const Floor& floor);
  void on_turn(const CommittedTurn& done) override { note(done.turn, done.state, done.now.uptime); }
  void on_tables_changed(const std::vector<TablePresence::Change>& changes,
                         const State& state) override {
    note(changes, state.floor());
  }
  // Suppressed lines since their number was last logged.
  [[nodiscard]] std::uint64_t hidden_count() const { return hidden_count_; }

 private:
  void note(const Controller::Refused& refused, std::chrono::microseconds uptime);

  std::chrono::seconds second_{-1};
  std::uint64_t shown_in_second_ = 0;
  std::uint64_t hidden_count_ = 0;
};

// Sets up this process's log, on standard error.
void begin_log();

}  // namespace linkmeter
