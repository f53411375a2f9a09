// Rules comparison: what another chapter, paytable or option makes of one link, or of a game: a
// line for each thing that decides or pays (L8), whatever the paytable is called. Lines, envy and
// levels are compared by their names. Nothing is left out: a rule that none of these lines can tell
// gets a line that says so.
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

// "PG-FORTUNE straight pays 2 to 1 -> 700 to 1". Both as rules_alone() leaves them.
void compare_rules(std::vector<std::string>& lines, const std::string& link, LinkRules before,
                   const LinkRules& after);
// "crazy-4 joker false -> true". Likewise.
void compare_rules(std::vector<std::string>& lines, const std::string& game, GameRules before,
                   const GameRules& after);

// Comparison: what differs between two configurations, as lines that people read before they sign:
// "C4-MEGA mega rate 9% -> 10%". A line says whose it is, what it is called, and both values.

// As people write it: "$5000.00", "9%", "true", "\"A\"". Nothing there: "none".
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

// Gathers the lines about one link, table, level or game, which each begin with its name.
class Comparison {
 public:
  Comparison(std::vector<std::string>& lines, std::string whose);

  // A line if they differ.
  template <class Value>
  void compare(std::string_view term, const Value& before, const Value& after) {
    if (before != after) say(term, shown(before), shown(after));
  }
  // A line if they differ, and then they do not: what is still another one at the end has not been
  // told.
  template <class Value>
  void settle(std::string_view term, Value& before, const Value& after) {
    compare(term, before, after);
    before = after;
  }
  // Likewise; each value is told by `in_words`.
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
