#include "controller/cli/inspect/hand_line.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "controller/cli/inspect/wager_catalogue.h"
#include "controller/cli/shell/command.h"
#include "meters/game/card.h"
#include "meters/game/hand.h"
#include "proto/codec/json_nesting.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

// The cards of this key. `seen`: all cards of the line; a deck has each card once.
std::vector<Card> read_cards(const nlohmann::json& hand, const char* key, const GameRules& game,
                             CardCounts& seen) {
  std::vector<Card> cards;
  const auto found = hand.find(key);
  if (found == hand.end()) return cards;
  if (!found->is_array()) throw Fault(std::string("\"") + key + "\" is not a list of cards");
  for (const nlohmann::json& item : *found) {
    const auto card = item.is_string() ? parse_card(item.get<std::string>()) : std::nullopt;
    if (!card) throw Fault(item.dump() + " is not a card");
    if (card->is_joker() && !game.joker) throw Fault(game.id.text() + " has no joker");
    if (!seen.add(*card, game.decks_default)) {
      throw Fault(
          item.dump() + " is there more than " +
          (game.decks_default == 1 ? "once" : std::to_string(game.decks_default) + " times"));
    }
    cards.push_back(*card);
  }
  return cards;
}

// Test data has "line" and "note" besides: what it expects, and why.
void refuse_unknown_keys(const nlohmann::json& hand, bool is_poker) {
  static const std::set<std::string> known{"cards", "dealer", "line", "note"};
  for (const auto& [key, ignored] : hand.items()) {
    if (known.contains(key) || (is_poker && key == "board")) continue;
    throw Fault("\"" + key + "\" is not a key of a hand here; the keys are \"cards\"" +
                (is_poker ? " and \"board\"" : " and \"dealer\""));
  }
}

using CountFits = bool (*)(HandKind, std::size_t);

// "5", or "2 to 24".
std::string counts_that_fit(CountFits fits, HandKind kind) {
  std::size_t least = 0;
  while (!fits(kind, least)) ++least;
  std::size_t most = least;
  while (fits(kind, most + 1)) ++most;
  const std::string text = std::to_string(least);
  return least == most ? text : text + " to " + std::to_string(most);
}

void demand_count(const WagerRules& wager, const char* key, std::size_t count, CountFits fits) {
  if (fits(wager.hand, count)) return;
  throw Fault(std::string("\"") + key + "\" has " + std::to_string(count) +
              (count == 1 ? " card" : " cards") + "; a hand of " + wager.id.text() + " has " +
              counts_that_fit(fits, wager.hand));
}

}  // namespace

std::string hand_line(const WagerRules& wager, const GameRules& game, const std::string& text) {
  const nlohmann::json hand =
      is_nested_too_deep(text) ? nlohmann::json() : nlohmann::json::parse(text, nullptr, false);
  if (!hand.is_object()) throw Fault("not a JSON object");
  const bool is_poker = wager.decided_by == DecidedBy::pot;
  refuse_unknown_keys(hand, is_poker);
  CardCounts seen;
  std::vector<Card> own = read_cards(hand, "cards", game, seen);
  // A player's hand is the best of his cards and the board's.
  const std::vector<Card> board = read_cards(hand, "board", game, seen);
  own.insert(own.end(), board.begin(), board.end());
  const std::vector<Card> dealer = read_cards(hand, "dealer", game, seen);
  const bool of_dealer = wager.decided_by == DecidedBy::dealer_hand;
  const std::vector<Card>& cards = of_dealer ? dealer : own;
  demand_count(wager, of_dealer ? "dealer" : "cards", cards.size(), card_count_fits);
  if (depends_on_dealer_hand(wager.hand))
    demand_count(wager, "dealer", dealer.size(), dealer_count_fits);
  if (is_poker) {
    return std::string(name(best_five(cards).category()));
  }
  const CategorySet set = categories(wager.hand, cards, dealer);
  for (const Paytable& paytable : wager.paytables) {
    if (const Line* line = paytable.line_for(set)) return line->id.text();
  }
  return "";
}

namespace {

// Reads hands as JSON Lines from standard input and prints the paytable line of each.
int print_hand_lines(const WagerId& wager, const std::filesystem::path& catalogue_directory) {
  const Catalogue catalogue = read_catalogue(catalogue_directory);
  const WagerRules& rules = find_wager(catalogue, wager);
  const GameRules& game = *catalogue.find_game(rules.game);
  std::string text;
  for (int number = 1; std::getline(std::cin, text); ++number) {
    if (text.empty()) continue;
    try {
      const std::string line = hand_line(rules, game, text);
      std::cout
          << nlohmann::json{{"line", line.empty() ? nlohmann::json() : nlohmann::json(line)}}.dump()
          << '\n';
    } catch (const Fault& fault) {
      throw Fault("standard input, line " + std::to_string(number) + ": " + fault.what());
    }
  }
  return 0;
}

}  // namespace

void declare_hand(CLI::App& app, CommandBuilder& declare) {
  CLI::App* hand = declare.command(
      app, "hand", "Read hands (JSON Lines) from standard input, print the paytable line of each",
      [&given = declare.options] {
        return print_hand_lines(WagerId(given.wager), given.catalogue);
      });
  declare.takes(hand, "--wager", &CommandOptions::wager, "A wager id, e.g. crazy-4/five-card");
  declare.takes_catalogue(hand);
  hand->footer(
      "A line is one hand, as {\"cards\":[\"As\",\"Ks\",\"Qs\",\"Js\",\"Ts\"]}\n"
      "against the dealer:  {\"cards\":[\"Ks\",\"Qd\"],\"dealer\":[\"As\",\"9s\",\"Ac\"]}\n"
      "poker:               "
      "{\"cards\":[\"Ah\",\"Ad\"],\"board\":[\"Ac\",\"Kh\",\"Kd\",\"2c\",\"3c\"]}");
}

}  // namespace linkmeter::cli
