// Clock trust: the effect of a doubted system clock on the state: which entries may report or end a
// doubt, who may confirm the clock, and what is blocked until then.
//
// Laws: while the clock is in doubt, every link is suspended and no link is resumed. When the doubt
// ends, the links that it had suspended operate again. A link that a person or another fault has
// suspended since stays suspended, and a link that a restored history also holds waits for its
// acceptance.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/rules/outcome.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Whether the command is blocked while the clock is in doubt: commands that resume links, or that
// prepare them to operate with other parameters.
bool waits_for_clock(const DualControlCommand& act);
// Whether the doubt alone suspends the link.
bool is_held_by_clock(const State& state, LinkIndex link);

// For decide(): the clock is as it was.
[[nodiscard]] Decision decide_clock_returned(const State& state, const ClockReturned& returned,
                                             Timestamp now);
[[nodiscard]] Refusal check_confirmation(const State& state, const ConfirmClock& confirm);

// Why an entry with this fact cannot follow this state, or why nobody can have proposed or
// confirmed this command; nullopt: it is valid.
std::optional<std::string> clock_violation(const State& state, const Entry& entry,
                                           const ClockReturned& returned);
std::optional<std::string> clock_violation(const State& state, const ConfirmClock& confirm);

}  // namespace linkmeter
