// Violation: what is wrong with a configuration file, for the person who must put it right. Readers
// collect all of them before they give up, so that a file is corrected once and not line by line.
#pragma once

#include <string>
#include <vector>

namespace linkmeter {

struct Violation {
  std::string file;
  int line = 0;  // 0: the file as a whole
  std::string message;
  std::string section;  // of the rule, "" if it is not a matter of a rule

  // "floor.toml:12: [[link]] C4-MEGA: rates.mega is 8%, ... (§ 657a.12(e)(3))"
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Violation&, const Violation&) = default;
};
using Violations = std::vector<Violation>;

}  // namespace linkmeter
