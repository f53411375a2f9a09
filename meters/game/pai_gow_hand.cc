#include "meters/game/pai_gow_hand.h"

#include <bit>

namespace linkmeter {

namespace {

constexpr unsigned rank_count = 13;
constexpr unsigned rank_sets = 1U << rank_count;
constexpr unsigned ace = 1U << 12U;
constexpr unsigned king = 1U << 11U;
constexpr unsigned queen = 1U << 10U;
constexpr unsigned ranks_of_royal = 0b1'1111U << 8U;

// What a set of ranks holds. Taken of one suit, a straight is a straight flush.
constexpr unsigned has_flush = 1, has_straight = 2, has_royal = 4, has_seven_in_a_row = 8;
constexpr unsigned shape_bits = 4, all_shapes = 0b1111;

constexpr unsigned bit(bool condition) { return condition ? 1U : 0U; }

constexpr unsigned shape_of(unsigned ranks) {
  // Bit by bit: a row of so many begins here. The ace also stands below the deuce; K-A-2 is no row.
  const unsigned one = ranks << 1U | ranks >> (rank_count - 1U);
  const unsigned two = one & one >> 1U;
  const unsigned five = two & two >> 2U & one >> 4U;
  const unsigned seven = five & two >> 5U;
  return has_flush * bit(std::popcount(ranks) >= 5) | has_straight * bit(five != 0) |
         has_royal * bit((ranks & ranks_of_royal) == ranks_of_royal) |
         has_seven_in_a_row * bit(seven != 0);
}

using Shapes = std::array<std::uint8_t, rank_sets>;

// Of every set of ranks.
constexpr Shapes natural_shapes = [] {
  Shapes table{};
  for (unsigned ranks = 0; ranks < rank_sets; ++ranks) {
    table[ranks] = static_cast<std::uint8_t>(shape_of(ranks));
  }
  return table;
}();

// The same, and above it whatever one more card makes: the joker.
constexpr Shapes shapes = [] {
  Shapes table = natural_shapes;
  for (unsigned ranks = 0; ranks < rank_sets; ++ranks) {
    unsigned completed = 0;
    for (unsigned joker = 1; joker < rank_sets; joker <<= 1U) {
      completed |= natural_shapes[ranks | joker];
    }
    table[ranks] = static_cast<std::uint8_t>(table[ranks] | completed << shape_bits);
  }
  return table;
}();

// Without and with the joker.
constexpr auto sets_of_shapes = [] {
  std::array<std::array<CategorySet, 1U << shape_bits>, 2> table{};
  for (unsigned joker = 0; joker < 2; ++joker) {
    for (unsigned shape = 0; shape < table[joker].size(); ++shape) {
      CategorySet& set = table[joker][shape];
      if ((shape & has_flush) != 0) set.add(HandCategory::flush);
      if ((shape & has_straight) != 0) set.add(HandCategory::straight_flush);
      if ((shape & has_royal) != 0) set.add(HandCategory::royal_flush);
      if ((shape & has_seven_in_a_row) == 0) continue;
      set.add(HandCategory::seven_card_straight_flush);
      set.add(joker != 0 ? HandCategory::seven_card_straight_flush_with_joker
                         : HandCategory::seven_card_straight_flush_no_joker);
    }
  }
  return table;
}();

// Cards of one rank: are there pairs, two of them, threes, fours, five aces?
constexpr unsigned has_pair = 1, has_two_pair = 2, has_three = 4, has_four = 8, has_five = 16;

constexpr auto sets_of_groups = [] {
  std::array<CategorySet, 32> table{};
  for (unsigned groups = 0; groups < table.size(); ++groups) {
    CategorySet& set = table[groups].add(HandCategory::high_card);
    const bool two_pair = (groups & has_two_pair) != 0;
    const bool three = (groups & has_three) != 0;
    if ((groups & has_pair) != 0) set.add(HandCategory::pair);
    if (two_pair) set.add(HandCategory::two_pair);
    if (three) set.add(HandCategory::three_of_a_kind);
    // The three is one of the two pairs.
    if (two_pair && three) set.add(HandCategory::full_house);
    if ((groups & has_four) != 0) set.add(HandCategory::four_of_a_kind);
    if ((groups & has_five) != 0) set.add(HandCategory::five_aces);
  }
  return table;
}();

// In each of `one` to `five` stand the ranks of which there are at least so many cards.
unsigned groups_of(const SevenCards& hand) {
  const unsigned clubs = hand.suits[0], diamonds = hand.suits[1];
  const unsigned hearts = hand.suits[2], spades = hand.suits[3];
  const unsigned either_black = clubs | spades, either_red = diamonds | hearts;
  const unsigned both_black = clubs & spades, both_red = diamonds & hearts;
  const unsigned joker = hand.joker ? ace : 0U;
  const unsigned one = either_black | either_red;
  unsigned two = both_black | both_red | (either_black & either_red);
  unsigned three = (both_black & either_red) | (both_red & either_black);
  unsigned four = both_black & both_red;
  const unsigned five = four & joker;
  four |= three & joker;
  three |= two & joker;
  two |= one & joker;
  return has_pair * bit(two != 0) | has_two_pair * bit((two & (two - 1U)) != 0) |
         has_three * bit(three != 0) | has_four * bit(four != 0) | has_five * bit(five != 0);
}

// § 645a.6(d)(2), (e)(2): beside the royal flush an ace and king of one suit, for the Fortune Bonus
// also a king and queen. That is another suit, and of natural cards: seven have no room for a royal
// flush, these two and an idle joker.
CategorySet match_beside_royal(const SevenCards& hand, unsigned completed_by_joker) {
  CategorySet set;
  for (const unsigned ranks : hand.suits) {
    if ((unsigned{shapes[ranks]} >> completed_by_joker & has_royal) != 0) continue;
    const bool ace_king = (ranks & (ace | king)) == (ace | king);
    const bool king_queen = (ranks & (king | queen)) == (king | queen);
    if (ace_king) set.add(HandCategory::royal_flush_and_ace_king_suited);
    if (ace_king || king_queen) set.add(HandCategory::royal_flush_and_royal_match);
  }
  return set;
}

}  // namespace

SevenCards seven_cards(std::span<const Card> cards) {
  SevenCards hand;
  for (const Card card : cards) {
    if (card.is_joker()) {
      hand.joker = true;
      continue;
    }
    std::uint16_t& suit = hand.suits[static_cast<std::size_t>(card.suit())];
    suit = static_cast<std::uint16_t>(suit | 1U << static_cast<unsigned>(card.rank() - 2));
  }
  return hand;
}

CategorySet pai_gow_categories(const SevenCards& hand) {
  const auto& [clubs, diamonds, hearts, spades] = hand.suits;
  const unsigned joker = bit(hand.joker);
  const unsigned completed_by_joker = joker * shape_bits;
  // Of two suits only one can have the four cards that any shape needs.
  const unsigned suited =
      static_cast<unsigned>(shapes[clubs] | shapes[diamonds] | shapes[hearts] | shapes[spades]) >>
          completed_by_joker &
      all_shapes;
  const unsigned all = unsigned{shapes[clubs | diamonds | hearts | spades]} >> completed_by_joker;
  CategorySet set = sets_of_groups[groups_of(hand)];
  set.add(sets_of_shapes[joker][suited]);
  if ((all & has_straight) != 0) set.add(HandCategory::straight);
  if ((suited & has_royal) != 0) set.add(match_beside_royal(hand, completed_by_joker));
  return set;
}

}  // namespace linkmeter
