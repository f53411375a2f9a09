// decide: reads the state and says what becomes of a command. It changes nothing; the same state,
// rules, command and moment always give the same answer. What it returns is made true by
// State::apply.
//
// A wager sent twice across a crash: the first copy became an entry, and the commit that held the
// entry also held the answer (Desk). Whoever sends the number again, before or after the restart,
// is found in the desk and gets that Answer: nothing is counted. If the commit had not happened,
// neither the entry nor the answer is there, and the second copy is simply the first.
#pragma once

#include <variant>

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Entry: a new fact (also "refused", see is_journaled). Answer: a repeat, answered again.
// Refusal: not journaled, nothing changes.
using Decision = std::variant<Entry, Answer, Refusal>;

// REQUIRES: state.is_open(); `rules` resolved for state.floor().
[[nodiscard]] Decision decide(const State& state, const FloorRules& rules,
                              const TableMessage& message, Timestamp now);
// What a person asks; an Entry also when it is refused, but for a stranger. REQUIRES: he signed in.
// `proposed`: where he proposes or confirms other parameters, the rules that the edge resolved from
// their texts together with their floor; nullptr where they do not resolve to it.
[[nodiscard]] Decision decide(const State& state, const FloorRules& rules,
                              const PersonMessage& message, Timestamp now,
                              const FloorRules* proposed = nullptr);
// A sign-in, good or not, is an Entry; a stranger's is a Refusal. A good PIN ends a person's lock
// only at DIR/control, and only one that ends by itself (lock_out.h).
[[nodiscard]] Decision decide(const State& state, const SignIn& sign_in, Timestamp now);

// Recovery codes. Refused, and no entry, where they may not be looked at, and for a badge that they
// do not recover. REQUIRES: over the control socket of the data folder's owner.
[[nodiscard]] Decision decide(const State& state, const RecoveryTry& asked, Timestamp now);

// Wrong PINs away from home, as the edge counted them. Refused, with no entry, if none of them was
// for the badge of a person of the house.
[[nodiscard]] Decision decide(const State& state, const PinsTried& counted, Timestamp now);

// A link takes no more wagers because of what the system itself found (L3). Refused, and no entry,
// where it is suspended already: the first reason stays.
[[nodiscard]] Decision decide(const State& state, const SelfSuspension& suspension, Timestamp now);

// A table takes no new round because of what the system itself found. Refused, and no entry, where
// it is frozen already: the first reason stays.
[[nodiscard]] Decision decide(const State& state, const SelfFreeze& freeze, Timestamp now);

// The copy of a slip is on disk. Refused, and no entry, where there is no such slip, or its copy is
// known: the first one stays the evidence.
[[nodiscard]] Decision decide(const State& state, const SlipCopy& copy, Timestamp now);

// The journal's key has signed a head. Refused, and no entry, where the journal has no key, or a
// signature of a later head is there.
[[nodiscard]] Decision decide(const State& state, const HeadSigned& signing, Timestamp now);

// A gaming day is over. Refused, and no entry, where it is not the next one, or not over.
[[nodiscard]] Decision decide(const State& state, const DayEnd& end, Timestamp now);
// What a table has counted for itself. Refused, and no entry, while the journal lacks messages that
// it has counted.
[[nodiscard]] Decision decide(const State& state, const TableCounters& counters, Timestamp now);

// Entry 1, with the seeds. REQUIRES: a floor that the loader accepted.
[[nodiscard]] Entry open_floor(FloorOpened opened, Timestamp now);

// What the sender of a new entry is told; the same that a repeat will be told.
[[nodiscard]] Answer answer_of(const Entry& entry);

}  // namespace linkmeter
