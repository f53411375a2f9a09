// Config diff: the effect of another chapter, paytable or option on one link or game: one line
// for each rule that decides or pays (L8), whatever the paytable is called. Lines, Envy and levels
// are compared by their ids. No difference is left out: a rule without a specific line gets a
// general one ("other rules of ...").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/floor/floor.h"
#include "meters/game/hand.h"
#include "meters/game/poker_threshold.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/rate.h"

namespace linkmeter {

// "PG-FORTUNE straight pays 2 to 1 -> 700 to 1". REQUIRES: both as rules_alone() returns them.
void compare_rules(std::vector<std::string>& lines, const std::string& link, LinkRules before,
                   const LinkRules& after);
// "crazy-4 joker false -> true". REQUIRES: the same.
void compare_rules(std::vector<std::string>& lines, const std::string& game, GameRules before,
                   const GameRules& after);

// DifferenceList: the differences between two configurations, as lines that people read before they
// sign: "C4-MEGA mega rate 9% -> 10%". A line has the name of the link, table, level or game, the
// name of the value, and both values.

// Values as people write them: "$5000.00", "9%", "true", "\"A\""; "none" if there is no value.
std::string shown(Amount amount);
std::string shown(Rate rate);
std::string shown(bool chosen);
std::string shown(std::int64_t count);
std::string shown(const std::string& text);
std::string shown(const PaytableId& paytable);
std::string shown(HandCategory category);
std::string shown(const PokerThreshold& threshold);
template <class Value>
std::string shown(const std::optional<Value>& value) {
  return value ? shown(*value) : "none";
}

// Collects the lines about one link, table, level or game; each line begins with its name.
class DifferenceList {
 public:
  DifferenceList(std::vector<std::string>& lines, std::string whose);

  // Adds a line if the values differ.
  template <class Value>
  void compare(std::string_view term, const Value& before, const Value& after) {
    if (before != after) say(term, shown(before), shown(after));
  }
  // Adds a line if the values differ, and then sets `before` to `after`: so any difference that
  // remains at the end has no line yet.
  template <class Value>
  void settle(std::string_view term, Value& before, const Value& after) {
    compare(term, before, after);
    before = after;
  }
  // The same, with `in_words` as the text of a value.
  template <class Value, class InWords>
  void settle(std::string_view term, Value& before, const Value& after, InWords in_words) {
    if (before != after) say(term, std::string(in_words(before)), std::string(in_words(after)));
    before = after;
  }
  void say(std::string_view term, const std::string& before, const std::string& after);
  void add(const std::string& what);

 private:
  std::vector<std::string>& lines_;
  std::string whose_;
};

}  // namespace linkmeter
