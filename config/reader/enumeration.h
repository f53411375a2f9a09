// Enumeration: lists and amounts as sentences of violations say them.
#pragma once

#include <string>

#include "meters/values/amount.h"

namespace linkmeter {

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
