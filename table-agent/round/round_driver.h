// RoundDriver: what a table does, step by step: a floor script, rounds dealt from a seed, or the
// sensors of a real table. A driver only says what comes next. The session submits it through the
// agent and stores the position that comes with it.
//
// A live driver may have nothing to submit for now. Then it is not over; the session asks again
// when its descriptor is readable or its time has come. The other functions are for live drivers; a
// script needs none of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/codec/round_script.h"
#include "table-agent/link/outbox.h"
#include "table-agent/link/table_agent.h"

namespace linkmeter {

struct Step {
  ScriptEvent event;       // a command to submit, or a wait
  Position position;       // the driver's position after this step
  std::string where = {};  // "script.jsonl:3", for people; "" if not from a file
};

class RoundMachine;

class RoundDriver {
 public:
  // What a live driver must know about its table.
  struct Surroundings {
    Timestamp now;               // measures intervals only
    std::string locked_by;       // why no round may begin (L5): "no_controller"; "": one may
    std::set<LinkId> suspended;  // of the table's links
    MessageNumber last_number;   // the last one that was assigned
  };

  RoundDriver() = default;
  RoundDriver(const RoundDriver&) = delete;
  RoundDriver& operator=(const RoundDriver&) = delete;
  virtual ~RoundDriver() = default;

  // Returns nullopt if there is nothing now. If is_over(), it always does.
  [[nodiscard]] virtual std::optional<Step> next() = 0;
  [[nodiscard]] virtual bool is_over() const { return true; }

  // Whether the driver is live: events go on whatever the session does. A step that cannot be
  // submitted now is then returned by on_not_submitted() and requested again.
  [[nodiscard]] virtual bool is_live() const { return false; }
  // Called in every turn of the session, before next(): reads input and writes output.
  virtual void update(const Surroundings&) {}
  // The command of the last step is stored under this number, or could not be submitted.
  virtual void on_submitted(MessageNumber) {}
  virtual void on_not_submitted() {}
  // The controller's answers, also to commands of an earlier run, in the order of their numbers,
  // before they are stored. Returns the driver's new position, which is stored with them. nullopt:
  // the answers do not move the position.
  virtual std::optional<Position> on_reply(const std::vector<Answered>&) { return std::nullopt; }
  // Readable when there is work to do. -1: none.
  [[nodiscard]] virtual int descriptor() const { return -1; }
  // The round of a driver that people control, for display; null: it plays by itself.
  [[nodiscard]] virtual const RoundMachine* machine() const { return nullptr; }
  [[nodiscard]] virtual RoundMachine* machine() { return nullptr; }
  // A table without sensors has none that could be gone.
  struct Sensors {
    bool there_are = false;
    bool are_there = true;
    bool tell_all = true;  // the wagers on the sensors are known
  };
  [[nodiscard]] virtual Sensors sensors() const { return {}; }
  // The next time at which update() has work to do, by the clock of the surroundings.
  [[nodiscard]] virtual std::optional<Timestamp> wakes_at() const { return std::nullopt; }
};

}  // namespace linkmeter
