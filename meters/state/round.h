// Round: one cycle at one table: locked (or blocked by a wrong count) -> shown -> closed or voided.
//
// Each award of the round is stored exactly once: with the seat whose own hand won it, or with the
// round. So a void or a correction knows what it must undo.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "meters/game/card.h"
#include "meters/values/identity.h"

namespace linkmeter {

// A shown hand as it currently stands, and what it won: the state that a correction of it changes.
struct SeatShown {
  EntryNumber entry;  // the show, or the last correction
  ShownHand hand;
  Draw draw;  // the draw that the hand was settled with
  // The seat's awards in that entry, and Envy for its hand. May include awards that the seat won by
  // the dealer's hand, if one show had both hands.
  std::vector<Award> awards;
  bool with_dealer = false;  // shown together with the dealer's hand, so compared with it
  friend bool operator==(const SeatShown&, const SeatShown&) = default;
};

// The dealer's cards, the board and their draw, as they currently stand.
struct DealerShown {
  EntryNumber entry;        // the last entry that set it; 0: none yet
  std::vector<Card> cards;  // in the order drawn
  std::vector<Card> board;
  Draw draw;  // the draw that the dealer's hand was settled with
  friend bool operator==(const DealerShown&, const DealerShown&) = default;
};

// A person recorded that no player has a hand at this seat.
struct HandTakenBack {
  Seat seat;
  Badge by;
  friend bool operator==(const HandTakenBack&, const HandTakenBack&) = default;
};

struct Round {
  RoundId id;
  bool blocked = false;  // the chip count differs; nothing has accrued
  std::vector<PlacedWager> wagers;
  std::vector<SeatShown> shown;  // in the order they were shown
  bool dealer_shown = false;
  DealerShown dealer = {};
  std::vector<Award> awards = {};  // awards that belong to no seat of `shown`
  std::vector<Seat> voided = {};   // seats whose hands are void; their wagers are returned
  CardCounts cards;
  std::optional<Draw> draw = {};  // made after the lock; applies to hands not yet settled
  bool count_differed = false;    // it was blocked once, and a person resolved it
  // The last entry that corrected something or voided one hand; 0: none.
  EntryNumber changed_by = {};
  std::uint32_t corrections = 0;               // of hands and of the dealer's side
  Badge draw_corrected_by = {};                // the last corrector; "": the draw is as the table
                                               // reported it
  std::vector<HandTakenBack> taken_back = {};  // each seat once, even if its hand was shown again
                                               // later
  // Paid at once and reversed since: the table collects these amounts back from its players.
  std::vector<Award> reversed = {};
  friend bool operator==(const Round&, const Round&) = default;

  [[nodiscard]] bool has_shown(Seat seat) const { return find_shown(seat) != nullptr; }
  // nullptr: not shown.
  [[nodiscard]] const SeatShown* find_shown(Seat seat) const;
  [[nodiscard]] bool has_wager(Seat seat) const;
  [[nodiscard]] bool has_wager_on(LinkIndex link) const;
  [[nodiscard]] bool is_void(Seat seat) const;
  // The badge of the person who last took the seat's hand back; "": nobody.
  [[nodiscard]] Badge taken_back_by(Seat seat) const;
  // All awards of the round that have not been undone, including those of rejected claims.
  [[nodiscard]] std::vector<Award> all_awards() const;
  // Shows the hands of the entry, and the dealer's hand if the entry has it.
  void show(EntryNumber entry, const HandsShown& now, int decks);
  // Replaces or removes a hand. REQUIRES: it is shown, with the old cards.
  void correct(EntryNumber entry, const HandCorrected& corrected, int decks);
  // Replaces the dealer's cards, board and draw. REQUIRES: the old cards are shown.
  void correct(EntryNumber entry, const DealerCorrected& corrected, int decks);
  // Removes the seat from the round. If its hand was shown, its cards stay counted as seen.
  void void_hand(EntryNumber entry, const HandVoided& voided);
  // Removes the award. REQUIRES: it stands.
  void remove(const Award& award);
  // Records that these payments are collected back from the players.
  void take_back(const std::vector<Award>& paid);

 private:
  void replace_awards(const std::vector<Award>& gone, const RejectedClaims& rejected);
  void take_back(Seat seat, const Badge& by);
};

// The draw for a hand that was settled with `before`, after `made` is corrected.
Draw corrected_draw(const Draw& before, const std::optional<Draw>& made);

// One of a table's recent pots as it currently stands, kept so that it can be corrected.
struct PlayedPot {
  RoundId id;
  EntryNumber entry;  // the pot's entry, or its last correction
  LinkIndex link;
  Amount pot;
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;
  std::vector<Award> awards;  // each of them has a claim
  // The link's parameters changed after the pot was played (L8). Parameters take effect with their
  // entry and must not settle earlier pots, so this pot can no longer be corrected.
  bool terms_changed = false;
  std::uint32_t corrections = 0;
  friend bool operator==(const PlayedPot&, const PlayedPot&) = default;
};

}  // namespace linkmeter
