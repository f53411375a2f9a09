// Field lists: every fact lists its members once, in fields(), with the names and in the order of
// the exports. Readers that treat a member by its type alone walk the list: the JSON of an entry
// (controller/view/entry_json.cc) and the random facts of the tests. They need no line for a new
// fact.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace linkmeter {

// What exports show of a field.
enum class Shown : std::uint8_t {
  always,
  if_set,   // no key for a default value
  or_null,  // null for a default value
  as_hex,   // bytes
  never,    // a secret, or too long
};

template <class Member, Shown how>
struct Field {
  static constexpr Shown shown = how;
  std::string_view name;
  Member& value;
};

template <Shown how = Shown::always, class Member>
constexpr Field<Member, how> field(std::string_view name, Member& value) {
  return {name, value};
}

// Calls visit(field) for each field of the fact, in order.
template <class Fact, class Visit>
void for_each_field(Fact& fact, Visit&& visit) {
  std::apply([&visit](const auto&... one) { (visit(one), ...); },
             std::remove_const_t<Fact>::fields(fact));
}

}  // namespace linkmeter
