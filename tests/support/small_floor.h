// A small floor with one link of every kind. It is valid, for tests to read or to spoil.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"

namespace linkmeter {

inline const std::vector<CatalogueText>& shipped_catalogue() {
  static const auto texts = std::get<std::vector<CatalogueText>>(
      read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue"));
  return texts;
}

inline const std::string floor_text = R"([house]
name = "Demo Casino"
timezone = "America/New_York"
gaming_day_start = "05:30"
controller = "tcp://127.0.0.1:7001"

[[link]]
id = "C4-MEGA"
wager = "crazy-4/five-card"
paytable = "C"
unit = "5.00"
tables = ["C4-01", "C4-02"]

[[link]]
id = "RIU"
wager = "raise-it-up/progressive"
unit = "5.00"
seed = "6000.00"
reseed = "5000.00"
rates = { main = "14.25%", reserve = "1%" }
tables = ["RIU-01"]

[[link]]
id = "HIT"
wager = "blackjack/hit-and-run"
minimum = "1.00"
maximum = "25.00"
seed = "1000.00"
rates = { main = "12%" }
tables = ["BJ-01"]

[[link]]
id = "POKER-ROOM"
wager = "poker/bad-beat"
contribution = { minimum_pot = "20.00", amount = "1.00" }
seed = "500.00"
reseed = "0.00"
rates = { main = "80%", reserve = "20%" }
qualifying = "full_house"
split = { losing_hand = "50%", winning_hand = "25%", table = "25%" }
discontinuation = "Board order 2026-1"
tables = ["P-01"]

[[table]]
id = "C4-01"
game = "crazy-4"
seats = 6
asset = "T-1041"

[[table]]
id = "C4-02"
game = "crazy-4"
seats = 5

[[table]]
id = "RIU-01"
game = "raise-it-up"
seats = 4

[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
decks = 6

[[table]]
id = "P-01"
game = "poker"
seats = 10
)";

inline Violations violations_of(const std::string& text) {
  const auto result = parse_floor("floor.toml", text, shipped_catalogue());
  if (const auto* const violations = std::get_if<Violations>(&result)) return *violations;
  return {};
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  if (place == std::string::npos) throw std::logic_error("the floor has no " + from);
  return text.replace(place, from.size(), to);
}

// The number of the line that contains `part`.
inline int line_of(const std::string& text, const std::string& part) {
  const std::size_t place = text.find(part);
  if (place == std::string::npos) throw std::logic_error("the floor has no " + part);
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

}  // namespace linkmeter
