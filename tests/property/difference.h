// Difference: the judge's sentence about two values that must be equal; nullopt: they are equal.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "meters/values/amount.h"
#include "tests/property/naive_link.h"

namespace linkmeter {

using Difference = std::optional<std::string>;

// The place of a difference; the text is made only if there is one.
template <class Where>
Difference within(const Where& where, Difference difference) {
  if (!difference) return std::nullopt;
  return where() + " " + *difference;
}

template <class Left, class Right>
Difference differ(std::string_view what, const Left& expected, const Right& found) {
  if (expected == found) return std::nullopt;
  const auto text = [](const auto& value) {
    if constexpr (requires { std::string(value); }) {
      return std::string(value);
    } else {
      return exact_text(Exact{static_cast<Exact>(value)} * 100'000'000);
    }
  };
  return std::string(what) + ": expected " + text(expected) + ", found " + text(found);
}

inline Difference differ_money(std::string_view what, Exact expected, Amount found) {
  if (expected == Exact{found.units()}) return std::nullopt;
  return std::string(what) + ": expected " + exact_text(expected) + ", found " +
         exact_text(found.units());
}

// The first of several differences; all comparisons run, and no text is made without a difference.
inline Difference first_of(std::initializer_list<Difference> differences) {
  for (const Difference& one : differences) {
    if (one) return one;
  }
  return std::nullopt;
}

}  // namespace linkmeter
