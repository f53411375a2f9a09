// SimulatedTable: a real agent with a persistent outbox and a script to submit. It can die at every
// step, and starts again from its outbox.
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

  // One step: submits and sends; dies and restarts as the faults require.
  Finding step(const Faults& faults, Network& network, SimulationJudge& judge, std::int64_t now_us);
  Finding receive(const std::string& bytes, const Faults& faults, Network& network,
                  const SimulationJudge& judge, std::int64_t now_us);

  // Its process ends; with a power cut, everything without a sync is lost.
  void die(const Faults& faults, std::int64_t now_us);
  // It connects to another controller: replies of the one before never arrive.
  void connect_again(Network& network);
  // From now on it connects with the key that is enrolled for it: a person has carried it there.
  void take_key(const std::string& key) { key_ = key; }

  // The first message of an agent on this outbox, and the last head that it knows.
  [[nodiscard]] std::string first_word(std::int64_t now_us);
  [[nodiscard]] Head witness() const { return outbox_.witness(); }

  // It has a Welcome, and may take wagers.
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
  std::string why_;       // why it ended last
  std::size_t said_ = 0;  // of the script, as the outbox has it
  MessageNumber noted_;   // the last message that the judge was told of
  std::int64_t rises_at_us_ = 0;
  std::int64_t heard_at_us_ = 0;  // the last frame
};

}  // namespace linkmeter
