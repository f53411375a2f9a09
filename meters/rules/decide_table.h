// TableDecision: decides the commands of one table, one function per command. decide() calls it
// when the message's number is the next one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"

namespace linkmeter {

class Settlement;

// A fact to be entered, or the reason for a refusal.
struct Outcome {
  Refusal refusal = Refusal::none;
  Fact fact;
  std::vector<Posting> postings;
  std::string about = {};  // the subject of a refusal, if one link is the reason
};

Outcome refused(Refusal refusal, std::string about = {});
Outcome accepted(Fact fact, std::vector<Posting> postings = {});

// Whether the badge is empty or a well-formed name. Empty is valid where the chapter asks for no
// badge.
bool is_well_formed_badge(const Badge& badge);

class TableDecision {
 public:
  TableDecision(const State& state, const FloorRules& rules, TableIndex table, Timestamp now)
      : state_(state),
        rules_(rules),
        table_(table),
        now_(now),
        terms_(state.floor().table(table)),
        game_(rules.game(table)),
        desk_(state.session(table)) {}

  Outcome operator()(const LockRound& lock) const;
  Outcome operator()(const ResolveCount& resolve) const;
  Outcome operator()(const ShowHands& show) const;
  Outcome operator()(const CloseRound& close) const;
  Outcome operator()(const VoidRound& request) const;
  Outcome operator()(const PlayPot& pot) const;
  // Corrections by a person. REQUIRES: the person has the right to correct.
  [[nodiscard]] Outcome correct(const CorrectHand& correct, const Person& by) const;
  [[nodiscard]] Outcome correct(const CorrectDealer& correct, const Person& by) const;
  [[nodiscard]] Outcome correct(const CorrectPot& correct, const Person& by) const;

 private:
  // The effect of undoing awards whose hand or round no longer counts.
  struct RoundReversal {
    Refusal refusal = Refusal::none;  // claim_exists: one of them was validated
    std::vector<Award> reversed;      // awards that were paid
    std::vector<ClaimNumber> pending;
  };
  [[nodiscard]] static RejectedClaims reject(Settlement& settlement,
                                             std::vector<ClaimNumber> claims);
  [[nodiscard]] RoundReversal undo(const std::vector<Award>& awards) const;
  [[nodiscard]] Outcome void_hand(const Round& round, const VoidRound& request) const;
  // Whether the seat shares an award of the dealer's hand.
  [[nodiscard]] bool shares_award(const Round& round, Seat seat) const;
  [[nodiscard]] bool hangs_on_dealer(const Award& award) const;
  [[nodiscard]] bool is_weighed(const Award& award) const;
  [[nodiscard]] bool may_reject(const std::vector<ClaimNumber>& claims, const Person& by) const;
  // Why this badge may not void awards that have pending claims, or Envy that waits for a claim.
  [[nodiscard]] Refusal check_rejection(const std::vector<ClaimNumber>& claims,
                                        const Badge& by) const;
  // Settles the corrected hand and the wagers that compare it with the dealer's; or all that
  // depends on the dealer's side.
  void settle_anew(Settlement& settlement, const Round& round, const SeatShown& shown,
                   const CorrectHand& correct) const;
  void settle_anew(Settlement& settlement, const Round& round,
                   const DealerCorrected& corrected) const;
  [[nodiscard]] Refusal check_dealer_correction(const Round& round,
                                                const DealerCorrected& corrected) const;
  [[nodiscard]] Refusal check_new_round(const RoundId& id, const Badge& by) const;
  [[nodiscard]] Refusal check_known_round(const RoundId& id, const Badge& by) const;
  // `locked`: the round whose wagers are corrected; nullptr: a new round.
  [[nodiscard]] Refusal check_wager(const AskedWager& asked, const Round* locked) const;
  [[nodiscard]] Refusal check_wagers(const std::vector<AskedWager>& asked,
                                     const Round* locked = nullptr) const;
  [[nodiscard]] Refusal check_hands(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal check_hand(const Round& round, const ShownHand& hand) const;
  // Checks the number of cards of one hand.
  [[nodiscard]] Refusal check_count(const Round& round, const ShownHand& hand) const;
  [[nodiscard]] Refusal check_correction(const Round& round, const CorrectHand& correct) const;
  // Whether the seat's hand was compared with the dealer's by the show that had both.
  [[nodiscard]] bool was_weighed(const Round& round, const SeatShown& shown) const;
  // Whether a wager of this seat compares its hand with the dealer's.
  [[nodiscard]] bool needs_cards(const Round& round, const ShownHand& hand) const;
  // Whether a wager of the round depends on the dealer's hand. A wager forfeited by a fold does
  // not.
  [[nodiscard]] bool waits_for_dealer(const Round& round) const;
  // Checks the badge of a person who does what a dealer alone may not do: resolve a wrong count,
  // reject claims. `may`: whether a person has the right.
  template <class May>
  [[nodiscard]] Refusal check_overseer(const Badge& by, const May& may) const;
  [[nodiscard]] Refusal check_resolver(const Badge& by) const;
  // A resolved count may only drop wagers of the lock; it neither adds nor changes any.
  [[nodiscard]] Refusal check_resolution(const Round& locked,
                                         const std::vector<PlacedWager>& wagers) const;
  [[nodiscard]] Refusal check_dealer(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal check_draw(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal check_pot_hands(const PlayPot& pot) const;
  [[nodiscard]] Refusal check_cards(CardCounts seen, const std::vector<ShownHand>& hands,
                                    const std::vector<Card>& dealer,
                                    const std::vector<Card>& board) const;
  [[nodiscard]] bool has_seat(Seat seat) const {
    return seat.value() >= 1 && seat.value() <= terms_.seats;
  }
  [[nodiscard]] std::optional<LinkIndex> find_link(const AskedWager& asked) const;
  // REQUIRES: check_wagers() returned none.
  [[nodiscard]] std::vector<PlacedWager> place(const std::vector<AskedWager>& asked) const;
  [[nodiscard]] std::uint32_t chips_expected(const std::vector<PlacedWager>& wagers) const;
  [[nodiscard]] bool handle_fits(const std::vector<PlacedWager>& wagers) const;

  const State& state_;
  const FloorRules& rules_;
  TableIndex table_;
  Timestamp now_;
  const TableConfig& terms_;
  const GameRules& game_;
  const TableSession& desk_;
};

}  // namespace linkmeter
