// Restoring: what a restored backup means for the state: which entry may say so, who may accept it,
// and what stands still until somebody has.
//
// Laws: a restoration is entered once; from then on every link is suspended, and none is resumed,
// nor does anything move that is money, a signature or a parameter, until two persons have accepted
// it: what the tables say again is to find everything as it was. People and keys do not wait. The
// last acceptance that was missing lets those links operate again that a restoration had suspended;
// one that was suspended before, or since for a reason of its own, stays so.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/rules/decide.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The first that nobody has accepted; null: none.
const Restoration* waiting_restoration(const State& state);
// By the entry that says it; null: none.
const Restoration* find_restoration(const State& state, EntryNumber entry);

// May this not be before a restored history is accepted?
bool stands_still(const OperatorCommand& act);
bool stands_still(const DualControlCommand& act);
bool stands_still(const Fact& fact);
// Is what suspends the link nothing but a restoration that nobody has accepted? Then a fault of its
// own, or a person, suspends it still, and the acceptance does not let it operate.
bool is_held_by_restoration(const State& state, LinkIndex link);

// A backup was restored. Refused, and no entry, where the journal says so already.
[[nodiscard]] Decision decide(const State& state, const HistoryRestored& restored, Timestamp now);
[[nodiscard]] Refusal refuse_acceptance(const State& state, const AcceptHistory& accept);

// Why an entry with this fact cannot follow this state, or nobody can have proposed or confirmed
// this act; nullopt: it can.
std::optional<std::string> restoration_misfit(const State& state, const Entry& entry,
                                              const HistoryRestored& restored);
std::optional<std::string> restoration_misfit(const State& state, const AcceptHistory& accept);

}  // namespace linkmeter
