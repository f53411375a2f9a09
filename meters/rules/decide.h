// decide(): determines the result of a command. It changes nothing: the same state, rules, command
// and time always give the same decision. State::apply() applies what it returns.
//
// A wager sent twice across a crash: the first copy became an entry, and the commit that stored the
// entry also stored the answer (TableSession). A repeat of the number, before or after the restart,
// finds that Answer and is not counted again. If the commit did not happen, neither the entry nor
// the answer exists, and the second copy is processed as the first.
#pragma once

#include <variant>

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/outcome.h"
#include "meters/state/recovery.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Everything that decide() decides: what people and tables ask for, and what the system found or
// did itself. A command of the system that is refused leaves no entry.
using Command = std::variant<
    // An Entry, also if the message is refused; the stored Answer to a repeat; a Refusal for a
    // message that does not use up its number.
    TableMessage,
    // An Entry, also if the command is refused; a Refusal for an unknown person. REQUIRES: the
    // person has signed in.
    PersonMessage,
    // An Entry, also if the PIN was wrong; a Refusal for an unknown person. A correct PIN ends a
    // person's lock only at DIR/control, and only a lock that ends by itself (account_lock.h).
    SignIn,
    // An Entry, also if the codes were wrong; a Refusal while codes may not be checked, or for a
    // badge that they cannot recover. REQUIRES: sent over the control socket of the data folder's
    // owner.
    RecoveryTry,
    // Wrong PINs from untrusted origins, as the controller counted them. Refused if none of them
    // was for the badge of a known person.
    PinsTried,
    // A link is suspended because of a fault that the system found (L3). Refused if it is suspended
    // already: the first reason stays.
    SelfSuspension,
    // A table is frozen because of a fault that the system found. Refused if it is frozen already:
    // the first reason stays.
    SelfFreeze,
    // The copy of a slip is on disk. Refused if there is no such slip, or if its copy is recorded
    // already: the first copy remains the evidence.
    SlipCopy,
    // The journal's key has signed a head. Refused if the journal has no key, or if a later head is
    // signed already.
    HeadSigned,
    // A gaming day is over. Refused if it is not the next day, or not over.
    DayEnd,
    // The counters that a table keeps itself. Refused while the journal lacks messages that the
    // table has counted.
    TableCounters,
    // A backup was restored. Refused if the journal records it already.
    HistoryRestored,
    // The system's clock is not believed. Never refused: a later doubt replaces the earlier one.
    ClockDoubted,
    // The clock is right again. Refused if there is no such doubt.
    ClockReturned,
    // This node writes from here on, in the epoch after that of the last writer. Refused if its
    // name is not well-formed or not enrolled, or if no epoch can follow.
    WriterChange>;

// REQUIRES: state.is_open(). For a TableMessage and a PersonMessage, `rules` are resolved for
// state.floor(); the other commands do not depend on them.
[[nodiscard]] Decision decide(const State& state, const FloorRules& rules, const Command& command,
                              Timestamp now);

// Entry 1, with the seeds. REQUIRES: a floor that the loader accepted.
[[nodiscard]] Entry open_floor(FloorOpened opened, Timestamp now);

// The answer to the sender of a new entry. A repeat gets the same answer.
[[nodiscard]] Answer answer_of(const Entry& entry);

}  // namespace linkmeter
