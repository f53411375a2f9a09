#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "controller/cli/commands.h"
#include "meters/card.h"
#include "meters/codec/catalogue_file.h"
#include "meters/codec/floor_file.h"
#include "meters/hand.h"

namespace linkmeter::cli {

namespace {

using nlohmann::json;

std::vector<Card> read_cards(const json& hand, const char* key, int decks) {
  std::vector<Card> cards;
  CardCounts seen;
  const auto found = hand.find(key);
  if (found == hand.end()) return cards;
  if (!found->is_array()) throw Fault(std::string("\"") + key + "\" is not a list of cards");
  for (const json& item : *found) {
    const auto card = item.is_string() ? parse_card(item.get<std::string>()) : std::nullopt;
    if (!card) throw Fault(item.dump() + " is not a card");
    if (card->is_joker()) throw Fault("this game has no joker");
    if (!seen.add(*card, decks)) throw Fault(item.dump() + " is there too often");
    cards.push_back(*card);
  }
  return cards;
}

// The line that pays, or "" for none. A pot-funded wager has no paytable: its line is the category.
std::string line_of(const WagerRules& wager, const GameRules& game, const std::string& text) {
  const json hand = json::parse(text, nullptr, false);
  if (!hand.is_object()) throw Fault("not a JSON object");
  const bool of_dealer = wager.decided_by == DecidedBy::dealer_hand;
  const std::vector<Card> own = read_cards(hand, "cards", game.decks_default);
  const std::vector<Card> dealer = read_cards(hand, "dealer", game.decks_default);
  const std::vector<Card>& cards = of_dealer ? dealer : own;
  if (!card_count_fits(wager.hand, cards.size())) {
    throw Fault(std::to_string(cards.size()) + " cards are not a hand of " + wager.id.text());
  }
  const CategorySet set = categories(wager.hand, cards);
  if (wager.decided_by == DecidedBy::pot) {
    return std::string(name(best_five(cards).category()));
  }
  const Line* line = wager.paytables.front().line_for(set);
  return line == nullptr ? "" : line->id.text();
}

}  // namespace

int hand(const WagerId& wager, const std::filesystem::path& catalogue_directory) {
  const auto texts = read_catalogue_texts(catalogue_directory);
  const auto parsed = std::holds_alternative<Violations>(texts)
                          ? std::variant<Catalogue, Violations>(std::get<Violations>(texts))
                          : parse_catalogue(std::get<0>(texts));
  if (const auto* violations = std::get_if<Violations>(&parsed)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
    return 1;
  }
  const Catalogue& catalogue = std::get<Catalogue>(parsed);
  const WagerRules* rules = catalogue.find_wager(wager);
  if (rules == nullptr) {
    std::string known;
    for (const GameRules& game : catalogue.games) {
      for (const WagerRules& offered : game.wagers) known += " " + offered.id.text();
    }
    throw Fault("there is no wager " + wager.text() + " in the catalogue; it has:" + known);
  }
  const GameRules& game = *catalogue.find_game(rules->game);
  std::string text;
  for (int number = 1; std::getline(std::cin, text); ++number) {
    if (text.empty()) continue;
    try {
      const std::string line = line_of(*rules, game, text);
      std::cout << json{{"line", line.empty() ? json(nullptr) : json(line)}}.dump() << '\n';
    } catch (const Fault& fault) {
      throw Fault("standard input, line " + std::to_string(number) + ": " + fault.what());
    }
  }
  return 0;
}

}  // namespace linkmeter::cli
