// TableDecision: what becomes of one table's command, one short function per command. decide()
// calls it once the message's number is the next one.
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

// A fact in the making, or the reason why not.
struct Outcome {
  Refusal refusal = Refusal::none;
  Fact fact;
  std::vector<Posting> postings;
  std::string about = {};  // of a refusal, where one link is the reason
};

Outcome refused(Refusal refusal, std::string about = {});
Outcome accepted(Fact fact, std::vector<Posting> postings = {});

// A badge may be missing where the chapter asks for none; if it is there, it is a name.
bool is_well_formed_badge(const Badge& badge);

// Everything a table's command is decided on. One short function per command.
class TableDecision {
 public:
  TableDecision(const State& state, const FloorRules& rules, TableIndex table, Timestamp now)
      : state_(state),
        rules_(rules),
        table_(table),
        now_(now),
        terms_(state.floor().table(table)),
        game_(rules.game(table)),
        desk_(state.desk(table)) {}

  Outcome operator()(const LockRound& lock) const;
  Outcome operator()(const ResolveCount& resolve) const;
  Outcome operator()(const ShowHands& show) const;
  Outcome operator()(const CloseRound& close) const;
  Outcome operator()(const VoidRound& request) const;
  Outcome operator()(const PlayPot& pot) const;
  // A person's, who has the right to it, and to reject the claims that his correction undoes.
  [[nodiscard]] Outcome correct(const CorrectHand& correct, const Person& by) const;
  [[nodiscard]] Outcome correct(const CorrectDealer& correct, const Person& by) const;
  [[nodiscard]] Outcome correct(const CorrectPot& correct, const Person& by) const;

 private:
  // What becomes of awards whose hand or round counts no more.
  struct Undoing {
    Refusal refusal = Refusal::none;  // claim_exists: one of them was validated
    std::vector<Award> reversed;      // that were paid
    std::vector<ClaimNumber> pending;
  };
  [[nodiscard]] static RejectedClaims reject(Settlement& settlement,
                                             std::vector<ClaimNumber> claims);
  [[nodiscard]] Undoing undo(const std::vector<Award>& awards) const;
  [[nodiscard]] Outcome void_hand(const Round& round, const VoidRound& request) const;
  // Does the seat share an award of the dealer's hand?
  [[nodiscard]] bool shares_award(const Round& round, Seat seat) const;
  [[nodiscard]] bool hangs_on_dealer(const Award& award) const;
  [[nodiscard]] bool is_weighed(const Award& award) const;
  [[nodiscard]] bool may_reject(const std::vector<ClaimNumber>& claims, const Person& by) const;
  // Whoever voids what has pending claims, or Envy that waits for one.
  [[nodiscard]] Refusal refuse_rejection(const std::vector<ClaimNumber>& claims,
                                         const Badge& by) const;
  // Settles the corrected hand and what was weighed with it, or what hangs on the dealer's side.
  void settle_anew(Settlement& settlement, const Round& round, const SeatShown& shown,
                   const CorrectHand& correct) const;
  void settle_anew(Settlement& settlement, const Round& round,
                   const DealerCorrected& corrected) const;
  [[nodiscard]] Refusal refuse_dealer_correction(const Round& round,
                                                 const DealerCorrected& corrected) const;
  [[nodiscard]] Refusal refuse_new_round(const RoundId& id, const Badge& by) const;
  [[nodiscard]] Refusal refuse_known_round(const RoundId& id, const Badge& by) const;
  // `locked`: the round whose list is put right; null: a new one.
  [[nodiscard]] Refusal refuse_wager(const AskedWager& asked, const Round* locked) const;
  [[nodiscard]] Refusal refuse_wagers(const std::vector<AskedWager>& asked,
                                      const Round* locked = nullptr) const;
  [[nodiscard]] Refusal refuse_hands(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal refuse_hand(const Round& round, const ShownHand& hand) const;
  // What is wrong with a hand by itself.
  [[nodiscard]] Refusal refuse_count(const Round& round, const ShownHand& hand) const;
  [[nodiscard]] Refusal refuse_correction(const Round& round, const CorrectHand& correct) const;
  // Is the seat's hand weighed against the dealer's by the show that had both?
  [[nodiscard]] bool was_weighed(const Round& round, const SeatShown& shown) const;
  // Does a wager of this seat weigh its hand against the dealer's?
  [[nodiscard]] bool needs_cards(const Round& round, const ShownHand& hand) const;
  // Does a wager of the round hang on the dealer's hand? Not one that its seat's fold gave up.
  [[nodiscard]] bool waits_for_dealer(const Round& round) const;
  // Whoever does what the dealer alone may not do: resolve a wrong count, reject claims. `may`:
  // has this person the right to it?
  template <class May>
  [[nodiscard]] Refusal refuse_overseer(const Badge& by, const May& may) const;
  [[nodiscard]] Refusal refuse_resolver(const Badge& by) const;
  // A resolved count leaves wagers of the lock out; it adds and changes none.
  [[nodiscard]] Refusal refuse_resolution(const Round& locked,
                                          const std::vector<PlacedWager>& wagers) const;
  [[nodiscard]] Refusal refuse_dealer(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal refuse_draw(const Round& round, const ShowHands& show) const;
  [[nodiscard]] Refusal refuse_pot_hands(const PlayPot& pot) const;
  [[nodiscard]] Refusal refuse_cards(CardCounts seen, const std::vector<ShownHand>& hands,
                                     const std::vector<Card>& dealer,
                                     const std::vector<Card>& board) const;
  [[nodiscard]] bool has_seat(Seat seat) const {
    return seat.value() >= 1 && seat.value() <= terms_.seats;
  }
  [[nodiscard]] std::optional<LinkIndex> find_link(const AskedWager& asked) const;
  // REQUIRES: refuse_wagers() said none.
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
