// Violation: an error in a configuration file, for the person who must correct it. Readers collect
// all violations before they give up, so that a file is corrected in one pass.
#pragma once

#include <string>
#include <vector>

#include "meters/values/amount.h"

namespace linkmeter {

struct Violation {
  std::string file;
  int line = 0;  // 0: the file as a whole
  std::string message;
  std::string section;  // of the rule; "" if no rule is concerned

  // "floor.toml:12: [[link]] C4-MEGA: rates.mega is 8%, ... (§ 657a.12(e)(3))"
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Violation&, const Violation&) = default;
};
using Violations = std::vector<Violation>;

// Enumeration: formats lists and amounts for the messages of violations.

// "A, B, C"; `name` turns an element into its text.
template <class List, class Name>
std::string enumeration(const List& list, Name name) {
  std::string result;
  for (const auto& element : list) {
    if (!result.empty()) result += ", ";
    result += name(element);
  }
  return result;
}

// "$5.00"
inline std::string dollars(Amount amount) { return "$" + text_cents(amount); }

}  // namespace linkmeter
