// Hands: evaluates a set of cards, for each kind of hand that a chapter can name.
//
// A hand kind maps cards to the set of categories that the cards satisfy. A paytable line names a
// category. The first line, in paytable order, whose category is in the set pays ("only the highest
// hand pays"). Games are data; hand kinds and categories are code.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "meters/game/card.h"

namespace linkmeter {

enum class HandKind : std::uint8_t {
  three_card,     // three own cards; A-2-3 and A-K-Q are straights (Raise It Up)
  five_card,      // five own cards; A-2-3-4-5 is a straight (Crazy 4 five-card)
  dealer_cards,   // the dealer's Blackjack hand: how many cards, or Blackjack (Hit and Run)
  best_of_seven,  // best five of the player's and the board's cards (Poker)
  four_card,      // the best four of five own cards; A-2-3-4 is a straight (Crazy 4 four-card)
  seven_card,     // seven own cards; the joker is an ace or completes a hand (Pai Gow)
  twenty_against_dealer,  // a player's 20 against a dealer's 21 of many cards (Bad Beat)
  three_card_beaten,      // three own cards that the dealer's three beat (Three Card Prime)
};

// The names of categories are the line ids of the catalogue, one to one.
enum class HandCategory : std::uint8_t {
  akq_spades,  // A-K-Q of spades
  akq_other,   // A-K-Q of one other suit
  royal_flush,
  straight_flush,
  four_of_a_kind,
  full_house,
  flush,
  straight,
  three_of_a_kind,
  two_pair,
  pair,
  high_card,
  eight_or_more_cards,
  seven_cards,
  six_cards,
  five_cards,
  blackjack,
  four_aces,
  seven_card_straight_flush,  // natural or with the joker
  seven_card_straight_flush_no_joker,
  royal_flush_and_royal_match,      // in addition to a royal flush, A-K or K-Q of one suit
  royal_flush_and_ace_king_suited,  // in addition to a royal flush, A-K of one suit
  seven_card_straight_flush_with_joker,
  five_aces,
  twenty_one_with_seven_or_more_cards,  // "21_with_seven_or_more_cards" of the dealer, against a 20
  twenty_one_with_six_cards,
  twenty_one_with_five_cards,
  twenty_one_with_four_cards,
  twenty_one_with_three_cards,
  player_20,
  count_  // not a category
};

class CategorySet {
 public:
  constexpr CategorySet& add(HandCategory category) {
    bits_ |= std::uint64_t{1} << static_cast<unsigned>(category);
    return *this;
  }
  constexpr CategorySet& add(CategorySet other) {
    bits_ |= other.bits_;
    return *this;
  }
  [[nodiscard]] constexpr bool has(HandCategory category) const {
    return ((bits_ >> static_cast<unsigned>(category)) & 1U) != 0;
  }
  friend constexpr bool operator==(CategorySet, CategorySet) = default;

 private:
  static_assert(static_cast<unsigned>(HandCategory::count_) <= 64);
  std::uint64_t bits_ = 0;
};

// The categories that the cards satisfy. A special category includes the ones that it implies: a
// royal flush is also a straight flush, a flush and a straight. `dealer` is used only by the kinds
// of depends_on_dealer_hand(); for these, a hand that does not win satisfies nothing. REQUIRES:
// card_count_fits(); dealer_count_fits() if `dealer` is used; no joker except in a seven_card hand.
CategorySet categories(HandKind kind, std::span<const Card> cards,
                       std::span<const Card> dealer = {});

// Whether the kind compares the cards with the dealer's.
bool depends_on_dealer_hand(HandKind kind);

// Whether a hand of this kind may have this number of cards: three_card and three_card_beaten 3,
// five_card and four_card 5, seven_card 7, dealer_cards 2 and twenty_against_dealer 1 to
// limits::cards_per_hand_max, best_of_seven 5 to 7. dealer_count_fits(): the same for the dealer's
// hand that the kind uses.
bool card_count_fits(HandKind kind, std::size_t count);
bool dealer_count_fits(HandKind kind, std::size_t count);

// A poker hand's full rank, comparable: the category, then the ranks in order of importance.
class PokerRank {
 public:
  constexpr PokerRank() = default;
  constexpr explicit PokerRank(std::uint32_t value) : value_(value) {}
  [[nodiscard]] HandCategory category() const;
  friend constexpr auto operator<=>(PokerRank, PokerRank) = default;

 private:
  std::uint32_t value_ = 0;  // bits 20-23: strength of the category; below: five ranks of four bits
};

// The best five-card hand of 5 to 7 cards without a joker (§ 553.4, high poker). Equal ranks split.
PokerRank best_five(std::span<const Card> cards);

// The lowest hand of a poker category with these ranks, given as rank characters: one for each
// group of equal cards, larger groups first, and among equal groups the higher rank first ("AT" of
// a full house: aces full of tens); for a straight, its highest rank. Groups that are not given may
// have any rank. nullopt: not a poker category, or no hand of it has such ranks.
std::optional<PokerRank> lowest_rank(HandCategory category, std::string_view ranks);

std::string_view name(HandKind kind);
std::string_view name(HandCategory category);
std::optional<HandKind> parse_hand_kind(std::string_view text);
std::optional<HandCategory> parse_hand_category(std::string_view text);

// Pai Gow hand: the categories of seven cards, with or without the joker, for the wagers of Ch.
// 645a.
//
// The joker is an ace, or any card that completes a straight, a flush, a straight flush or a royal
// flush (§ 645a.6(a)). It is never a king beside kings, nor the second card of another pair. The
// set has the categories of every such use, so the order of a paytable's lines decides which of
// them pays. The exact odds evaluate every hand of the deck with this same function, so it is fast,
// and the counted odds are those of the hands that pay.

// Seven cards by suit (clubs, diamonds, hearts, spades): bit 0 is the deuce, bit 12 the ace.
struct SevenCards {
  std::array<std::uint16_t, 4> suits{};
  bool joker = false;
  friend bool operator==(const SevenCards&, const SevenCards&) = default;
};

SevenCards seven_cards(std::span<const Card> cards);

// REQUIRES: seven cards, and no bit above the ace's.
CategorySet pai_gow_categories(const SevenCards& hand);

}  // namespace linkmeter
