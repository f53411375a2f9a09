// RoundChecks: why a message of one table about its rounds is refused, before anything is settled:
// rounds, wagers (M10), chips, cards and hands. Each check returns the first reason by precedence,
// or Refusal::none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/round.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class RoundChecks {
 public:
  RoundChecks(const State& state, const FloorRules& rules, TableIndex table, Timestamp now)
      : state_(state),
        rules_(rules),
        table_(table),
        now_(now),
        config_(state.floor().table(table)),
        game_(rules.game(table)),
        session_(state.session(table)) {}

  [[nodiscard]] Refusal check_new_round(const RoundId& id, const Badge& by) const;
  [[nodiscard]] Refusal check_known_round(const RoundId& id, const Badge& by) const;

  // Wagers. `locked`: the round whose wagers are corrected; nullptr: a new round.
  [[nodiscard]] Refusal check_wager(const AskedWager& asked, const Round* locked) const;
  [[nodiscard]] Refusal check_wagers(const std::vector<AskedWager>& asked,
                                     const Round* locked = nullptr) const;
  // A resolved count may only drop wagers of the lock; it neither adds nor changes any.
  [[nodiscard]] Refusal check_resolution(const Round& locked,
                                         const std::vector<PlacedWager>& wagers) const;
  // REQUIRES: check_wagers() returned none.
  [[nodiscard]] std::vector<PlacedWager> place(const std::vector<AskedWager>& asked) const;
  // The number of these wagers that are placed with a chip.
  [[nodiscard]] std::uint32_t chips_expected(const std::vector<PlacedWager>& wagers) const;
  // Whether the handle of their links can count these wagers.
  [[nodiscard]] bool handle_fits(const std::vector<PlacedWager>& wagers) const;

  // Cards and hands.
  [[nodiscard]] Refusal check_hands(const Round& round, const ShowHands& show) const;
  // Checks the number of cards of one hand.
  [[nodiscard]] Refusal check_count(const Round& round, const ShownHand& hand) const;
  [[nodiscard]] Refusal check_cards(CardCounts seen, const std::vector<ShownHand>& hands,
                                    const std::vector<Card>& dealer,
                                    const std::vector<Card>& board) const;
  [[nodiscard]] Refusal check_pot_hands(const PlayPot& pot) const;
  // Whether a wager of this seat compares its hand with the dealer's.
  [[nodiscard]] bool needs_cards(const Round& round, const ShownHand& hand) const;
  // Whether a wager of the round depends on the dealer's hand. A wager forfeited by a fold does
  // not.
  [[nodiscard]] bool waits_for_dealer(const Round& round) const;

  // Checks the badge of a person who does what a dealer alone may not do: resolve a wrong count,
  // reject claims. `may`: whether a person has the right.
  [[nodiscard]] Refusal check_overseer(const Badge& by,
                                       const std::function<bool(const Person&)>& may) const;
  [[nodiscard]] bool has_seat(Seat seat) const {
    return seat.value() >= 1 && seat.value() <= config_.seats;
  }

 protected:
  const State& state_;
  const FloorRules& rules_;
  TableIndex table_;
  Timestamp now_;
  const TableConfig& config_;
  const GameRules& game_;
  const TableSession& session_;

 private:
  [[nodiscard]] std::optional<LinkIndex> find_link(const AskedWager& asked) const;
  [[nodiscard]] Refusal check_hand(const Round& round, const ShownHand& hand) const;
  [[nodiscard]] Refusal check_dealer(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal check_draw(const Round& round, const ShowHands& show) const;
};

}  // namespace linkmeter
