#include "tests/property/naive_hand.h"

#include <algorithm>
#include <map>

namespace linkmeter {

namespace {

// "As" as rank 14 and suit 3: card.h says how an index is made.
struct Face {
  int rank = 0;
  int suit = 0;
};

std::vector<Face> faces_of(const std::vector<Card>& cards) {
  std::vector<Face> faces;
  for (const Card card : cards) faces.push_back({2 + card.index() / 4, card.index() % 4});
  return faces;
}

bool holds(const std::vector<Face>& faces, int rank, int suit) {
  for (const Face& face : faces) {
    if (face.rank == rank && face.suit == suit) return true;
  }
  return false;
}

bool holds(const std::vector<Face>& faces, int rank) {
  for (int suit = 0; suit < 4; ++suit) {
    if (holds(faces, rank, suit)) return true;
  }
  return false;
}

int count_of(const std::vector<Face>& faces, int rank) {
  int count = 0;
  for (const Face& face : faces) count += face.rank == rank ? 1 : 0;
  return count;
}

// All runs of `length` ranks, the ace once below the deuce and once above the king.
std::vector<std::vector<int>> make_runs(int length) {
  std::vector<std::vector<int>> runs;
  for (int low = 1; low + length - 1 <= 14; ++low) {
    std::vector<int> run;
    for (int step = 0; step < length; ++step) run.push_back(low + step == 1 ? 14 : low + step);
    runs.push_back(run);
  }
  return runs;
}

const std::vector<std::vector<int>>& runs_of(std::size_t length) {
  static const std::vector<std::vector<int>> of_three = make_runs(3), of_five = make_runs(5);
  return length == 3 ? of_three : of_five;
}

// The last rank of the run that the cards are; 0: no straight.
int straight_end(const std::vector<Face>& faces) {
  int end = 0;
  for (const std::vector<int>& run : runs_of(faces.size())) {
    bool all = true;
    for (const int rank : run) all = all && holds(faces, rank);
    if (all) end = run.back();
  }
  return end;
}

bool is_straight_flush(const std::vector<Face>& faces) {
  for (int suit = 0; suit < 4; ++suit) {
    for (const std::vector<int>& run : runs_of(faces.size())) {
      bool all = true;
      for (const int rank : run) all = all && holds(faces, rank, suit);
      if (all) return true;
    }
  }
  return false;
}

bool is_flush(const std::vector<Face>& faces) {
  for (const Face& face : faces) {
    if (face.suit != faces.front().suit) return false;
  }
  return true;
}

int ranks_held(const std::vector<Face>& faces, int times) {
  int ranks = 0;
  for (int rank = 2; rank <= 14; ++rank) ranks += count_of(faces, rank) == times ? 1 : 0;
  return ranks;
}

bool fits_three(const std::string& line, const std::vector<Face>& faces) {
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
  if (line == "straight_flush") return is_straight_flush(faces);
  if (line == "three_of_a_kind") return ranks_held(faces, 3) == 1;
  if (line == "straight") return straight_end(faces) != 0;
  return false;
}

bool fits_five(const std::string& line, const std::vector<Face>& faces) {
  if (faces.size() != 5) return false;
  if (line == "royal_flush") {
    for (int suit = 0; suit < 4; ++suit) {
      bool all = true;
      for (int rank = 10; rank <= 14; ++rank) all = all && holds(faces, rank, suit);
      if (all) return true;
    }
    return false;
  }
  if (line == "straight_flush") return is_straight_flush(faces);
  if (line == "four_of_a_kind") return ranks_held(faces, 4) == 1;
  if (line == "full_house") return ranks_held(faces, 3) == 1 && ranks_held(faces, 2) == 1;
  if (line == "flush") return is_flush(faces);
  if (line == "straight") return straight_end(faces) != 0;
  if (line == "three_of_a_kind") return ranks_held(faces, 3) == 1;
  if (line == "two_pair") return ranks_held(faces, 2) == 2;
  if (line == "pair") return ranks_held(faces, 2) == 1;
  return line == "high_card";
}

// § 633a.7(o)(2)(i): the card that busts the dealer counts.
bool fits_dealer(const std::string& line, const std::vector<Face>& faces) {
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

std::vector<int> strength_of_five(const std::vector<Face>& faces) {
  const std::vector<std::string>& names = naive_poker_names();
  int best = 0;
  for (int place = 0; place < static_cast<int>(names.size()); ++place) {
    if (fits_five(names[static_cast<std::size_t>(place)], faces)) best = place;
  }
  std::vector<int> strength{best};
  if (const int end = straight_end(faces); end != 0) {
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
                     const std::vector<Card>& cards) {
  const std::vector<Face> faces = faces_of(cards);
  if (wager == "raise-it-up/progressive") return fits_three(line, faces);
  if (wager == "crazy-4/five-card") return fits_five(line, faces);
  if (wager == "blackjack/hit-and-run") return fits_dealer(line, faces);
  return false;
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
