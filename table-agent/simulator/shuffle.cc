#include "table-agent/simulator/shuffle.h"

#include <utility>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

Shuffle::Shuffle(int decks, Joker joker, Prng& chance) {
  INVARIANT(decks >= 1 && decks <= limits::decks_max);
  for (int deck = 0; deck < decks; ++deck) {
    const std::uint8_t count = joker == Joker::none ? Card::joker_index : Card::index_count;
    for (std::uint8_t index = 0; index < count; ++index) {
      cards_.push_back(Card::from_index(index));
    }
  }
  for (std::size_t place = cards_.size(); place > 1; --place) {
    std::swap(cards_[place - 1], cards_[chance.below(place)]);
  }
}

Card Shuffle::draw() {
  INVARIANT(!cards_.empty());
  const Card card = cards_.back();
  cards_.pop_back();
  return card;
}

std::vector<Card> Shuffle::draw(std::size_t count) {
  std::vector<Card> drawn;
  for (std::size_t number = 0; number < count; ++number) drawn.push_back(draw());
  return drawn;
}

}  // namespace linkmeter
