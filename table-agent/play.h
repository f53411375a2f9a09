// Play: what a table does, step by step: a floor script, or rounds dealt from a seed. A play only
// says what comes next; the session says it through the agent and stores the position that comes
// with it.
#pragma once

#include <optional>
#include <string>

#include "meters/codec/script.h"
#include "table-agent/outbox.h"

namespace linkmeter {

struct Step {
  ScriptEvent event;       // a command to say, or a wait
  Position position;       // where the play stands after this step
  std::string where = {};  // "script.jsonl:3", for people; "" if nowhere
};

class Play {
 public:
  Play() = default;
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;
  virtual ~Play() = default;

  // nullopt: the play is over.
  [[nodiscard]] virtual std::optional<Step> next() = 0;
};

}  // namespace linkmeter
