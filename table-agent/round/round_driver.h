// RoundDriver: what a table does, step by step: a floor script, rounds dealt from a seed, or what
// the sensors of a real table tell. A play only says what comes next; the session says it through
// the agent and stores the position that comes with it.
//
// A play that follows the world may have nothing to say for now: then it is not over, and the
// session asks again when its descriptor can be read or its moment has come. The rest of what is
// here is for such plays; a script needs none of it.
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
  ScriptEvent event;       // a command to say, or a wait
  Position position;       // where the play stands after this step
  std::string where = {};  // "script.jsonl:3", for people; "" if nowhere
};

class RoundMachine;

class RoundDriver {
 public:
  // What a play that follows the world must know of its table.
  struct Surroundings {
    Timestamp now;               // measures intervals only
    std::string locked_by;       // why no round may begin (L5): "no_controller"; "": one may
    std::set<LinkId> suspended;  // of the table's links
    MessageNumber last_number;   // that was given out
  };

  RoundDriver() = default;
  RoundDriver(const RoundDriver&) = delete;
  RoundDriver& operator=(const RoundDriver&) = delete;
  virtual ~RoundDriver() = default;

  // nullopt: nothing now; for ever if is_over().
  [[nodiscard]] virtual std::optional<Step> next() = 0;
  [[nodiscard]] virtual bool is_over() const { return true; }

  // Does the world go on whatever the session does? Then a step that cannot be said now is given
  // back by on_not_submitted(), and asked for again.
  [[nodiscard]] virtual bool is_live() const { return false; }
  // In every turn of the session, before next(): hears and speaks to the world.
  virtual void update(const Surroundings&) {}
  // The command of the last step is stored under this number; or it could not be said.
  virtual void on_submitted(MessageNumber) {}
  virtual void on_not_submitted() {}
  // What the controller answered, also to commands of an earlier run, in the order of their
  // numbers, before it is stored. Returns where the play stands then, to be stored with it;
  // nullopt: no answer moves this play.
  virtual std::optional<Position> on_reply(const std::vector<Answered>&) { return std::nullopt; }
  // The hands of the table's open rounds, as the controller told them just now.
  virtual void on_hands(const std::vector<RoundHands>&) {}
  // Rounds that are open at the controller, and that were said from an outbox that is lost: all of
  // them, as the last Welcome told.
  virtual void on_left_open(const std::vector<OpenRound>&) {}
  // The controller's journal was restored: what was told of the entries of hands is of another
  // history.
  virtual void forget_entries() {}
  // Readable: there is something to attend to. -1: none.
  [[nodiscard]] virtual int descriptor() const { return -1; }
  // The round of a play that people drive, for who shows it; null: it plays by itself.
  [[nodiscard]] virtual const RoundMachine* machine() const { return nullptr; }
  struct Sensors {
    bool there_are = false;
    bool are_there = true;
    bool tell_all = true;  // what lies on them is known
  };
  [[nodiscard]] virtual Sensors sensors() const { return {}; }
  // The next moment that wants attention, by the clock of the surroundings.
  [[nodiscard]] virtual std::optional<Timestamp> wakes_at() const { return std::nullopt; }
};

}  // namespace linkmeter
