#include "meters/game/hand.h"

#include <algorithm>
#include <array>
#include <bit>

#include "meters/values/enum_names.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

constexpr EnumNames<HandKind::three_card, HandKind::three_card_beaten> kind_names{
    "three_card", "five_card",  "dealer_cards",          "best_of_seven",
    "four_card",  "seven_card", "twenty_against_dealer", "three_card_beaten"};
constexpr EnumNames<HandCategory::akq_spades, HandCategory::player_20> category_names{
    "akq_spades",
    "akq_other",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "high_card",
    "eight_or_more_cards",
    "seven_cards",
    "six_cards",
    "five_cards",
    "blackjack",
    "four_aces",
    "seven_card_straight_flush",
    "seven_card_straight_flush_no_joker",
    "royal_flush_and_royal_match",
    "royal_flush_and_ace_king_suited",
    "seven_card_straight_flush_with_joker",
    "five_aces",
    "21_with_seven_or_more_cards",
    "21_with_six_cards",
    "21_with_five_cards",
    "21_with_four_cards",
    "21_with_three_cards",
    "player_20"};

bool is_suited(std::span<const Card> cards) {
  return std::all_of(cards.begin(), cards.end(),
                     [&](Card card) { return card.suit() == cards.front().suit(); });
}

// The highest rank if the ranks are consecutive, else 0. The ace also counts below the deuce: then
// 3 cards end at 3, 4 cards at 4, 5 cards at 5. There is no wrap-around: K-A-2 is not a straight.
int straight_high(std::span<const Card> cards) {
  std::uint32_t ranks = 0;
  for (const Card card : cards) ranks |= 1U << static_cast<unsigned>(card.rank());
  const auto size = static_cast<unsigned>(cards.size());
  const std::uint32_t run = (1U << size) - 1U;
  for (unsigned low = 2; low + size - 1 <= static_cast<unsigned>(rank_ace); ++low) {
    if (ranks == run << low) return static_cast<int>(low + size - 1);
  }
  const std::uint32_t wheel = ((run >> 1U) << 2U) | (1U << static_cast<unsigned>(rank_ace));
  return ranks == wheel ? static_cast<int>(size) : 0;
}

// The sizes of the two largest groups of equal rank: 4-1 for four of a kind, 3-2 for a full house.
std::array<int, 2> largest_groups(std::span<const Card> cards) {
  std::array<int, 15> counts{};
  for (const Card card : cards) ++counts[static_cast<std::size_t>(card.rank())];
  std::array<int, 2> largest{};
  for (const int count : counts) {
    if (count > largest[0]) {
      largest = {count, largest[0]};
    } else {
      largest[1] = std::max(largest[1], count);
    }
  }
  return largest;
}

CategorySet three_card_categories(std::span<const Card> cards) {
  CategorySet set;
  const bool suited = is_suited(cards);
  const int high = straight_high(cards);
  const int group = largest_groups(cards)[0];
  if (suited && high == rank_ace) {
    set.add(cards.front().suit() == suit_spades ? HandCategory::akq_spades
                                                : HandCategory::akq_other);
  }
  if (suited && high != 0) set.add(HandCategory::straight_flush);
  if (group == 3) set.add(HandCategory::three_of_a_kind);
  if (high != 0) set.add(HandCategory::straight);
  if (suited) set.add(HandCategory::flush);
  if (group >= 2) set.add(HandCategory::pair);
  return set.add(HandCategory::high_card);
}

CategorySet five_card_categories(std::span<const Card> cards) {
  CategorySet set;
  const bool suited = is_suited(cards);
  const int high = straight_high(cards);
  const auto [first, second] = largest_groups(cards);
  if (suited && high == rank_ace) set.add(HandCategory::royal_flush);
  if (suited && high != 0) set.add(HandCategory::straight_flush);
  if (first == 4) set.add(HandCategory::four_of_a_kind);
  if (first == 3 && second == 2) set.add(HandCategory::full_house);
  if (suited) set.add(HandCategory::flush);
  if (high != 0) set.add(HandCategory::straight);
  if (first >= 3) set.add(HandCategory::three_of_a_kind);
  if (first >= 2 && second >= 2) set.add(HandCategory::two_pair);
  if (first >= 2) set.add(HandCategory::pair);
  return set.add(HandCategory::high_card);
}

CategorySet categories_of_four(std::span<const Card> cards) {
  CategorySet set;
  const bool suited = is_suited(cards);
  const bool straight = straight_high(cards) != 0;
  const auto [first, second] = largest_groups(cards);
  if (first == 4 && cards.front().rank() == rank_ace) set.add(HandCategory::four_aces);
  if (first == 4) set.add(HandCategory::four_of_a_kind);
  if (suited && straight) set.add(HandCategory::straight_flush);
  if (first >= 3) set.add(HandCategory::three_of_a_kind);
  if (suited) set.add(HandCategory::flush);
  if (straight) set.add(HandCategory::straight);
  if (first == 2 && second == 2) set.add(HandCategory::two_pair);
  if (first >= 2) set.add(HandCategory::pair);
  return set.add(HandCategory::high_card);
}

// § 657a.6(b): the categories of the best four of the five cards.
CategorySet four_card_categories(std::span<const Card> cards) {
  CategorySet set;
  for (std::size_t left_out = 0; left_out < cards.size(); ++left_out) {
    std::array order{cards[0], cards[1], cards[2], cards[3], cards[4]};
    std::swap(order[left_out], order[4]);
    set.add(categories_of_four(std::span(order).first(4)));
  }
  return set;
}

bool is_blackjack(std::span<const Card> cards) {
  if (cards.size() != 2) return false;
  const int high = std::max(cards[0].rank(), cards[1].rank());
  const int low = std::min(cards[0].rank(), cards[1].rank());
  return high == rank_ace && low >= rank_ten && low <= rank_king;
}

// § 633a.13(l): by the number of cards, including the card that busts. Blackjack is an ace and a
// ten-value card as the first two cards.
CategorySet dealer_cards_categories(std::span<const Card> cards) {
  CategorySet set;
  const std::size_t count = cards.size();
  if (count >= 8) set.add(HandCategory::eight_or_more_cards);
  if (count == 7) set.add(HandCategory::seven_cards);
  if (count == 6) set.add(HandCategory::six_cards);
  if (count == 5) set.add(HandCategory::five_cards);
  if (is_blackjack(cards)) set.add(HandCategory::blackjack);
  return set;
}

// The points of a Blackjack hand: one ace counts eleven if that does not bust.
int points(std::span<const Card> cards) {
  int sum = 0;
  bool has_ace = false;
  for (const Card card : cards) {
    const bool is_ace = card.rank() == rank_ace;
    has_ace = has_ace || is_ace;
    sum += is_ace ? 1 : std::min(card.rank(), rank_ten);
  }
  return has_ace && sum + 10 <= 21 ? sum + 10 : sum;
}

// § 633a.13(j): the dealer's 21 by its number of cards, or the dealer's Blackjack; only against a
// player's 20.
CategorySet twenty_against_dealer_categories(std::span<const Card> cards,
                                             std::span<const Card> dealer) {
  CategorySet set;
  if (points(cards) != 20) return set;
  set.add(HandCategory::player_20);
  if (is_blackjack(dealer)) return set.add(HandCategory::blackjack);
  if (points(dealer) != 21) return set;
  switch (dealer.size()) {
    case 3: return set.add(HandCategory::twenty_one_with_three_cards);
    case 4: return set.add(HandCategory::twenty_one_with_four_cards);
    case 5: return set.add(HandCategory::twenty_one_with_five_cards);
    case 6: return set.add(HandCategory::twenty_one_with_six_cards);
    default: return set.add(HandCategory::twenty_one_with_seven_or_more_cards);
  }
}

// The strength of a straight or better in the order of § 679a.6(b), by its highest rank: a
// mini-royal is the highest straight flush, A-2-3 the lowest. 0: below a straight.
int three_card_strength(std::span<const Card> cards) {
  const int high = straight_high(cards);
  if (high != 0 && is_suited(cards)) return 300 + high;
  if (largest_groups(cards)[0] == 3) return 200 + cards.front().rank();
  return high != 0 ? 100 + high : 0;
}

// § 679a.11(c)(3)(iv): a straight or better that is lower than the dealer's hand. The dealer
// qualifies with queen high, and a hand that beats a straight always qualifies.
CategorySet three_card_beaten_categories(std::span<const Card> cards,
                                         std::span<const Card> dealer) {
  CategorySet set;
  const int strength = three_card_strength(cards);
  if (strength == 0 || three_card_strength(dealer) <= strength) return set;
  const CategorySet own = three_card_categories(cards);
  for (const HandCategory category :
       {HandCategory::straight_flush, HandCategory::three_of_a_kind, HandCategory::straight}) {
    if (own.has(category)) set.add(category);
  }
  return set;
}

constexpr std::array poker_order{HandCategory::high_card,      HandCategory::pair,
                                 HandCategory::two_pair,       HandCategory::three_of_a_kind,
                                 HandCategory::straight,       HandCategory::flush,
                                 HandCategory::full_house,     HandCategory::four_of_a_kind,
                                 HandCategory::straight_flush, HandCategory::royal_flush};

// Position in the poker order; a category that is not a poker hand is below all others.
int poker_strength(HandCategory category) {
  const auto found = std::find(poker_order.begin(), poker_order.end(), category);
  return found == poker_order.end() ? -1 : static_cast<int>(found - poker_order.begin());
}

// The sizes of the groups of equal rank; a straight counts as one group, named by its highest rank.
std::span<const int> groups_of(HandCategory category) {
  static constexpr std::array one_each{1, 1, 1, 1, 1};
  static constexpr std::array run{5};
  static constexpr std::array four{4, 1};
  static constexpr std::array full{3, 2};
  static constexpr std::array three{3, 1, 1};
  static constexpr std::array two_pairs{2, 2, 1};
  static constexpr std::array one_pair{2, 1, 1, 1};
  switch (category) {
    case HandCategory::straight:
    case HandCategory::straight_flush: return run;
    case HandCategory::four_of_a_kind: return four;
    case HandCategory::full_house: return full;
    case HandCategory::three_of_a_kind: return three;
    case HandCategory::two_pair: return two_pairs;
    case HandCategory::pair: return one_pair;
    case HandCategory::flush:
    case HandCategory::high_card: return one_each;
    default: return {};  // a royal flush always has the same ranks
  }
}

PokerRank rank_of_five(const std::array<Card, 5>& cards) {
  const CategorySet set = five_card_categories(cards);
  HandCategory best = HandCategory::high_card;
  for (const HandCategory category : poker_order) {
    if (set.has(category)) best = category;
  }
  // Ranks in order of importance: larger groups first, then higher ranks. A-2-3-4-5 ranks as five
  // high.
  std::array<std::pair<int, int>, 5> grouped{};
  for (std::size_t index = 0; index < cards.size(); ++index) {
    const int rank = cards[index].rank();
    const auto count = std::count_if(cards.begin(), cards.end(),
                                     [rank](Card card) { return card.rank() == rank; });
    grouped[index] = {static_cast<int>(count), rank};
  }
  std::sort(grouped.begin(), grouped.end(), std::greater<>{});
  auto value = static_cast<std::uint32_t>(poker_strength(best)) << 20U;
  if (const int high = straight_high(cards); high != 0) {
    return PokerRank(value | static_cast<std::uint32_t>(high) << 16U);
  }
  for (std::size_t index = 0; index < grouped.size(); ++index) {
    value |= static_cast<std::uint32_t>(grouped[index].second) << (16U - 4U * index);
  }
  return PokerRank(value);
}

}  // namespace

CategorySet categories(HandKind kind, std::span<const Card> cards, std::span<const Card> dealer) {
  INVARIANT(card_count_fits(kind, cards.size()));
  INVARIANT(!depends_on_dealer_hand(kind) || dealer_count_fits(kind, dealer.size()));
  switch (kind) {
    case HandKind::three_card: return three_card_categories(cards);
    case HandKind::five_card: return five_card_categories(cards);
    case HandKind::dealer_cards: return dealer_cards_categories(cards);
    case HandKind::best_of_seven: return CategorySet{}.add(best_five(cards).category());
    case HandKind::four_card: return four_card_categories(cards);
    case HandKind::seven_card: return pai_gow_categories(seven_cards(cards));
    case HandKind::twenty_against_dealer: return twenty_against_dealer_categories(cards, dealer);
    case HandKind::three_card_beaten: return three_card_beaten_categories(cards, dealer);
  }
  return {};
}

bool depends_on_dealer_hand(HandKind kind) {
  return kind == HandKind::twenty_against_dealer || kind == HandKind::three_card_beaten;
}

bool card_count_fits(HandKind kind, std::size_t count) {
  switch (kind) {
    case HandKind::three_card:
    case HandKind::three_card_beaten: return count == 3;
    case HandKind::five_card:
    case HandKind::four_card: return count == 5;
    case HandKind::seven_card: return count == 7;
    case HandKind::dealer_cards: return count >= 2 && count <= limits::cards_per_hand_max;
    case HandKind::twenty_against_dealer: return count >= 1 && count <= limits::cards_per_hand_max;
    case HandKind::best_of_seven: return count >= 5 && count <= 7;
  }
  return false;
}

bool dealer_count_fits(HandKind kind, std::size_t count) {
  return kind == HandKind::three_card_beaten ? count == 3
                                             : card_count_fits(HandKind::dealer_cards, count);
}

HandCategory PokerRank::category() const { return poker_order[value_ >> 20U]; }

PokerRank best_five(std::span<const Card> cards) {
  INVARIANT(card_count_fits(HandKind::best_of_seven, cards.size()));
  PokerRank best;
  const std::size_t size = cards.size();
  for (std::uint32_t chosen = 0; chosen < 1U << size; ++chosen) {
    std::array<Card, 5> five{cards[0], cards[0], cards[0], cards[0], cards[0]};
    std::size_t count = 0;
    for (std::size_t index = 0; index < size && count <= 5; ++index) {
      if (((chosen >> index) & 1U) == 0) continue;
      if (count < 5) five[count] = cards[index];
      ++count;
    }
    if (count == 5) best = std::max(best, rank_of_five(five));
  }
  return best;
}

std::optional<PokerRank> lowest_rank(HandCategory category, std::string_view ranks) {
  const int strength = poker_strength(category);
  const std::span<const int> groups = groups_of(category);
  if (strength < 0 || ranks.size() > groups.size()) return std::nullopt;
  const bool is_straight = groups.size() == 1;
  auto value = static_cast<std::uint32_t>(strength) << 20U;
  int shift = 16;
  for (std::size_t at = 0; at < ranks.size(); ++at) {
    constexpr std::string_view characters = "23456789TJQKA";
    const std::size_t place = characters.find(ranks[at]);
    const bool comes_again = ranks.substr(0, at).find(ranks[at]) != std::string_view::npos;
    if (place == std::string_view::npos || comes_again) return std::nullopt;
    const bool is_beside_equal = at > 0 && groups[at] == groups[at - 1];
    if (is_beside_equal && place > characters.find(ranks[at - 1])) return std::nullopt;
    const int rank = static_cast<int>(place) + 2;
    // The lowest straight is five high; a straight flush that is ace high is a royal flush.
    if (is_straight && rank < 5) return std::nullopt;
    if (category == HandCategory::straight_flush && rank == rank_ace) return std::nullopt;
    for (int card = 0; card < (is_straight ? 1 : groups[at]); ++card, shift -= 4) {
      value |= static_cast<std::uint32_t>(rank) << static_cast<unsigned>(shift);
    }
  }
  return PokerRank(value);
}

std::string_view name(HandKind kind) { return kind_names.of(kind); }

std::string_view name(HandCategory category) { return category_names.of(category); }

std::optional<HandKind> parse_hand_kind(std::string_view text) { return kind_names.parse(text); }

std::optional<HandCategory> parse_hand_category(std::string_view text) {
  return category_names.parse(text);
}

namespace {

constexpr unsigned rank_count = 13;
constexpr unsigned rank_sets = 1U << rank_count;
constexpr unsigned ace = 1U << 12U;
constexpr unsigned king = 1U << 11U;
constexpr unsigned queen = 1U << 10U;
constexpr unsigned ranks_of_royal = 0b1'1111U << 8U;

// The shapes that a set of ranks has. If the ranks are of one suit, a straight is a straight flush.
constexpr unsigned has_flush = 1, has_straight = 2, has_royal = 4, has_seven_in_a_row = 8;
constexpr unsigned shape_bits = 4, all_shapes = 0b1111;

constexpr unsigned bit(bool condition) { return condition ? 1U : 0U; }

constexpr unsigned shape_of(unsigned ranks) {
  // Each bit of these marks the start of a run of that many ranks. The ace also counts below the
  // deuce; K-A-2 is not a run.
  const unsigned one = ranks << 1U | ranks >> (rank_count - 1U);
  const unsigned two = one & one >> 1U;
  const unsigned five = two & two >> 2U & one >> 4U;
  const unsigned seven = five & two >> 5U;
  return has_flush * bit(std::popcount(ranks) >= 5) | has_straight * bit(five != 0) |
         has_royal * bit((ranks & ranks_of_royal) == ranks_of_royal) |
         has_seven_in_a_row * bit(seven != 0);
}

using Shapes = std::array<std::uint8_t, rank_sets>;

// The shapes of every set of ranks.
constexpr Shapes natural_shapes = [] {
  Shapes table{};
  for (unsigned ranks = 0; ranks < rank_sets; ++ranks) {
    table[ranks] = static_cast<std::uint8_t>(shape_of(ranks));
  }
  return table;
}();

// The same without a joker; in the upper bits, the shapes that one more card (the joker) can make.
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

// Categories by shape: [0] without, [1] with the joker.
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

// Groups of equal rank: a pair, two pairs, three, four, five aces.
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
    // The three of a kind also counts as one of the two pairs.
    if (two_pair && three) set.add(HandCategory::full_house);
    if ((groups & has_four) != 0) set.add(HandCategory::four_of_a_kind);
    if ((groups & has_five) != 0) set.add(HandCategory::five_aces);
  }
  return table;
}();

// `one` to `five`: the ranks of which the hand has at least that many cards.
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

// § 645a.6(d)(2), (e)(2): in addition to the royal flush, an ace and king of one suit; for the
// Fortune Bonus also a king and queen. They are of another suit and natural cards: seven cards
// cannot hold a royal flush, these two cards and an unused joker.
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
  // Every shape needs four cards of one suit, which only one suit can have.
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
