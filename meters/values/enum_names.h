// EnumNames: the names of an enumeration whose values follow one another without gaps, in their
// order: EnumNames<SlipState::issued, SlipState::paid>{"issued", "void", "paid"}. The compiler
// refuses another number of names.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace linkmeter {

template <auto first, auto last>
class EnumNames {
 public:
  using Enumeration = decltype(first);
  static constexpr std::size_t count =
      static_cast<std::size_t>(last) - static_cast<std::size_t>(first) + 1;

  template <class... Names>
  requires(sizeof...(Names) == count) explicit constexpr EnumNames(const Names&... names)
      : names_{names...} {}

  // "unknown" if the number belongs to no value.
  [[nodiscard]] constexpr std::string_view of(Enumeration value) const {
    const std::size_t at = static_cast<std::size_t>(value) - static_cast<std::size_t>(first);
    return at < count ? names_[at] : "unknown";
  }
  [[nodiscard]] constexpr std::optional<Enumeration> parse(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    const auto at = static_cast<std::size_t>(found - names_.begin());
    return static_cast<Enumeration>(static_cast<std::size_t>(first) + at);
  }

 private:
  std::array<std::string_view, count> names_;
};

}  // namespace linkmeter
