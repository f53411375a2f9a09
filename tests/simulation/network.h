// Network: the frames in transit between agents and controller, by a simulated clock. It drops,
// repeats, delays and reorders frames as the faults allow, at random from the seed.
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
  std::string key = {};  // to the controller: the key that the connection proved
};

class Network {
 public:
  Network(Dice dice, const Faults& faults) : dice_(dice), faults_(faults) {}

  void send(const Frame& frame, std::int64_t now_us);
  // The next frame that has arrived by now.
  std::optional<Frame> arrive(std::int64_t now_us);
  // The table has a new connection: replies on the old one never arrive.
  void reconnect(const std::string& table);
  // For a while nothing passes between this table and the controller, in both directions or in one.
  void part(const std::string& table, std::int64_t now_us);
  // From now on everything arrives, once.
  void heal() {
    faults_ = Faults::none();
    parted_until_.clear();
  }

 private:
  void put(const Frame& frame, std::int64_t at_us);

  Dice dice_;
  Faults faults_;
  // By arrival, then by sending.
  std::map<std::pair<std::int64_t, std::uint64_t>, Frame> on_the_way_;
  // Arrival, to keep the order.
  std::map<std::pair<Way, std::string>, std::int64_t> latest_;
  std::map<std::pair<Way, std::string>, std::int64_t> parted_until_;
  std::uint64_t sent_ = 0;
};

}  // namespace linkmeter
