#include "meters/rules/clock_trust.h"

#include <algorithm>

#include "meters/rules/decide_restoration.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

bool is_doubt(const State& state, EntryNumber entry) {
  return state.clock().doubt && state.clock().doubt->entry == entry;
}

bool may_be_confirmed(std::int64_t by_us) {
  return by_us <= limits::clock_ahead_us_max && by_us >= -limits::clock_behind_us_max;
}

}  // namespace

bool waits_for_clock(const DualControlCommand& act) {
  return std::holds_alternative<ResumeLink>(act) || std::holds_alternative<ResumeLinks>(act) ||
         std::holds_alternative<ChangeParameters>(act);
}

bool is_held_by_clock(const State& state, LinkIndex link) {
  const auto& doubt = state.clock().doubt;
  return doubt && state.link(link).suspended == suspension_reason(doubt->entry, doubt->fact);
}

Decision decide_clock_returned(const State& state, const ClockReturned& returned, Timestamp now) {
  if (!is_doubt(state, returned.doubted)) return Refusal::clock_not_doubted;
  return next_entry(state, returned, now);
}

Refusal check_confirmation(const State& state, const ConfirmClock& confirm) {
  if (!is_well_formed_note(confirm.note)) return Refusal::name_malformed;
  if (!state.clock().doubt) return Refusal::clock_not_doubted;
  if (!is_doubt(state, confirm.doubted) || state.clock().doubt->fact.by_us != confirm.by_us) {
    return Refusal::clock_doubt_unknown;
  }
  return may_be_confirmed(confirm.by_us) ? Refusal::none : Refusal::clock_too_far;
}

std::optional<std::string> clock_violation(const State& state, const Entry& entry,
                                           const ClockReturned& returned) {
  if (entry.origin) return "the system's own step from a table";
  if (!is_doubt(state, returned.doubted)) return "it ends a doubt of the clock that there is not";
  return std::nullopt;
}

std::optional<std::string> clock_violation(const State& state, const ConfirmClock& confirm) {
  if (!is_doubt(state, confirm.doubted) || state.clock().doubt->fact.by_us != confirm.by_us) {
    return "it confirms a clock that is not in doubt so";
  }
  if (!may_be_confirmed(confirm.by_us)) return "it confirms a clock that is too far away";
  return std::nullopt;
}

}  // namespace linkmeter
