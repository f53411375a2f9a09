// Validates facts about gaming days: a part of validate_entry() of laws.h.
//
// Laws: days end in order without gaps, each not before its time. A reading agrees with the
// balances. No fact is added to a closed day. No day is closed before the previous one, by one
// person alone, or under another report than the signed one.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

// Why an entry with this fact cannot follow this state; nullopt: it can.
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const DayEnded& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const ReadingTaken& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const CountersReported& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const CountRecorded& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const VarianceExplained& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const DaySigned& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const DayClosed& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const FundMoved& fact);
std::optional<std::string> day_violation(const State& state, const Entry& entry,
                                         const DisplayAdjusted& fact);

}  // namespace linkmeter
