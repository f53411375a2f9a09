// Restoration: the effect of a restored backup on the state: which entry may report it, who may
// accept it, and what is blocked until then.
//
// Laws: a restoration is entered once. From then on every link is suspended, and until two persons
// have accepted the restoration no link is resumed and no money, signature or parameter changes:
// messages that the tables resend must find the state unchanged. People and keys may change. When
// the last missing acceptance is entered, the links that a restoration had suspended operate again.
// A link that was suspended before, or since for another reason, stays suspended.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/rules/outcome.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The first restoration that is not accepted; nullptr: none.
const Restoration* waiting_restoration(const State& state);
// The restoration with this entry; nullptr: none.
const Restoration* find_restoration(const State& state, EntryNumber entry);

// Whether this is blocked until a restored history is accepted.
bool waits_for_acceptance(const OperatorCommand& act);
bool waits_for_acceptance(const DualControlCommand& act);
bool waits_for_acceptance(const Fact& fact);
// Whether an unaccepted restoration alone suspends the link. If so, a fault of the link or a person
// may still suspend it for another reason, and the acceptance then does not resume it.
bool is_held_by_restoration(const State& state, LinkIndex link);

// For decide(): a backup was restored.
[[nodiscard]] Decision decide_restored(const State& state, const HistoryRestored& restored,
                                       Timestamp now);
[[nodiscard]] Refusal check_acceptance(const State& state, const AcceptHistory& accept);

// Why an entry with this fact cannot follow this state, or why nobody can have proposed or
// confirmed this command; nullopt: it is valid.
std::optional<std::string> restoration_violation(const State& state, const Entry& entry,
                                                 const HistoryRestored& restored);
std::optional<std::string> restoration_violation(const State& state, const AcceptHistory& accept);

}  // namespace linkmeter
