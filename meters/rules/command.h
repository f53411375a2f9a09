// Command: everything that decide() decides: what people and tables ask for, and what the system
// found or did itself. A command of the system that is refused leaves no entry.
#pragma once

#include <variant>

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/state/recovery.h"

namespace linkmeter {

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
    ClockReturned>;

}  // namespace linkmeter
