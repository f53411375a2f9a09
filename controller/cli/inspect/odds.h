// Odds: the options of `linkmeter odds`, and the printing of its reports.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "controller/odds/odds_report.h"
#include "meters/game/game_rules.h"

namespace linkmeter::cli {

// As typed. "LEVEL=VALUE" sets a figure of one level; with a single level, "VALUE" is enough.
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
// Which figures are not known, and the option that sets each; one sentence each.
std::vector<std::string> open_questions(const WagerRules& wager, const odds::OddsReport& sheet);

// One report per paytable, or, if the dealer draws, per number of decks. The first is the requested
// one.
void print_odds_json(std::ostream& out, const WagerRules& wager,
                     const std::vector<odds::OddsReport>& sheets);
void print_odds_text(std::ostream& out, const WagerRules& wager,
                     const std::vector<odds::OddsReport>& sheets);

}  // namespace linkmeter::cli
