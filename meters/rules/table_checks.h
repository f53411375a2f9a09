// TableChecks: what is wrong with the wagers, cards and hands of one table, as far as the floor and
// its chapters tell. The controller decides with these checks (RoundChecks adds what its state
// tells), and the table's agent tells the dealer with the same ones.
//
// Laws: each check gives the first reason by precedence, and of equal reasons the first one in the
// message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/game/card.h"
#include "meters/state/round.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The reason to refuse a message, or Refusal::none, and the part of the message that gives it.
struct CheckResult {
  enum class Part : std::uint8_t { message, seat, card, dealer, board, draw };

  Refusal refusal = Refusal::none;
  Part part = Part::message;
  Seat seat = {};                 // of a hand or wager
  std::optional<Card> card = {};  // that may not be there
  std::size_t cards_count = 0;    // of the hand, if their number is wrong

  // Of two refusals, keeps the one that takes precedence.
  void consider(const CheckResult& other) {
    if (first_of(refusal, other.refusal) != refusal) *this = other;
  }
};

class TableChecks {
 public:
  // `parts`: of this table (FloorIndex). All must outlive the checks.
  TableChecks(const Floor& floor, const FloorRules& rules,
              const std::vector<FloorIndex::Part>& parts, TableIndex table)
      : rules_(rules),
        table_(table),
        config_(floor.table(table)),
        game_(rules.game(table)),
        floor_(floor),
        parts_(parts) {}

  // Wagers. Whether the table takes such a wager at all.
  [[nodiscard]] Refusal check_offered(const AskedWager& wager) const;
  // A resolved count may only drop wagers of the lock; it neither adds nor changes any.
  [[nodiscard]] CheckResult check_resolution(const Round& locked,
                                             const std::vector<PlacedWager>& wagers) const;
  // The link that takes the wager; nullopt: none.
  [[nodiscard]] std::optional<LinkIndex> find_link(const AskedWager& wager) const;
  // REQUIRES: check_offered() accepts each of them.
  [[nodiscard]] std::vector<PlacedWager> place(const std::vector<AskedWager>& wagers) const;
  // The number of these wagers that are placed with a chip.
  [[nodiscard]] std::uint32_t chips_expected(const std::vector<PlacedWager>& wagers) const;

  // Cards and hands.
  [[nodiscard]] CheckResult check_hands(const Round& round, const ShowHands& show) const;
  // Checks the number of cards of one hand.
  [[nodiscard]] Refusal check_count(const Round& round, const ShownHand& hand) const;
  [[nodiscard]] CheckResult check_cards(CardCounts seen, const std::vector<ShownHand>& hands,
                                        const std::vector<Card>& dealer,
                                        const std::vector<Card>& board) const;
  [[nodiscard]] CheckResult check_pot_hands(const PlayPot& pot) const;
  // Whether a wager of this seat compares its hand with the dealer's.
  [[nodiscard]] bool needs_cards(const Round& round, const ShownHand& hand) const;
  // Whether a wager of the round depends on the dealer's hand. A wager forfeited by a fold does
  // not.
  [[nodiscard]] bool waits_for_dealer(const Round& round) const;
  [[nodiscard]] bool has_seat(Seat seat) const {
    return seat.value() >= 1 && seat.value() <= config_.seats;
  }

 protected:
  const FloorRules& rules_;
  TableIndex table_;
  const TableConfig& config_;
  const GameRules& game_;

 private:
  using Part = CheckResult::Part;

  [[nodiscard]] Refusal check_hand(const Round& round, const ShownHand& hand) const;
  [[nodiscard]] Refusal check_dealer(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal check_draw(const Round& round, const ShowHands& show) const;

  const Floor& floor_;
  const std::vector<FloorIndex::Part>& parts_;
};

}  // namespace linkmeter
