// The floor of every wager: one link for each wager of the catalogue, with all options of a house.
#pragma once

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "tests/support/small_floor.h"

namespace linkmeter {

inline const std::string every_wager_floor_text = R"([[link]]
id = "RIU"
wager = "raise-it-up/progressive"
unit = "1.00"
seed = "1000.00"
rates = { main = "14%" }
limit = "20000.00"
folded_hand_gives_envy = false
envy_of_non_bettors = true
tables = ["RIU-01"]

[[link]]
id = "C4-FOUR"
wager = "crazy-4/four-card"
paytable = "B"
unit = "5.00"
tables = ["C4-01", "C4-02"]

[[link]]
id = "C4-FIVE"
wager = "crazy-4/five-card"
paytable = "D"
unit = "1.00"
limit = { mega = "20000.00", minor = "250.00" }
tables = ["C4-01", "C4-02"]

[[link]]
id = "C4-HAND"
wager = "crazy-4/five-card-hand-bonus"
unit = "1.00"
magic_card = true
lucky_bonus = true
fold_forfeits = true
tables = ["C4-01", "C4-02"]

[[link]]
id = "BJ-BAD"
wager = "blackjack/bad-beat"
minimum = "1.00"
maximum = "25.00"
seed = "5000.00"
rates = { main = "12%", reserve = "3%" }
any_20 = true
magic_card = true
tables = ["BJ-01"]

[[link]]
id = "BJ-RUN"
wager = "blackjack/hit-and-run"
unit = "1.00"
seed = "1000.00"
rates = { main = "12%" }
tables = ["BJ-01"]

[[link]]
id = "PG-PROG"
wager = "pai-gow-poker/progressive"
unit = "1.00"
seed = "2000.00"
rates = { main = "20%" }
payout_limit = "50000.00"
payout_limit_caps_meter = true
tables = ["PG-01"]

[[link]]
id = "PG-FORTUNE"
wager = "pai-gow-poker/fortune-bonus"
paytable = "A"
minimum = "1.00"
maximum = "100.00"
payout_limit = "50000.00"
tables = ["PG-01"]

[[link]]
id = "PG-EMPEROR"
wager = "pai-gow-poker/emperors-treasure"
paytable = "C"
unit = "5.00"
tables = ["PG-01", "PG-02"]

[[link]]
id = "TCP"
wager = "three-card-prime/bad-beat-bonus"
paytable = "B"
minimum = "5.00"
maximum = "500.00"
payout_limit = "50000.00"
tables = ["TCP-01"]

[[link]]
id = "POKER"
wager = "poker/bad-beat"
contribution = { minimum_pot = "20.00", amount = "1.00" }
seed = "500.00"
reseed = "0.00"
rates = { main = "80%", reserve = "20%" }
limit = "100000.00"
qualifying = "full_house"
split = { losing_hand = "50%", winning_hand = "25%", table = "25%" }
discontinuation = "Board order 2026-1"
tables = ["P-01"]

[[table]]
id = "RIU-01"
game = "raise-it-up"
seats = 6
[[table]]
id = "C4-01"
game = "crazy-4"
seats = 6
draw_rate = "10%"
[[table]]
id = "C4-02"
game = "crazy-4"
seats = 6
[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
draw_rate = "0.5%"
[[table]]
id = "PG-01"
game = "pai-gow-poker"
seats = 6
[[table]]
id = "PG-02"
game = "pai-gow-poker"
seats = 6
[[table]]
id = "TCP-01"
game = "three-card-prime"
seats = 6
[[table]]
id = "P-01"
game = "poker"
seats = 10
)";

// The floor, or one link of it; REQUIRES: the text is a valid floor file.
inline FloorFile parsed_floor(const std::string& text) {
  const auto result = parse_floor("floor.toml", text, shipped_catalogue());
  if (const auto* const violations = std::get_if<Violations>(&result)) {
    for (const Violation& violation : *violations) FAIL_CHECK(violation.text());
    return {};
  }
  return std::get<FloorFile>(result);
}

struct ParsedLink {
  LinkConfig terms;
  LinkRules rules;
};

inline ParsedLink link_of(const FloorFile& file, const char* id) {
  const std::optional<LinkIndex> place = file.floor.find_link(LinkId(id));
  REQUIRE(place.has_value());
  return {file.floor.link(*place), file.rules.link(*place)};
}

inline ParsedLink link_of(const std::string& text, const char* id) {
  return link_of(parsed_floor(text), id);
}

// One change of the floor of every wager, and the one violation that it must cause.
struct FloorMistake {
  std::string from;
  std::string to;
  std::string at;       // a part of the line that the violation names
  std::string message;  // the beginning of the message
  std::string section;
};

inline void check_floor_mistakes(const std::vector<FloorMistake>& mistakes) {
  for (const FloorMistake& mistake : mistakes) {
    CAPTURE(mistake.from);
    CAPTURE(mistake.to);
    const std::string text = replaced(every_wager_floor_text, mistake.from, mistake.to);
    const Violations violations = violations_of(text);
    REQUIRE_FALSE(violations.empty());
    const Violation& first = violations.front();
    CAPTURE(first.text());
    CHECK_EQ(violations.size(), 1);
    CHECK_EQ(first.line, line_of(text, mistake.at));
    CHECK_EQ(first.message.substr(0, mistake.message.size()), mistake.message);
    CHECK_EQ(first.section, mistake.section);
  }
}

}  // namespace linkmeter
