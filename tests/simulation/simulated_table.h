// Simulated table: a real agent on an outbox that stays, with a script to say. It can die at every
// step, and begins again from its outbox.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/floor/floor.h"
#include "proto/host/fault.h"
#include "table-agent/link/table_agent.h"
#include "tests/property/dice.h"
#include "tests/simulation/faults.h"
#include "tests/simulation/network.h"
#include "tests/simulation/plant.h"
#include "tests/simulation/simulation_judge.h"
#include "tests/support/memory_outbox.h"

namespace linkmeter {

class SimulatedTable {
 public:
  SimulatedTable(const Floor& floor, TableIndex place, std::vector<TableCommand> script, Dice dice,
                 Plant plant);

  // One step of its time: says, sends; dies and rises as the faults have it.
  Finding step(const Faults& faults, Network& network, SimulationJudge& judge, std::int64_t now_us);
  Finding receive(const std::string& bytes, const Faults& faults, Network& network,
                  const SimulationJudge& judge, std::int64_t now_us);

  // Its process ends; with a power cut what was not synced is gone.
  void die(const Faults& faults, std::int64_t now_us);
  // From now on it connects with the key that is enrolled for it: somebody has carried it there.
  void take_key(const std::string& key) { key_ = key; }

  // What an agent on this outbox says first, and the last head that it knows of.
  [[nodiscard]] std::string first_word(std::int64_t now_us);
  [[nodiscard]] Head witness() const { return outbox_.witness(); }

  // Welcome, and open for wagers.
  [[nodiscard]] bool is_open(std::int64_t now_us) const;
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& id() const { return id_.text(); }
  [[nodiscard]] bool is_done() const {
    return said_ == script_.size() && outbox_.unacknowledged().empty();
  }
  // "R1 (catching_up): 12 of 20 said, 3 unacknowledged"
  [[nodiscard]] std::string text(std::int64_t now_us) const;

 private:
  void rise(Network& network, std::int64_t now_us);
  [[nodiscard]] bool is_planned(const Fault& fault, const SimulationJudge& judge);
  void send(std::string bytes, Network& network, std::int64_t now_us);
  void plan_trouble(const Faults& faults);
  void note_stored(SimulationJudge& judge);
  Finding say(const Faults& faults, SimulationJudge& judge, std::int64_t now_us);

  TableId id_;
  std::string key_;
  TableIndex place_;
  std::vector<LinkConfig> links_;
  std::vector<TableCommand> script_;
  Dice dice_;
  Plant plant_;
  MemoryOutbox outbox_;
  std::optional<TableAgent> agent_;
  std::string why_;       // it ended last
  std::size_t said_ = 0;  // of the script, as the outbox knows
  MessageNumber noted_;   // what the judge has been told of
  std::int64_t rises_at_us_ = 0;
  std::int64_t heard_at_us_ = 0;  // the last frame
};

}  // namespace linkmeter
