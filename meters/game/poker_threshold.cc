#include "meters/game/poker_threshold.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace linkmeter {

namespace {

struct RankWord {
  char rank;
  std::string_view one, several;
};

constexpr std::array rank_words{RankWord{'2', "two", "twos"},     RankWord{'3', "three", "threes"},
                                RankWord{'4', "four", "fours"},   RankWord{'5', "five", "fives"},
                                RankWord{'6', "six", "sixes"},    RankWord{'7', "seven", "sevens"},
                                RankWord{'8', "eight", "eights"}, RankWord{'9', "nine", "nines"},
                                RankWord{'T', "ten", "tens"},     RankWord{'J', "jack", "jacks"},
                                RankWord{'Q', "queen", "queens"}, RankWord{'K', "king", "kings"},
                                RankWord{'A', "ace", "aces"}};

const RankWord& word_of(char rank) {
  for (const RankWord& word : rank_words) {
    if (word.rank == rank) return word;
  }
  return rank_words.front();
}

// "king, queen": the ranks in words, joined by `between`.
std::string singles(std::string_view ranks, std::string_view between) {
  std::string all;
  for (const char rank : ranks) {
    if (!all.empty()) all += between;
    all += word_of(rank).one;
  }
  return all;
}

std::string with_kickers(std::string groups, std::string_view kickers) {
  return kickers.empty() ? groups : groups + " with " + singles(kickers, ", ");
}

// REQUIRES: at least one rank.
std::string rank_phrase(HandCategory category, std::string_view ranks) {
  const std::string first(word_of(ranks[0]).several);
  switch (category) {
    case HandCategory::full_house:
      return first + " full" +
             (ranks.size() > 1 ? " of " + std::string(word_of(ranks[1]).several) : "");
    case HandCategory::two_pair:
      return ranks.size() < 2
                 ? first
                 : with_kickers(first + " and " + std::string(word_of(ranks[1]).several),
                                ranks.substr(2));
    case HandCategory::four_of_a_kind:
    case HandCategory::three_of_a_kind:
    case HandCategory::pair: return with_kickers(first, ranks.substr(1));
    default: return singles(ranks, " ") + " high";
  }
}

}  // namespace

std::string text(const PokerThreshold& threshold) {
  const std::string category(name(threshold.category));
  return threshold.ranks.empty() ? category : category + " " + threshold.ranks;
}

std::string threshold_words(const PokerThreshold& threshold) {
  std::string category(name(threshold.category));
  for (char& character : category) {
    if (character == '_') character = ' ';
  }
  if (threshold.ranks.empty()) return category;
  return category + ", " + rank_phrase(threshold.category, threshold.ranks);
}

}  // namespace linkmeter
