// Games floor: a table of every game that the agent can deal, with all its wagers, and the agent's
// dealing there.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "table-agent/simulator/deal_driver.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter {

inline constexpr const char* games_floor_text = R"(
[house]
name = "House of Games"
[[table]]
id = "RIU-01"
game = "raise-it-up"
seats = 6
[[table]]
id = "C4-01"
game = "crazy-4"
seats = 6
[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
[[table]]
id = "PG-01"
game = "pai-gow-poker"
seats = 6
[[table]]
id = "TCP-01"
game = "three-card-prime"
seats = 6
[[link]]
id = "RIU"
wager = "raise-it-up/progressive"
unit = "5.00"
seed = "5000.00"
rates = { main = "14%" }
tables = ["RIU-01"]
[[link]]
id = "FOUR"
wager = "crazy-4/four-card"
paytable = "A"
unit = "5.00"
tables = ["C4-01"]
[[link]]
id = "FIVE"
wager = "crazy-4/five-card"
paytable = "A"
unit = "5.00"
tables = ["C4-01"]
[[link]]
id = "FIVE-ONE"
wager = "crazy-4/five-card"
paytable = "C"
unit = "1.00"
tables = ["C4-01"]
[[link]]
id = "BONUS"
wager = "crazy-4/five-card-hand-bonus"
unit = "1.00"
magic_card = true
lucky_bonus = true
tables = ["C4-01"]
[[link]]
id = "BEAT"
wager = "blackjack/bad-beat"
minimum = "1.00"
maximum = "25.00"
any_20 = true
magic_card = true
seed = "5000.00"
rates = { main = "12%" }
tables = ["BJ-01"]
[[link]]
id = "RUN"
wager = "blackjack/hit-and-run"
unit = "1.00"
seed = "1000.00"
rates = { main = "12%" }
tables = ["BJ-01"]
[[link]]
id = "PAI-GOW"
wager = "pai-gow-poker/progressive"
unit = "1.00"
seed = "2000.00"
rates = { main = "20%" }
tables = ["PG-01"]
[[link]]
id = "FORTUNE"
wager = "pai-gow-poker/fortune-bonus"
paytable = "A"
minimum = "1.00"
maximum = "25.00"
tables = ["PG-01"]
[[link]]
id = "EMPEROR"
wager = "pai-gow-poker/emperors-treasure"
paytable = "A"
minimum = "1.00"
maximum = "25.00"
tables = ["PG-01"]
[[link]]
id = "PRIME"
wager = "three-card-prime/bad-beat-bonus"
paytable = "A"
minimum = "5.00"
maximum = "100.00"
tables = ["TCP-01"]
)";

inline const std::vector<std::string> games_tables{"RIU-01", "C4-01", "BJ-01", "PG-01", "TCP-01"};

// Throws std::bad_variant_access if the catalogue does not accept it.
inline const FloorFile& games_floor() {
  static const FloorFile file = std::get<FloorFile>(parse_with_catalogue(games_floor_text));
  return file;
}

inline DealDriver deal_at(const std::string& table, const DealDriver::Plan& plan,
                          std::string_view place) {
  const FloorFile& file = games_floor();
  const TableIndex at = file.floor.find_table(TableId(table)).value();
  return DealDriver(TableOffers::at(file.floor, file.rules, at), plan, place,
                    BonusDraw(BonusDraw::terms_at(file.floor, file.rules, at), SecureRandom()));
}

}  // namespace linkmeter
