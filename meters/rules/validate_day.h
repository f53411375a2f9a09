// Day misfit: the part of misfit() of laws.h that looks at the facts of gaming days.
//
// Laws: days end one after the other, none left out, each not before its time; a reading is what
// the books say; nothing is said of a day that is closed, and no day is closed before the one
// before it, by one person, or under another report than was signed.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

// Why an entry with this fact cannot follow this state; nullopt: it can.
std::optional<std::string> day_misfit(const State& state, const Entry& entry, const DayEnded& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const ReadingTaken& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const CountersReported& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const CountRecorded& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const VarianceExplained& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const DaySigned& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const DayClosed& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const FundMoved& fact);
std::optional<std::string> day_misfit(const State& state, const Entry& entry,
                                      const DisplayAdjusted& fact);

}  // namespace linkmeter
