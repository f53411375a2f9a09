// Network: what is on its way between agents and controller, by a simulated clock. It loses,
// doubles, delays and reorders as the faults allow, and all of it comes from the seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tests/property/dice.h"
#include "tests/simulation/faults.h"

namespace linkmeter {

enum class Way : std::uint8_t { to_controller, to_agent };

struct Frame {
  Way way = Way::to_controller;
  std::string table;
  std::string bytes;
  std::string key = {};  // to the controller: that the connection proved
};

class Network {
 public:
  Network(Dice dice, const Faults& faults) : dice_(dice), faults_(faults) {}

  void send(const Frame& frame, std::int64_t now_us);
  // The next frame that has arrived by now.
  std::optional<Frame> arrive(std::int64_t now_us);
  // The table's connection is new: replies on the old one never come.
  void reconnect(const std::string& table);
  // For a while nothing passes between this table and the controller, one way or both.
  void part(const std::string& table, std::int64_t now_us);
  // From here on everything arrives, once.
  void heal() {
    faults_ = Faults::none();
    parted_until_.clear();
  }

 private:
  void put(const Frame& frame, std::int64_t at_us);

  Dice dice_;
  Faults faults_;
  std::map<std::pair<std::int64_t, std::uint64_t>, Frame> on_the_way_;  // by arrival, then sending
  std::map<std::pair<Way, std::string>, std::int64_t> latest_;          // arrival, for the order
  std::map<std::pair<Way, std::string>, std::int64_t> parted_until_;
  std::uint64_t sent_ = 0;
};

}  // namespace linkmeter
