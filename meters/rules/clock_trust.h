// Clock trust: what a doubted clock means for the state: which entry may say so, who may confirm
// the clock, and what waits until then.
//
// Laws: while the clock is in doubt, every link is suspended and none is resumed. The end of the
// doubt lets those links operate again that it had suspended; a link that a person or another fault
// has suspended since stays so, and one that a restored history holds as well waits for that.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/rules/decide.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// What may not be while the clock is in doubt: no link operates, and none is made ready to operate
// with other parameters.
bool waits_for_clock(const DualControlCommand& act);
// Is what suspends the link nothing but the doubt?
bool is_held_by_clock(const State& state, LinkIndex link);

// No refusals: a later doubt replaces the one before it.
[[nodiscard]] Decision decide(const State& state, const ClockDoubted& doubted, Timestamp now);
// Refused, and no entry, where there is no such doubt.
[[nodiscard]] Decision decide(const State& state, const ClockReturned& returned, Timestamp now);
[[nodiscard]] Refusal refuse_confirmation(const State& state, const ConfirmClock& confirm);

// Why an entry with this fact cannot follow this state, or nobody can have proposed or confirmed
// this act; nullopt: it can.
std::optional<std::string> clock_misfit(const State& state, const Entry& entry,
                                        const ClockReturned& returned);
std::optional<std::string> clock_misfit(const State& state, const ConfirmClock& confirm);

}  // namespace linkmeter
