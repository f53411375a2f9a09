// Claim timeline: what a run of entries contains about one claim, step by step, in sentences; and
// the slips that were issued for it.
#pragma once

#include <string>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

class ClaimTimeline {
 public:
  explicit ClaimTimeline(ClaimNumber claim) : claim_(claim) {}

  // The next entry; `floor` names its places.
  void add(const Entry& entry, const Floor& floor);

  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  // The entry that raised it; its last step so far. 0: not in this run.
  [[nodiscard]] EntryNumber raised() const { return raised_; }
  [[nodiscard]] EntryNumber last_step() const { return last_step_; }
  [[nodiscard]] bool has(SlipNumber slip) const;
  [[nodiscard]] const std::vector<SlipNumber>& slips() const { return slips_; }

 private:
  friend struct ClaimSteps;
  void step(const Entry& entry, const std::string& what);

  ClaimNumber claim_;
  ClaimNumber hit_;  // the hit that it is a share of, by the lowest of its claims
  std::vector<std::string> lines_;
  EntryNumber raised_, last_step_;
  std::vector<SlipNumber> slips_;
};

}  // namespace linkmeter
