// Hand counts: every possible hand of a kind, evaluated by the code that pays, and counted by the
// categories it satisfies. One count serves all paytables of all wagers on that kind.
//
// Nothing is sampled, and no symmetry is assumed: 22,100 three-card hands, 2,598,960 five-card
// hands, 154,143,080 seven-card hands of 53 cards, 407,170,400 pairs of a player's and a dealer's
// three cards.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "meters/game/game_rules.h"
#include "meters/game/hand.h"

namespace linkmeter::odds {

struct SetCount {
  CategorySet set;
  std::uint64_t hands = 0;
  friend bool operator==(const SetCount&, const SetCount&) = default;
};

// Counts sets of categories. Only few distinct sets occur.
class HandCounts {
 public:
  void add(CategorySet set, std::uint64_t hands = 1) {
    Slot& slot = find(set);
    slot.is_taken = true;
    slot.count.hands += hands;
  }
  void add(const HandCounts& others);
  [[nodiscard]] std::uint64_t total() const;
  [[nodiscard]] std::vector<SetCount> counts() const;

 private:
  struct Slot {
    SetCount count;
    bool is_taken = false;
  };
  static constexpr unsigned slot_bits = 8;
  static constexpr std::size_t slot_count = 1U << slot_bits;  // many times the number of sets
  Slot& find(CategorySet set) {
    static_assert(sizeof(CategorySet) == sizeof(std::uint64_t));
    const std::uint64_t mixed = std::bit_cast<std::uint64_t>(set) * 0x9E3779B97F4A7C15U;
    std::size_t place = mixed >> (64U - slot_bits);
    while (slots_[place].is_taken && slots_[place].count.set != set) {
      place = (place + 1) % slot_count;
    }
    slots_[place].count.set = set;
    return slots_[place];
  }

  std::array<Slot, slot_count> slots_{};
};

// Whether every hand of the kind can be counted. A Blackjack dealer's hand depends on the draw, and
// a Poker hand is not evaluated for a wager of its own.
bool is_countable(HandKind kind);

// The number of hands of the kind, or of pairs of hands if it involves the dealer's. REQUIRES:
// is_countable().
std::uint64_t hands_of(HandKind kind);

// Reports the number of counted hands; called on the thread that called count_hands().
using ProgressReport = std::function<void(std::uint64_t hands_done)>;

// REQUIRES: is_countable(), at least one thread.
HandCounts count_hands(HandKind kind, unsigned threads, const ProgressReport& report);

// For each line of the paytable, the number of hands that it pays.
std::vector<std::uint64_t> hands_per_line(const HandCounts& counts, const Paytable& paytable);

}  // namespace linkmeter::odds
