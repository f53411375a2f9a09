// decide(): determines the result of a command. It changes nothing: the same state, rules, command
// and time always give the same decision. State::apply() applies what it returns.
//
// A wager sent twice across a crash: the first copy became an entry, and the commit that stored the
// entry also stored the answer (TableSession). A repeat of the number, before or after the restart,
// finds that Answer and is not counted again. If the commit did not happen, neither the entry nor
// the answer exists, and the second copy is processed as the first.
#pragma once

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/outcome.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// REQUIRES: state.is_open(); `rules` resolved for state.floor().
[[nodiscard]] Decision decide(const State& state, const FloorRules& rules,
                              const TableMessage& message, Timestamp now);
// A person's command. A refused command is also an Entry, unless the person is unknown. REQUIRES:
// the person has signed in. `proposed`: for a command that proposes or confirms other parameters,
// the rules that the controller resolved from its texts together with its floor; nullptr if the
// texts do not resolve to that floor.
[[nodiscard]] Decision decide(const State& state, const FloorRules& rules,
                              const PersonMessage& message, Timestamp now,
                              const FloorRules* proposed = nullptr);
// A sign-in, successful or not, is an Entry; that of an unknown person is a Refusal. A correct PIN
// ends a person's lock only at DIR/control, and only a lock that ends by itself (lock_out.h).
[[nodiscard]] Decision decide(const State& state, const SignIn& sign_in, Timestamp now);

// Recovery codes. Refused without an entry if the codes may not be checked yet, or for a badge that
// they cannot recover. REQUIRES: sent over the control socket of the data folder's owner.
[[nodiscard]] Decision decide(const State& state, const RecoveryTry& asked, Timestamp now);

// Wrong PINs from untrusted origins, as the controller counted them. Refused without an entry if
// none of them was for the badge of a known person.
[[nodiscard]] Decision decide(const State& state, const PinsTried& counted, Timestamp now);

// A link is suspended because of a fault that the system found (L3). Refused without an entry if it
// is suspended already: the first reason stays.
[[nodiscard]] Decision decide(const State& state, const SelfSuspension& suspension, Timestamp now);

// A table is frozen because of a fault that the system found. Refused without an entry if it is
// frozen already: the first reason stays.
[[nodiscard]] Decision decide(const State& state, const SelfFreeze& freeze, Timestamp now);

// The copy of a slip is on disk. Refused without an entry if there is no such slip, or if its copy
// is recorded already: the first copy remains the evidence.
[[nodiscard]] Decision decide(const State& state, const SlipCopy& copy, Timestamp now);

// The journal's key has signed a head. Refused without an entry if the journal has no key, or if a
// later head is signed already.
[[nodiscard]] Decision decide(const State& state, const HeadSigned& signing, Timestamp now);

// A gaming day is over. Refused without an entry if it is not the next day, or not over.
[[nodiscard]] Decision decide(const State& state, const DayEnd& end, Timestamp now);
// The counters that a table keeps itself. Refused without an entry while the journal lacks messages
// that the table has counted.
[[nodiscard]] Decision decide(const State& state, const TableCounters& counters, Timestamp now);

// Entry 1, with the seeds. REQUIRES: a floor that the loader accepted.
[[nodiscard]] Entry open_floor(FloorOpened opened, Timestamp now);

// The answer to the sender of a new entry. A repeat gets the same answer.
[[nodiscard]] Answer answer_of(const Entry& entry);

}  // namespace linkmeter
