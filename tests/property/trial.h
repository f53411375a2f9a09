// Trial: one floor, one seed, many messages: the core decides and applies, the naive model judges
// every answer and every figure, the laws are checked after every entry, and what was written is
// read back.
//
// The decision function is a parameter, so that a planted mistake can replace the core: a judge
// that has never detected anything proves nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "config/reader/floor_file.h"
#include "meters/rules/decide.h"
#include "tests/property/timed_input.h"

namespace linkmeter {

using Decide = std::function<Decision(const State&, const FloorRules&, const TimedInput&)>;

// The time at which a trial's floor opens.
Timestamp trial_moment();
// The core itself.
Decision core_decides(const State& state, const FloorRules& rules, const TimedInput& heard);

struct TrialReport {
  std::optional<std::string> divergence;  // with the seed and the message at which it occurred
  std::size_t messages = 0;
  std::size_t rounds = 0;  // whose wagers or pots were accepted
  std::size_t entries = 0;
  std::size_t repeats = 0;
  std::map<Refusal, std::size_t> refusals;
  std::set<std::string> lines;  // "crazy-4/five-card royal_flush", "poker/bad-beat full_house"
  std::size_t envies = 0;
  std::size_t hits = 0;
  std::size_t withheld_repaid = 0;
  std::size_t overflows = 0;                 // M9
  std::size_t capped = 0;                    // fixed awards cut by a payout limit
  std::size_t capped_meters = 0;             // awards from a meter
  std::size_t shared = 0;                    // hits on a meter with several winners
  std::map<std::string, std::size_t> facts;  // "claim_rejected"; for acts also "confirmed add"
  std::size_t restored = 0;                  // M11
  std::size_t kept = 0;                      // M11: prevented by a later win or another share

  void add(const TrialReport& other);
};

TrialReport run_trial(const FloorFile& file, std::uint64_t seed, std::size_t messages,
                      const Decide& decide);

}  // namespace linkmeter
