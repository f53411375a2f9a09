#include "tests/property/naive_hand.h"

#include <algorithm>
#include <set>
#include <utility>

namespace linkmeter {

namespace {

// "As" as rank 14 and suit 3: card.h defines the index.
struct Face {
  int rank = 0;
  int suit = 0;
};
using Faces = std::vector<Face>;

constexpr int joker = 52;

// Without the joker.
Faces faces_of(const std::vector<Card>& cards) {
  Faces faces;
  for (const Card card : cards) {
    if (card.index() != joker) faces.push_back({2 + card.index() / 4, card.index() % 4});
  }
  return faces;
}

bool holds(const Faces& faces, int rank, int suit) {
  for (const Face& face : faces) {
    if (face.rank == rank && face.suit == suit) return true;
  }
  return false;
}

bool holds(const Faces& faces, int rank) {
  for (const Face& face : faces) {
    if (face.rank == rank) return true;
  }
  return false;
}

int count_of(const Faces& faces, int rank) {
  int count = 0;
  for (const Face& face : faces) count += face.rank == rank ? 1 : 0;
  return count;
}

// The highest end of a run of `length` ranks among the cards, with the ace below the deuce or above
// the king; 0: none.
int run_end(const Faces& faces, int length) {
  int end = 0;
  for (int low = 1; low + length - 1 <= 14; ++low) {
    bool all = true;
    for (int rank = low; all && rank < low + length; ++rank) {
      all = holds(faces, rank == 1 ? 14 : rank);
    }
    if (all) end = low + length - 1;
  }
  return end;
}

// The same within one suit.
int suited_run_end(const Faces& faces, int length) {
  int end = 0;
  for (int suit = 0; suit < 4; ++suit) {
    for (int low = 1; low + length - 1 <= 14; ++low) {
      bool all = true;
      for (int rank = low; all && rank < low + length; ++rank) {
        all = holds(faces, rank == 1 ? 14 : rank, suit);
      }
      if (all) end = std::max(end, low + length - 1);
    }
  }
  return end;
}

bool has_suited(const Faces& faces, int count) {
  for (int suit = 0; suit < 4; ++suit) {
    int held = 0;
    for (const Face& face : faces) held += face.suit == suit ? 1 : 0;
    if (held >= count) return true;
  }
  return false;
}

bool has_royal(const Faces& faces) {
  for (int suit = 0; suit < 4; ++suit) {
    bool all = true;
    for (int rank = 10; rank <= 14; ++rank) all = all && holds(faces, rank, suit);
    if (all) return true;
  }
  return false;
}

// How many ranks occur exactly this many times.
int ranks_held(const Faces& faces, int times) {
  int ranks = 0;
  for (int rank = 2; rank <= 14; ++rank) ranks += count_of(faces, rank) == times ? 1 : 0;
  return ranks;
}

bool fits_three(const std::string& line, const Faces& faces) {
  if (faces.size() != 3) return false;
  if (line == "akq_spades") {
    return holds(faces, 14, 3) && holds(faces, 13, 3) && holds(faces, 12, 3);
  }
  if (line == "akq_other") {
    for (int suit = 0; suit < 3; ++suit) {
      if (holds(faces, 14, suit) && holds(faces, 13, suit) && holds(faces, 12, suit)) return true;
    }
    return false;
  }
  if (line == "straight_flush") return suited_run_end(faces, 3) != 0;
  if (line == "three_of_a_kind") return ranks_held(faces, 3) == 1;
  if (line == "straight") return run_end(faces, 3) != 0;
  return false;
}

bool fits_five(const std::string& line, const Faces& faces) {
  if (faces.size() != 5) return false;
  if (line == "royal_flush") return has_royal(faces);
  if (line == "straight_flush") return suited_run_end(faces, 5) != 0;
  if (line == "four_of_a_kind") return ranks_held(faces, 4) == 1;
  if (line == "full_house") return ranks_held(faces, 3) == 1 && ranks_held(faces, 2) == 1;
  if (line == "flush") return has_suited(faces, 5);
  if (line == "straight") return run_end(faces, 5) != 0;
  // If a chapter has no better line for it, or a later one, four of a kind contain three.
  if (line == "three_of_a_kind") return ranks_held(faces, 3) == 1 || ranks_held(faces, 4) == 1;
  if (line == "two_pair") return ranks_held(faces, 2) == 2;
  if (line == "pair") return ranks_held(faces, 2) == 1;
  return line == "high_card";
}

// § 633a.7(o)(2)(i): the card that busts the dealer counts.
bool fits_dealer(const std::string& line, const Faces& faces) {
  if (line == "eight_or_more_cards") return faces.size() >= 8;
  if (line == "seven_cards") return faces.size() == 7;
  if (line == "six_cards") return faces.size() == 6;
  if (line == "five_cards") return faces.size() == 5;
  if (line == "blackjack" && faces.size() == 2) {
    for (int ten = 10; ten <= 13; ++ten) {
      if (holds(faces, 14) && holds(faces, ten)) return true;
    }
  }
  return false;
}

// § 657a.6: the best four of the five; four aces above any other four.
bool fits_best_four(const std::string& line, const Faces& faces) {
  if (faces.size() != 5) return false;
  if (line == "four_aces") return count_of(faces, 14) == 4;
  if (line == "four_of_a_kind") return ranks_held(faces, 4) == 1;
  if (line == "straight_flush") return suited_run_end(faces, 4) != 0;
  if (line == "three_of_a_kind") return ranks_held(faces, 3) == 1 || ranks_held(faces, 4) == 1;
  return false;
}

// Every total that the cards can have, with each ace as 1 or 11.
std::set<int> blackjack_totals(const Faces& faces) {
  std::set<int> totals{0};
  for (const Face& face : faces) {
    std::set<int> more;
    for (const int total : totals) {
      if (face.rank == 14) more.insert(total + 1);
      more.insert(total + (face.rank == 14 ? 11 : std::min(face.rank, 10)));
    }
    totals = more;
  }
  return totals;
}

// The best total that is not above 21; 0: none.
int blackjack_best(const Faces& faces) {
  int best = 0;
  for (const int total : blackjack_totals(faces)) {
    if (total <= 21) best = std::max(best, total);
  }
  return best;
}

// § 633a.6(e)(8): the player's 20 against the dealer's Blackjack or 21.
bool fits_bad_beat(const std::string& line, const Faces& player, const Faces& dealer) {
  if (blackjack_best(player) != 20) return false;
  if (line == "player_20") return true;
  if (blackjack_best(dealer) != 21) return false;
  if (line == "21_with_seven_or_more_cards") return dealer.size() >= 7;
  if (line == "21_with_six_cards") return dealer.size() == 6;
  if (line == "21_with_five_cards") return dealer.size() == 5;
  if (line == "21_with_four_cards") return dealer.size() == 4;
  if (line == "21_with_three_cards") return dealer.size() == 3;
  return line == "blackjack" && dealer.size() == 2;
}

// § 679a.6(b), lowest first; within a straight or straight flush its end, within three of a kind
// the rank. A-K-Q is the highest straight, A-2-3 the lowest.
std::pair<int, int> prime_strength(const Faces& faces) {
  const std::vector<std::string> names{"flush", "straight", "three_of_a_kind", "straight_flush"};
  std::pair<int, int> strength{0, 0};
  for (std::size_t place = 1; place < names.size(); ++place) {
    if (fits_three(names[place], faces)) strength.first = static_cast<int>(place);
  }
  if (strength.first == 2) {
    strength.second = faces.front().rank;
  } else if (strength.first != 0) {
    strength.second = run_end(faces, 3);
  }
  return strength;
}

// § 679a.11(c)(3)(iv): the player's hand is lower than the dealer's. (A dealer who beats a straight
// qualifies with it.)
bool fits_prime(const std::string& line, const Faces& player, const Faces& dealer) {
  if (player.size() != 3 || dealer.size() != 3 || !fits_three(line, player)) return false;
  return prime_strength(player) < prime_strength(dealer);
}

// § 645a.6 without a joker: seven cards, or the cards that the joker stands for.
bool fits_natural_seven(const std::string& line, const Faces& faces) {
  if (line == "seven_card_straight_flush") return suited_run_end(faces, 7) != 0;
  if (line == "royal_flush") return has_royal(faces);
  if (line == "straight_flush") return suited_run_end(faces, 5) != 0;
  if (line == "flush") return has_suited(faces, 5);
  if (line == "straight") return run_end(faces, 5) != 0;
  int most = 0, pairs = 0;
  for (int rank = 2; rank <= 14; ++rank) {
    most = std::max(most, count_of(faces, rank));
    pairs += count_of(faces, rank) >= 2 ? 1 : 0;
  }
  if (line == "five_aces") return most == 5;
  if (line == "four_of_a_kind") return most >= 4;
  if (line == "full_house") return most >= 3 && pairs >= 2;
  return line == "three_of_a_kind" && most >= 3;
}

// The joker is an ace of no suit; or any card that makes a straight, a flush or both.
bool fits_seven(const std::string& line, const Faces& naturals, bool has_joker) {
  if (!has_joker) return fits_natural_seven(line, naturals);
  const bool completes = line == "seven_card_straight_flush" || line == "royal_flush" ||
                         line == "straight_flush" || line == "flush" || line == "straight";
  Faces faces = naturals;
  faces.push_back({14, 4});
  if (!completes) return fits_natural_seven(line, faces);
  for (int index = 0; index < 52; ++index) {
    faces.back() = {2 + index / 4, index % 4};
    if (fits_natural_seven(line, faces)) return true;
  }
  return false;
}

// A royal flush, with the joker or not, and beside it two natural cards of one suit.
bool fits_match(const Faces& naturals, bool has_joker, bool king_queen_too) {
  for (std::size_t one = 0; one < naturals.size(); ++one) {
    for (std::size_t two = 0; two < naturals.size(); ++two) {
      if (naturals[one].suit != naturals[two].suit) continue;
      const bool ace_king = naturals[one].rank == 14 && naturals[two].rank == 13;
      const bool king_queen = naturals[one].rank == 13 && naturals[two].rank == 12;
      if (!ace_king && !(king_queen && king_queen_too)) continue;
      Faces others;
      for (std::size_t other = 0; other < naturals.size(); ++other) {
        if (other != one && other != two) others.push_back(naturals[other]);
      }
      if (fits_seven("royal_flush", others, has_joker)) return true;
    }
  }
  return false;
}

bool fits_pai_gow(const std::string& line, const std::vector<Card>& cards) {
  if (cards.size() != 7) return false;
  const Faces naturals = faces_of(cards);
  const bool has_joker = naturals.size() != cards.size();
  if (line == "royal_flush_and_royal_match") return fits_match(naturals, has_joker, true);
  if (line == "royal_flush_and_ace_king_suited") return fits_match(naturals, has_joker, false);
  if (line == "seven_card_straight_flush_no_joker") {
    return !has_joker && fits_seven("seven_card_straight_flush", naturals, false);
  }
  if (line == "seven_card_straight_flush_with_joker") {
    return has_joker && fits_seven("seven_card_straight_flush", naturals, true);
  }
  return fits_seven(line, naturals, has_joker);
}

std::vector<int> strength_of_five(const Faces& faces) {
  const std::vector<std::string>& names = naive_poker_names();
  int best = 0;
  for (int place = 0; place < static_cast<int>(names.size()); ++place) {
    if (fits_five(names[static_cast<std::size_t>(place)], faces)) best = place;
  }
  std::vector<int> strength{best};
  if (const int end = run_end(faces, 5); end != 0) {
    strength.push_back(end);
    return strength;
  }
  for (int times = 4; times >= 1; --times) {
    for (int rank = 14; rank >= 2; --rank) {
      if (count_of(faces, rank) == times) strength.push_back(rank);
    }
  }
  return strength;
}

}  // namespace

const std::vector<std::string>& naive_poker_names() {
  static const std::vector<std::string> names{
      "high_card", "pair",       "two_pair",       "three_of_a_kind", "straight",
      "flush",     "full_house", "four_of_a_kind", "straight_flush",  "royal_flush"};
  return names;
}

bool naive_line_fits(const std::string& wager, const std::string& line,
                     const std::vector<Card>& cards, const std::vector<Card>& dealer) {
  const Faces faces = faces_of(cards);
  if (wager == "raise-it-up/progressive") return fits_three(line, faces);
  if (wager == "crazy-4/four-card") return fits_best_four(line, faces);
  if (wager == "crazy-4/five-card") return fits_five(line, faces);
  if (wager == "crazy-4/five-card-hand-bonus") return fits_five(line, faces);
  if (wager == "blackjack/hit-and-run") return fits_dealer(line, faces);
  if (wager == "blackjack/bad-beat") return fits_bad_beat(line, faces, faces_of(dealer));
  if (wager == "three-card-prime/bad-beat-bonus") return fits_prime(line, faces, faces_of(dealer));
  return wager.starts_with("pai-gow-poker/") && fits_pai_gow(line, cards);
}

std::vector<int> naive_poker_strength(const std::vector<Card>& cards) {
  const std::vector<Face> all = faces_of(cards);
  std::vector<int> best;
  const std::size_t size = all.size();
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = a + 1; b < size; ++b) {
      for (std::size_t c = b + 1; c < size; ++c) {
        for (std::size_t d = c + 1; d < size; ++d) {
          for (std::size_t e = d + 1; e < size; ++e) {
            best = std::max(best, strength_of_five({all[a], all[b], all[c], all[d], all[e]}));
          }
        }
      }
    }
  }
  return best;
}

}  // namespace linkmeter
