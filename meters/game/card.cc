#include "meters/game/card.h"

#include <algorithm>

namespace linkmeter {
namespace {

constexpr std::string_view rank_letters = "23456789TJQKA";
constexpr std::string_view suit_letters = "cdhs";
constexpr std::string_view joker_text = "Xx";

static_assert(rank_letters.size() * suit_letters.size() == Card::joker_index);

}  // namespace

std::optional<Card> parse_card(std::string_view text) {
  if (text == joker_text) return Card::from_index(Card::joker_index);
  if (text.size() != 2) return std::nullopt;
  const std::size_t rank = rank_letters.find(text[0]);
  const std::size_t suit = suit_letters.find(text[1]);
  if (rank == std::string_view::npos || suit == std::string_view::npos) return std::nullopt;
  return Card::from_index(static_cast<std::uint8_t>(suit_letters.size() * rank + suit));
}

std::string text(Card card) {
  if (card.is_joker()) return std::string(joker_text);
  return {rank_letters[static_cast<std::size_t>(card.rank() - 2)],
          suit_letters[static_cast<std::size_t>(card.suit())]};
}

std::optional<std::vector<Card>> parse_cards(std::string_view text) {
  constexpr std::string_view between = " ,\t";
  std::vector<Card> cards;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
    if (text.empty()) return cards;
    const std::size_t end = std::min(text.find_first_of(between), text.size());
    const std::optional<Card> card = parse_card(text.substr(0, end));
    if (!card) return std::nullopt;
    cards.push_back(*card);
    text.remove_prefix(end);
  }
}

bool CardCounts::add(Card card, int copies_max) {
  std::uint8_t& count = counts_[card.index()];
  if (count >= copies_max || count == UINT8_MAX) return false;
  ++count;
  return true;
}

bool CardCounts::remove(Card card) {
  std::uint8_t& count = counts_[card.index()];
  if (count == 0) return false;
  --count;
  return true;
}

}  // namespace linkmeter
