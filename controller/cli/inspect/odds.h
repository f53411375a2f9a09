// Odds: what `linkmeter odds` is asked, and how its sheets are printed.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "controller/odds/odds_report.h"
#include "meters/game/game_rules.h"

namespace linkmeter::cli {

// As typed. "LEVEL=VALUE" states a figure of one level; a paytable with one level takes "VALUE".
struct OddsOptions {
  std::string wager;
  std::optional<std::string> paytable;
  bool json = false;
  std::string unit = "1.00";
  std::vector<std::string> meters, seeds, reseeds, rates;
  std::optional<std::string> reserve;
  std::optional<std::string> draw_rate;
  std::optional<int> winners;
  std::optional<int> seats;
  std::optional<int> decks;
};

// How a line pays: "100% of mega", "500 for 1".
std::string pays_text(const Pays& pays, const Paytable& paytable);
// What the figures leave open, and the option that settles it; one sentence each.
std::vector<std::string> open_questions(const WagerRules& wager, const odds::OddsReport& sheet);

// One sheet per paytable, or, where the dealer draws, per number of decks. The first is the one
// asked for.
void print_odds_json(std::ostream& out, const WagerRules& wager,
                     const std::vector<odds::OddsReport>& sheets);
void print_odds_text(std::ostream& out, const WagerRules& wager,
                     const std::vector<odds::OddsReport>& sheets);

}  // namespace linkmeter::cli
