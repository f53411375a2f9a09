// A small chapter of a game that no code knows. It is valid, for tests to read or to spoil.
#pragma once

#include <stdexcept>
#include <string>

#include "config/reader/catalogue_file.h"

namespace linkmeter {

inline const std::string small_chapter = R"(game = "g"
title = "G"
chapter = "1a"
source = "s"
effective = "2020-01-01"
status = "final"
seats = { max = 6, section = "s" }
[cards]
dealing = "stud"
decks = 1
player = { min = 5, max = 5 }
dealer = { min = 0, max = 0 }
board_max = 0
section = "s"
[[wager]]
id = "g/w"
title = "W"
section = "s"
hand = "five_card"
placement = "chip"
decided_by = "player_hand"
sharing = { kind = "by_turn", section = "s" }
fold = { forfeits = true, section = "s" }
verified = { from = 500, section = "s" }
meter_award = { not_from = [], section = "s" }
linked = { allowed = true, section = "s" }
[[wager.paytable]]
id = "A"
section = "s"
lines = [
  { line = "royal_flush", pays = "100% of main" },
  { line = "flush", pays = "50 to 1", section = "t" },
]
levels = [
  { id = "main", seed = "10000 for 1", reseed = "0 for 1", rate = "13%", section = "s" },
]
reserve = { rate = "8%", section = "s" }
)";

// The violations of a chapter, one on each line.
inline std::string chapter_violations(const std::string& text) {
  const auto result = parse_catalogue({{"game.toml", text}});
  if (std::holds_alternative<Catalogue>(result)) return "";
  std::string all;
  for (const Violation& violation : std::get<Violations>(result)) all += violation.text() + "\n";
  return all;
}

}  // namespace linkmeter
