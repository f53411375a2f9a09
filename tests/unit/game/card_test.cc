#include "meters/game/card.h"

#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

namespace linkmeter::card_test {

TEST_CASE("52 cards and a joker are read and printed back, each with its rank and suit") {
  std::set<std::uint8_t> seen;
  int rank = 2;
  for (const char rank_letter : std::string("23456789TJQKA")) {
    int suit = 0;
    for (const char suit_letter : std::string("cdhs")) {
      const std::string word{rank_letter, suit_letter};
      CAPTURE(word);
      const auto card = parse_card(word);
      REQUIRE(card.has_value());
      CHECK_EQ(card->rank(), rank);
      CHECK_EQ(card->suit(), suit);
      CHECK_EQ(text(*card), word);
      seen.insert(card->index());
      ++suit;
    }
    ++rank;
  }
  const auto joker = parse_card("Xx");
  REQUIRE(joker.has_value());
  CHECK(joker->is_joker());
  CHECK_EQ(text(*joker), "Xx");
  seen.insert(joker->index());
  CHECK_EQ(seen.size(), 53);
}

TEST_CASE("nothing else is a card") {
  for (const char* text : {"", "A", "As ", " As", "as", "AS", "1s", "10s", "0s", "Ax", "XX", "xx",
                           "Xs", "AsKs", "A\xE2\x99\xA0"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_card(text).has_value());
  }
}

TEST_CASE("a round counts as many copies of a card as there are decks") {
  CardCounts counts;
  const Card ace = *parse_card("As");
  const Card king = *parse_card("Ks");
  CHECK(counts.add(ace, 1));
  CHECK_FALSE(counts.add(ace, 1));
  CHECK_EQ(counts.count(ace), 1);
  CHECK(counts.add(ace, 2));
  CHECK_FALSE(counts.add(ace, 2));
  CHECK_EQ(counts.count(ace), 2);
  CHECK_EQ(counts.count(king), 0);
  CHECK(counts.add(king, 1));
  CHECK(counts.remove(ace));
  CHECK_EQ(counts.count(ace), 1);
  CHECK(counts.remove(ace));
  CHECK_FALSE(counts.remove(ace));
  CHECK_EQ(counts.count(ace), 0);
  CHECK_EQ(counts.count(king), 1);
}

TEST_CASE("cards are read with blanks or commas between them") {
  const std::vector<Card> three{*parse_card("As"), *parse_card("Td"), *parse_card("Xx")};
  for (const char* text : {"As Td Xx", " As  Td,Xx ", "As,Td,Xx", "As,\tTd Xx,"}) {
    CAPTURE(text);
    CHECK_EQ(parse_cards(text), three);
  }
  CHECK_EQ(parse_cards(""), std::vector<Card>());
  CHECK_EQ(parse_cards(" , "), std::vector<Card>());
  for (const char* text : {"AsTd", "As;Td", "1s", "as td", "As T", "10s"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_cards(text));
  }
}

TEST_CASE("a count of cards never wraps, however many are seen") {
  CardCounts counts;
  const Card ace = parse_card("As").value();
  constexpr int seen_max = 255;
  for (int seen = 0; seen < seen_max; ++seen) REQUIRE(counts.add(ace, 1'000));
  CHECK_FALSE(counts.add(ace, 1'000));
  CHECK_EQ(counts.count(ace), seen_max);
}

}  // namespace linkmeter::card_test
