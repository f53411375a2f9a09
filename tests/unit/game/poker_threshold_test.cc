// § 553.20(b)(3): the lowest losing hand that wins a Bad Beat, in the order of § 553.4.

#include "meters/game/poker_threshold.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace linkmeter::poker_threshold_test {
namespace {

PokerRank rank_of(const std::string& cards) { return best_five(parse_cards(cards).value()); }

struct Case {
  HandCategory category;
  const char* ranks;
  const char* reached;  // the lowest hand that reaches it
  const char* missed;   // the highest hand below it
  const char* text;
  const char* words;
};

const std::vector<Case> cases{
    {HandCategory::full_house, "", "2s 2h 2d 3c 3s", "As Ks Qs Js 9s", "full_house", "full house"},
    {HandCategory::full_house, "A", "As Ah Ad 2c 2s", "Ks Kh Kd As Ah", "full_house A",
     "full house, aces full"},
    {HandCategory::full_house, "AT", "As Ah Ad Tc Ts", "As Ah Ad 9c 9s", "full_house AT",
     "full house, aces full of tens"},
    {HandCategory::four_of_a_kind, "8", "8s 8h 8d 8c 2s", "7s 7h 7d 7c As", "four_of_a_kind 8",
     "four of a kind, eights"},
    {HandCategory::four_of_a_kind, "8K", "8s 8h 8d 8c Ks", "8s 8h 8d 8c Qs", "four_of_a_kind 8K",
     "four of a kind, eights with king"},
    {HandCategory::straight_flush, "9", "9s 8s 7s 6s 5s", "8s 7s 6s 5s 4s", "straight_flush 9",
     "straight flush, nine high"},
    {HandCategory::straight, "5", "As 2h 3d 4c 5s", "As Ah Ad Kc Qs", "straight 5",
     "straight, five high"},
    {HandCategory::flush, "AK", "As Ks 4s 3s 2s", "As Qs Js Ts 9s", "flush AK",
     "flush, ace king high"},
    {HandCategory::three_of_a_kind, "J", "Js Jh Jd 3c 2s", "Ts Th Td Ac Ks", "three_of_a_kind J",
     "three of a kind, jacks"},
    {HandCategory::two_pair, "QJ", "Qs Qh Jd Jc 2s", "Qs Qh Td Tc As", "two_pair QJ",
     "two pair, queens and jacks"},
    {HandCategory::pair, "9A", "9s 9h Ad 3c 2s", "9s 9h Kd Qc Js", "pair 9A",
     "pair, nines with ace"},
    {HandCategory::high_card, "K", "Ks 5h 4d 3c 2s", "Qs Jh Td 9c 7s", "high_card K",
     "high card, king high"},
};

}  // namespace

TEST_CASE("a threshold is reached by its lowest hand, but not by the hand below") {
  for (const Case& one : cases) {
    const PokerThreshold threshold{one.category, one.ranks};
    CAPTURE(one.text);
    REQUIRE(threshold.is_a_hand());
    CHECK(threshold.is_reached_by(rank_of(one.reached)));
    CHECK_FALSE(threshold.is_reached_by(rank_of(one.missed)));
    CHECK(threshold.is_reached_by(rank_of("As Ks Qs Js Ts")));
    CHECK_EQ(text(threshold), one.text);
    CHECK_EQ(threshold_words(threshold), one.words);
  }
}

TEST_CASE("ranks that no hand of the category has are not a threshold") {
  struct {
    HandCategory category;
    const char* ranks;
  } const none[] = {
      {HandCategory::full_house, "AA"},     // one rank twice
      {HandCategory::full_house, "AT9"},    // three groups
      {HandCategory::full_house, "1T"},     // no rank
      {HandCategory::full_house, "at"},     // lower case, as in a card
      {HandCategory::full_house, " A"},     //
      {HandCategory::two_pair, "JQ"},       // the lower pair first
      {HandCategory::flush, "KA"},          //
      {HandCategory::pair, "9QA"},          //
      {HandCategory::straight, "4"},        // four cards below an ace
      {HandCategory::straight, "98"},       // a straight is named by its highest card
      {HandCategory::straight_flush, "A"},  // that is a royal flush
      {HandCategory::royal_flush, "A"},     // a royal flush has no rank
      {HandCategory::eight_or_more_cards, ""},
  };
  for (const auto& one : none) {
    CAPTURE(one.ranks);
    CHECK_FALSE(PokerThreshold{one.category, one.ranks}.is_a_hand());
  }
}

}  // namespace linkmeter::poker_threshold_test
