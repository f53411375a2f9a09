// decide(): determines the result of a command. It changes nothing: the same state, rules, command
// and time always give the same decision. State::apply() applies what it returns.
//
// A wager sent twice across a crash: the first copy became an entry, and the commit that stored the
// entry also stored the answer (TableSession). A repeat of the number, before or after the restart,
// finds that Answer and is not counted again. If the commit did not happen, neither the entry nor
// the answer exists, and the second copy is processed as the first.
#pragma once

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"
#include "meters/rules/command.h"
#include "meters/rules/outcome.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// REQUIRES: state.is_open(). For a TableMessage and a PersonMessage, `rules` are resolved for
// state.floor(); the other commands do not depend on them.
[[nodiscard]] Decision decide(const State& state, const FloorRules& rules, const Command& command,
                              Timestamp now);

// Entry 1, with the seeds. REQUIRES: a floor that the loader accepted.
[[nodiscard]] Entry open_floor(FloorOpened opened, Timestamp now);

// The answer to the sender of a new entry. A repeat gets the same answer.
[[nodiscard]] Answer answer_of(const Entry& entry);

}  // namespace linkmeter
