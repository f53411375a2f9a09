#include "meters/game/hand.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/hand_cards.h"

namespace linkmeter::pai_gow_hand_test {
namespace {

using Order = std::vector<HandCategory>;

// The lines of the three wagers in the order of § 645a.13: three-of-a-kind above the straight.
const Order progressive{HandCategory::seven_card_straight_flush,
                        HandCategory::five_aces,
                        HandCategory::royal_flush,
                        HandCategory::straight_flush,
                        HandCategory::four_of_a_kind,
                        HandCategory::full_house};

Order bonus_lines(HandCategory royal_and_match) {
  return {HandCategory::seven_card_straight_flush_no_joker,
          royal_and_match,
          HandCategory::seven_card_straight_flush_with_joker,
          HandCategory::five_aces,
          HandCategory::royal_flush,
          HandCategory::straight_flush,
          HandCategory::four_of_a_kind,
          HandCategory::full_house,
          HandCategory::flush,
          HandCategory::three_of_a_kind,
          HandCategory::straight};
}

const Order fortune = bonus_lines(HandCategory::royal_flush_and_royal_match);
const Order emperor = bonus_lines(HandCategory::royal_flush_and_ace_king_suited);

CategorySet of(const std::string& hand) { return categories(HandKind::seven_card, cards(hand)); }

const std::vector<HandCategory> of_rows{HandCategory::flush, HandCategory::straight,
                                        HandCategory::straight_flush, HandCategory::royal_flush};
const std::vector<HandCategory> of_groups{HandCategory::high_card,  HandCategory::pair,
                                          HandCategory::two_pair,   HandCategory::three_of_a_kind,
                                          HandCategory::full_house, HandCategory::four_of_a_kind};

void add_those_of(CategorySet from, const std::vector<HandCategory>& wanted, CategorySet& to) {
  for (const HandCategory category : wanted) {
    if (from.has(category)) to.add(category);
  }
}

// An independent check: every five of the seven cards, with every card of the deck for the joker.
class EveryUse {
 public:
  static CategorySet of(const std::vector<Card>& hand) {
    EveryUse use;
    for (std::size_t left = 0; left < 7; ++left) {
      for (std::size_t right = left + 1; right < 7; ++right) use.add_five(hand, left, right);
    }
    use.add_seven(hand);
    return use.set_;
  }

 private:
  // The five cards without these two.
  void add_five(const std::vector<Card>& hand, std::size_t left, std::size_t right) {
    std::vector<Card> five;
    for (std::size_t place = 0; place < 7; ++place) {
      if (place != left && place != right) five.push_back(hand[place]);
    }
    const std::array beside{hand[left], hand[right]};
    const auto joker = std::find_if(five.begin(), five.end(), std::mem_fn(&Card::is_joker));
    if (joker == five.end()) {
      const CategorySet natural = categories(HandKind::five_card, five);
      set_.add(natural);
      if (natural.has(HandCategory::royal_flush)) add_match(beside);
      return;
    }
    for (std::uint8_t index = 0; index < 52; ++index) {
      *joker = Card::from_index(index);
      const CategorySet used = categories(HandKind::five_card, five);
      add_those_of(used, of_rows, set_);
      if (used.has(HandCategory::royal_flush)) add_match(beside);
      if (joker->rank() != rank_ace) continue;
      add_those_of(used, of_groups, set_);
      if (std::all_of(five.begin(), five.end(),
                      [](Card card) { return card.rank() == rank_ace; })) {
        set_.add(HandCategory::five_aces);
      }
    }
  }

  void add_match(std::array<Card, 2> beside) {
    if (beside[0].is_joker() || beside[1].is_joker() || beside[0].suit() != beside[1].suit()) {
      return;
    }
    const int high = std::max(beside[0].rank(), beside[1].rank());
    const int low = std::min(beside[0].rank(), beside[1].rank());
    const bool ace_king = high == rank_ace && low == rank_king;
    if (ace_king) set_.add(HandCategory::royal_flush_and_ace_king_suited);
    if (ace_king || (high == rank_king && low == rank_queen)) {
      set_.add(HandCategory::royal_flush_and_royal_match);
    }
  }

  void add_seven(std::vector<Card> hand) {
    const auto joker = std::find_if(hand.begin(), hand.end(), std::mem_fn(&Card::is_joker));
    if (joker == hand.end()) {
      if (!is_seven_card_straight_flush(hand)) return;
      set_.add(HandCategory::seven_card_straight_flush);
      set_.add(HandCategory::seven_card_straight_flush_no_joker);
      return;
    }
    for (std::uint8_t index = 0; index < 52; ++index) {
      *joker = Card::from_index(index);
      if (!is_seven_card_straight_flush(hand)) continue;
      set_.add(HandCategory::seven_card_straight_flush);
      set_.add(HandCategory::seven_card_straight_flush_with_joker);
    }
  }

  static bool is_seven_card_straight_flush(const std::vector<Card>& hand) {
    std::vector<int> ranks;
    for (const Card card : hand) {
      if (card.suit() != hand.front().suit()) return false;
      ranks.push_back(card.rank());
    }
    std::sort(ranks.begin(), ranks.end());
    if (ranks == std::vector{2, 3, 4, 5, 6, 7, rank_ace}) return true;
    for (std::size_t place = 1; place < ranks.size(); ++place) {
      if (ranks[place] != ranks[place - 1] + 1) return false;
    }
    return true;
  }

  CategorySet set_;
};

}  // namespace

TEST_CASE("the line of each of the three wagers") {
  struct Hand {
    const char* cards;
    HandCategory progressive, fortune, emperor;
  };
  constexpr HandCategory none = HandCategory::count_;
  constexpr HandCategory seven = HandCategory::seven_card_straight_flush;
  constexpr HandCategory natural_seven = HandCategory::seven_card_straight_flush_no_joker;
  constexpr HandCategory joker_seven = HandCategory::seven_card_straight_flush_with_joker;
  constexpr HandCategory royal = HandCategory::royal_flush;
  constexpr HandCategory royal_match = HandCategory::royal_flush_and_royal_match;
  constexpr HandCategory royal_ace_king = HandCategory::royal_flush_and_ace_king_suited;
  constexpr HandCategory run = HandCategory::straight_flush;
  constexpr HandCategory five = HandCategory::five_aces;
  constexpr HandCategory four = HandCategory::four_of_a_kind;
  constexpr HandCategory house = HandCategory::full_house;
  constexpr HandCategory flush = HandCategory::flush;
  constexpr HandCategory three = HandCategory::three_of_a_kind;
  constexpr HandCategory straight = HandCategory::straight;
  for (const Hand& hand : std::vector<Hand>{
           // Seven in a row, the ace at either end and not in the middle; a royal within it ranks
           // lower.
           {"As 2s 3s 4s 5s 6s 7s", seven, natural_seven, natural_seven},
           {"8h 9h Th Jh Qh Kh Ah", seven, natural_seven, natural_seven},
           {"8h 9h Th Jh Xx Kh Ah", seven, joker_seven, joker_seven},
           {"9h Th Jh Qh Kh Ah Xx", seven, joker_seven, joker_seven},
           {"Xx 2d 3d 4d 5d 6d 7d", seven, joker_seven, joker_seven},
           {"Ks As 2s 3s 4s 5s 6s", run, run, run},
           {"Kh Ah 2h 3h 4h 5h Xx", run, run, run},
           {"2h 3h 4h 5h 6h 7h 8d", run, run, run},
           {"2h 3h 4h 6h 7h 9h Xx", run, run, run},  // two gaps for one joker
           // Two cards beside a royal count only if both are of one other suit, without the joker.
           {"As Ks Qs Js Ts Ah Kh", royal, royal_match, royal_ace_king},
           {"As Ks Qs Js Ts Qh Kh", royal, royal_match, royal},
           {"As Ks Qs Js Ts Ah Qh", royal, royal, royal},
           {"As Ks Qs Js Ts Ah Kd", royal, royal, royal},
           {"As Ks Qs Js Ts Xx Kd", royal, royal, royal},
           {"As Ks Qs Js Ts Xx 4d", royal, royal, royal},
           {"Ks Qs Js Ts Xx Ah Kh", royal, royal_match, royal_ace_king},
           {"As Ks Xx Js Ts Kh Qh", royal, royal_match, royal},
           // The joker is an ace for five aces, but preferably the ten of a royal.
           {"As Ah Ad Ac Xx Ks Qs", five, five, five},
           {"As Ah Ad Xx Ks Qs Js", royal, royal, royal},
           {"Ks Qs Js Ts 9s Xx 2d", royal, royal, royal},
           {"As 2s 3s 4s Xx Ah Ad", run, run, run},
           {"Qd Kd Ad 2d 3d 4d Xx", run, run, run},  // 5 completes A-2-3-4-5
           {"As Ah Ad Xx Kc Kd 2h", four, four, four},
           {"Kc Kd Kh Ks Xx 2s 3h", four, four, four},
           {"9s 9h 9d 9c Ks Kh Kd", four, four, four},
           // An unused joker pairs an ace and no other card.
           {"Kc Kd Kh As Xx 7s 2h", house, house, house},
           {"As Ah Xx Kd Kc 7s 4h", house, house, house},
           {"Ks Kh Kd Qs Qh Qd 2c", house, house, house},
           {"Kc Kd Kh Xx 9s 7s 2h", none, three, three},
           {"Kc Kd Qs Qh Jd Jc Xx", none, none, none},
           {"Xx 4d 6h 8s Tc Qd Kh", none, none, none},
           {"As Ah Xx Kd 9c 7s 4h", none, three, three},
           {"As Xx Kd Jh 8c 6s 3h", none, none, none},  // a pair of aces
           // Flushes and straights.
           {"2s 5s 9s Js Xx Kd Kh", none, flush, flush},
           {"2s 5s 9s Xx Jd Kd Kh", none, none, none},
           {"Ks As 2s 3s Xx 9d 9h", none, flush, flush},  // K-A-2-3 is not in a row
           {"2h 3d 4c 5s Xx 9h Kd", none, straight, straight},
           {"Ah 2d 3c 4s Xx 9h Jd", none, straight, straight},
           {"Jh Qd Kc As Xx 5h 7d", none, straight, straight},
           {"5s 6h 7d 9c Xx 2s Kh", none, straight, straight},
           {"5s 6h 8d 9c Xx 2s Kh", none, straight, straight},
           {"5s 6h 9d Tc Xx 2s Kh", none, none, none},
           {"Qh Kd Ac 2s 3h 8h 9d", none, none, none},
           {"Kh Ad 2c 3s Xx 8h 9d", none, none, none},
           // Both: the paytable has three-of-a-kind above the straight.
           {"5s 6h 7d 8c 9s 9h 9d", none, three, three},
           {"Ah As Xx 2d 3c 4s 5h", none, three, three},
       }) {
    CAPTURE(hand.cards);
    const CategorySet set = of(hand.cards);
    CHECK_EQ(first_of(progressive, set), hand.progressive);
    CHECK_EQ(first_of(fortune, set), hand.fortune);
    CHECK_EQ(first_of(emperor, set), hand.emperor);
  }
}

TEST_CASE("the set contains every category that the seven cards can have") {
  const CategorySet both = of("As Ah Ad Ac Xx Kh Kd");
  for (const HandCategory category :
       {HandCategory::five_aces, HandCategory::four_of_a_kind, HandCategory::full_house,
        HandCategory::three_of_a_kind, HandCategory::two_pair, HandCategory::pair}) {
    CHECK(both.has(category));
  }
  CHECK_FALSE(both.has(HandCategory::straight));
  const CategorySet royal = of("As Ks Qs Js Ts Ah Kh");
  for (const HandCategory category : {HandCategory::straight_flush, HandCategory::flush,
                                      HandCategory::straight, HandCategory::two_pair}) {
    CHECK(royal.has(category));
  }
  // The joker completes the flush as any spade, but it does not make a third king.
  const CategorySet flush = of("2s 5s 9s Js Xx Kd Kh");
  CHECK(flush.has(HandCategory::flush));
  CHECK_FALSE(flush.has(HandCategory::three_of_a_kind));
}

TEST_CASE("cards and suit masks give the same hand") {
  const SevenCards hand = seven_cards(cards("2c Ac 3d Xx Kh Ts 2s"));
  CHECK_EQ(hand.suits[0], 0b1'0000'0000'0001);
  CHECK_EQ(hand.suits[1], 0b10);
  CHECK_EQ(hand.suits[2], 0b1000'0000'0000);
  CHECK_EQ(hand.suits[3], 0b1'0000'0001);
  CHECK(hand.joker);
  CHECK_FALSE(seven_cards(cards("2c Ac 3d 4d Kh Ts 2s")).joker);
}

TEST_CASE("seven cards agree with trying every use of the joker") {
  // Small decks make the rare hands common.
  const std::vector<std::function<bool(Card)>> decks{
      [](Card) { return true; },
      [](Card card) { return card.suit() < 2; },
      [](Card card) { return card.suit() == 3; },
      [](Card card) { return card.suit() < 2 && card.rank() >= rank_ten; },
      [](Card card) { return card.rank() >= rank_jack; },
      [](Card card) { return card.rank() >= rank_queen; },
      [](Card card) { return card.rank() <= 6 || card.rank() == rank_ace; },
  };
  std::mt19937_64 chance(645);
  std::map<HandCategory, int> seen;
  for (const auto& belongs : decks) {
    std::vector<Card> deck{Card::from_index(Card::joker_index)};
    for (std::uint8_t index = 0; index < 52; ++index) {
      if (belongs(Card::from_index(index))) deck.push_back(Card::from_index(index));
    }
    for (int round = 0; round < 30'000; ++round) {
      // Every fourth hand always has the joker, the others by chance.
      const std::size_t dealt = round % 4 == 0 ? 1 : 0;
      if (dealt == 1)
        std::iter_swap(deck.begin(), std::find(deck.begin(), deck.end(), cards("Xx")[0]));
      for (std::size_t place = dealt; place < 7; ++place) {
        std::swap(deck[place], deck[place + chance() % (deck.size() - place)]);
      }
      const std::vector<Card> hand(deck.begin(), deck.begin() + 7);
      const CategorySet expected = EveryUse::of(hand);
      REQUIRE_EQ(categories(HandKind::seven_card, hand), expected);
      ++seen[first_of(fortune, expected)];
      ++seen[first_of(emperor, expected)];
    }
  }
  for (const HandCategory category : fortune) CHECK_GT(seen[category], 0);
  for (const HandCategory category : emperor) CHECK_GT(seen[category], 0);
  CHECK_GT(seen[HandCategory::count_], 0);
}

}  // namespace linkmeter::pai_gow_hand_test
