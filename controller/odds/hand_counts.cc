#include "controller/odds/hand_counts.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "meters/game/card.h"
#include "meters/game/hand.h"
#include "meters/values/invariant.h"

namespace linkmeter::odds {

namespace {

Card card_at(int index) { return Card::from_index(static_cast<std::uint8_t>(index)); }

template <std::size_t size>
std::array<Card, size> no_cards_yet() {
  return []<std::size_t... places>(std::index_sequence<places...>) {
    return std::array<Card, size>{(static_cast<void>(places), card_at(0))...};
  }
  (std::make_index_sequence<size>());
}

// Calls judge() with every way to fill cards[place..] from the deck after index `last`.
template <std::size_t size, class Judge>
void each_filling(std::array<Card, size>& cards, std::size_t place, std::span<const Card> deck,
                  std::size_t from, const Judge& judge) {
  if (place == size) {
    judge();
    return;
  }
  for (std::size_t index = from; index + (size - place) <= deck.size(); ++index) {
    cards[place] = deck[index];
    each_filling(cards, place + 1, deck, index + 1, judge);
  }
}

std::vector<Card> full_deck() {
  std::vector<Card> deck;
  deck.reserve(Card::per_deck);
  for (int index = 0; index < Card::per_deck; ++index) deck.push_back(card_at(index));
  return deck;
}

std::uint64_t choose(std::uint64_t from, std::uint64_t count) {
  std::uint64_t ways = 1;
  for (std::uint64_t step = 0; step < count; ++step) ways = ways * (from - step) / (step + 1);
  return ways;
}

// The hands with these two lowest cards: a thread's unit of work.
struct Portion {
  int first = 0;
  int second = 0;
};

std::vector<Portion> portions(int cards_in_deck) {
  std::vector<Portion> all;
  for (int first = 0; first < cards_in_deck; ++first) {
    for (int second = first + 1; second < cards_in_deck; ++second) all.push_back({first, second});
  }
  return all;
}

// Counts all portions on that many threads, including the calling one.
template <class CountPortion>
HandCounts count_in_parallel(int cards_in_deck, unsigned threads, const ProgressReport& report,
                             const CountPortion& count_portion) {
  const std::vector<Portion> all = portions(cards_in_deck);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> done = 0;
  HandCounts counts;
  std::mutex counts_guard;
  const auto work = [&](bool tells) {
    HandCounts own;
    for (std::size_t place = next++; place < all.size(); place = next++) {
      done += count_portion(all[place], own);
      if (tells && report) report(done);
    }
    const std::scoped_lock lock(counts_guard);
    counts.add(own);
  };
  {
    std::vector<std::jthread> others;
    for (unsigned other = 1; other < threads; ++other) others.emplace_back(work, false);
    work(true);
  }
  return counts;
}

template <std::size_t size>
HandCounts count_own_hands(HandKind kind, unsigned threads, const ProgressReport& report) {
  const std::vector<Card> deck = full_deck();
  return count_in_parallel(
      Card::per_deck, threads, report, [&](Portion portion, HandCounts& counts) {
        std::array<Card, size> cards = no_cards_yet<size>();
        cards[0] = card_at(portion.first);
        cards[1] = card_at(portion.second);
        std::uint64_t hands = 0;
        each_filling(cards, 2, deck, static_cast<std::size_t>(portion.second) + 1, [&] {
          counts.add(categories(kind, cards));
          ++hands;
        });
        return hands;
      });
}

SevenCards with(SevenCards hand, Card card) {
  if (card.is_joker()) {
    hand.joker = true;
  } else {
    std::uint16_t& suit = hand.suits[static_cast<std::size_t>(card.suit())];
    suit = static_cast<std::uint16_t>(suit | 1U << static_cast<unsigned>(card.rank() - 2));
  }
  return hand;
}

// Counts every way to add `missing` cards of the deck from index `from` on.
template <std::size_t missing>
void count_seven_cards(const SevenCards& hand, std::size_t from, HandCounts& counts) {
  if constexpr (missing == 0) {
    counts.add(pai_gow_categories(hand));
  } else {
    for (std::size_t index = from; index + missing <= Card::index_count; ++index) {
      count_seven_cards<missing - 1>(with(hand, card_at(static_cast<int>(index))), index + 1,
                                     counts);
    }
  }
}

// The cards are never stored as a list: a hundred million hands are built directly in their form of
// four suits.
HandCounts count_seven_card_hands(unsigned threads, const ProgressReport& report) {
  constexpr int cards_in_deck = Card::index_count;
  return count_in_parallel(cards_in_deck, threads, report, [](Portion portion, HandCounts& counts) {
    const SevenCards lowest = with(with({}, card_at(portion.first)), card_at(portion.second));
    const auto from = static_cast<std::size_t>(portion.second) + 1;
    count_seven_cards<5>(lowest, from, counts);
    return choose(Card::index_count - from, 5);
  });
}

// Only a player's straight or better can be a bad beat: other hands have no category, whatever the
// dealer holds.
bool can_be_a_bad_beat(const std::array<Card, 3>& cards) {
  const CategorySet own = categories(HandKind::three_card, cards);
  return own.has(HandCategory::straight) || own.has(HandCategory::three_of_a_kind);
}

HandCounts count_beaten_hands(unsigned threads, const ProgressReport& report) {
  const std::vector<Card> deck = full_deck();
  const std::uint64_t dealer_hands = choose(Card::per_deck - 3, 3);
  return count_in_parallel(
      Card::per_deck, threads, report, [&](Portion portion, HandCounts& counts) {
        std::array<Card, 3> cards = no_cards_yet<3>();
        cards[0] = card_at(portion.first);
        cards[1] = card_at(portion.second);
        std::uint64_t pairs = 0;
        each_filling(cards, 2, deck, static_cast<std::size_t>(portion.second) + 1, [&] {
          pairs += dealer_hands;
          if (!can_be_a_bad_beat(cards)) {
            counts.add(CategorySet(), dealer_hands);
            return;
          }
          std::vector<Card> rest = deck;
          std::erase_if(rest, [&](Card card) {
            return card == cards[0] || card == cards[1] || card == cards[2];
          });
          std::array<Card, 3> dealer = no_cards_yet<3>();
          each_filling(dealer, 0, rest, 0,
                       [&] { counts.add(categories(HandKind::three_card_beaten, cards, dealer)); });
        });
        return pairs;
      });
}

}  // namespace

void HandCounts::add(const HandCounts& others) {
  for (const SetCount& count : others.counts()) add(count.set, count.hands);
}

std::uint64_t HandCounts::total() const {
  std::uint64_t hands = 0;
  for (const Slot& slot : slots_) hands += slot.count.hands;
  return hands;
}

std::vector<SetCount> HandCounts::counts() const {
  std::vector<SetCount> all;
  for (const Slot& slot : slots_) {
    if (slot.is_taken) all.push_back(slot.count);
  }
  return all;
}

bool is_countable(HandKind kind) {
  switch (kind) {
    case HandKind::three_card:
    case HandKind::five_card:
    case HandKind::four_card:
    case HandKind::seven_card:
    case HandKind::three_card_beaten: return true;
    case HandKind::dealer_cards:
    case HandKind::best_of_seven:
    case HandKind::twenty_against_dealer: break;
  }
  return false;
}

std::uint64_t hands_of(HandKind kind) {
  INVARIANT(is_countable(kind));
  if (kind == HandKind::three_card) return choose(Card::per_deck, 3);
  if (kind == HandKind::seven_card) return choose(Card::per_deck + 1, 7);
  if (kind == HandKind::three_card_beaten)
    return choose(Card::per_deck, 3) * choose(Card::per_deck - 3, 3);
  return choose(Card::per_deck, 5);
}

HandCounts count_hands(HandKind kind, unsigned threads, const ProgressReport& report) {
  INVARIANT(is_countable(kind) && threads >= 1);
  if (kind == HandKind::three_card) return count_own_hands<3>(kind, threads, report);
  if (kind == HandKind::seven_card) return count_seven_card_hands(threads, report);
  if (kind == HandKind::three_card_beaten) return count_beaten_hands(threads, report);
  return count_own_hands<5>(kind, threads, report);
}

std::vector<std::uint64_t> hands_per_line(const HandCounts& counts, const Paytable& paytable) {
  std::vector<std::uint64_t> hands(paytable.lines.size());
  for (const SetCount& count : counts.counts()) {
    const Line* line = paytable.line_for(count.set);
    if (line != nullptr) {
      hands[static_cast<std::size_t>(line - paytable.lines.data())] += count.hands;
    }
  }
  return hands;
}

}  // namespace linkmeter::odds
