// Round: one cycle at one table: locked (or blocked by a wrong count) -> shown -> closed or voided.
//
// Everything that the round has brought stands in it exactly once: with the seat whose own hand won
// it, or with the round. So a void and a correction know what there is to undo.
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

// A hand as it counts now, and what it won: what a correction of it changes.
struct SeatShown {
  EntryNumber entry;  // that says so: a show, or the last correction
  ShownHand hand;
  Draw draw;  // that it was settled by
  // Of this seat in that entry, and envy for its hand. What the seat won by the dealer's hand may
  // stand here too, where one show had both.
  std::vector<Award> awards;
  bool with_dealer = false;  // by the show that had the dealer's hand: so it was weighed against it
  friend bool operator==(const SeatShown&, const SeatShown&) = default;
};

// What lies on the dealer's side, as it counts now.
struct DealerShown {
  EntryNumber entry;        // that said it last; 0: nothing yet
  std::vector<Card> cards;  // in the order drawn
  std::vector<Card> board;
  Draw draw;  // that the dealer's hand was settled by
  friend bool operator==(const DealerShown&, const DealerShown&) = default;
};

// A person said that nobody has a hand at this seat.
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
  std::vector<Award> awards = {};  // what stands with no seat of `shown`
  std::vector<Seat> voided = {};   // whose hands are void; their wagers are returned
  CardCounts cards;
  std::optional<Draw> draw = {};  // made after the lock; holds for what is not yet settled
  bool count_differed = false;    // it was blocked once, and somebody resolved it
  // The last entry that put something right, or made one hand void; 0: there is none.
  EntryNumber changed_by = {};
  std::uint32_t corrections = 0;               // of hands and of the dealer's side
  Badge draw_corrected_by = {};                // last; "": the draw is as the table said it
  std::vector<HandTakenBack> taken_back = {};  // each seat once, also where it was shown again
  // Paid at once, and reversed since: what the table takes back from its players.
  std::vector<Award> reversed = {};
  friend bool operator==(const Round&, const Round&) = default;

  [[nodiscard]] bool has_shown(Seat seat) const { return find_shown(seat) != nullptr; }
  // nullptr: not shown.
  [[nodiscard]] const SeatShown* find_shown(Seat seat) const;
  [[nodiscard]] bool has_wager(Seat seat) const;
  [[nodiscard]] bool has_wager_on(LinkIndex link) const;
  [[nodiscard]] bool is_void(Seat seat) const;
  // Who took the seat's hand back last; "": nobody.
  [[nodiscard]] Badge taken_back_by(Seat seat) const;
  // Everything that the round has brought and nobody has undone, awards of rejected claims too.
  [[nodiscard]] std::vector<Award> all_awards() const;
  // The hands are shown with that entry, the dealer's with them if it says so.
  void show(EntryNumber entry, const HandsShown& now, int decks);
  // The hand is another one with that entry, or none. REQUIRES: it is shown, with the old cards.
  void correct(EntryNumber entry, const HandCorrected& corrected, int decks);
  // The dealer's side is another one with that entry. REQUIRES: the old cards are shown.
  void correct(EntryNumber entry, const DealerCorrected& corrected, int decks);
  // The seat takes part no more; its hand, where it was shown, has been seen all the same.
  void void_hand(EntryNumber entry, const HandVoided& voided);
  // The award stands no more. REQUIRES: it stands.
  void remove(const Award& award);
  // What was paid is taken back from the players.
  void take_back(const std::vector<Award>& paid);

 private:
  void replace_awards(const std::vector<Award>& gone, const RejectedClaims& rejected);
  void take_back(Seat seat, const Badge& by);
};

// The draw as it stands for a hand that was settled by `before`, once `made` is put right.
Draw put_right(const Draw& before, const std::optional<Draw>& made);

}  // namespace linkmeter
