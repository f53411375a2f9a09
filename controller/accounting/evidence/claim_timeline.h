// Claim story: what a run of entries says of one claim, step by step, in sentences; and which
// slips it was to be paid on.
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
  // The entry that raised it; its last step so far. 0: it is not here.
  [[nodiscard]] EntryNumber raised() const { return raised_; }
  [[nodiscard]] EntryNumber last_step() const { return last_step_; }
  [[nodiscard]] bool has(SlipNumber slip) const;
  [[nodiscard]] const std::vector<SlipNumber>& slips() const { return slips_; }

 private:
  friend struct ClaimSteps;
  void step(const Entry& entry, const std::string& what);

  ClaimNumber claim_;
  ClaimNumber call_;  // the call that it is a share of, named by the lowest of its claims
  std::vector<std::string> lines_;
  EntryNumber raised_, last_step_;
  std::vector<SlipNumber> slips_;
};

}  // namespace linkmeter
