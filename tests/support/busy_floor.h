// BusyFloor: a floor with a bit of everything in its history, and its state tables.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proto/codec/state_codec.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter {

// The state tables of a journal, in memory.
class StateTables {
 public:
  void write(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
      if (row.value) {
        rows_.insert_or_assign(row.key, *row.value);
      } else {
        rows_.erase(row.key);
      }
    }
  }
  [[nodiscard]] std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const auto& [key, value] : rows_) all.push_back({key, value});
    return all;
  }

 private:
  std::map<std::string, std::string> rows_;
};

// A floor with a bit of everything in its history. Its rows are written after every entry.
struct BusyFloor {
  MixedFloor floor;
  StateTables tables;

  template <class... Asked>
  void take(Asked&&... asked) {
    floor.take(std::forward<Asked>(asked)...);
    tables.write(rows_for(floor.state, floor.state.take_changes()));
  }
  BusyFloor() {
    tables.write(rows_for(floor.state, floor.state.take_changes()));
    take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
    take("C4-01", royal_flush_of("r1", 2));
    take("C4-01", lock_of("r2", {five_card(1)}));
    take("C4-01", VoidRound{RoundId("r2"), "misdeal", Badge()});
    take("C4-01", lock_of("r2", {}));
    LockRound counted = lock_of("r3", {five_card(4)});
    counted.chips = 2;
    take("C4-02", counted);
    take("C4-02", CloseRound{RoundId("none"), Badge()});
    take("P-01", PlayPot{RoundId("h1"), Amount::dollars(30), {}, false, {}, Badge()});
    take("F-1", ValidateClaim{ClaimNumber(1)});
    // A draw and a bet on the dealer's hand, in a round that stays open.
    take("C4-03",
         lock_of("d1",
                 {{Seat(1), WagerId("crazy-4/five-card-hand-bonus"), Amount::dollars(1), true},
                  {Seat(2), WagerId("crazy-4/five-card-hand-bonus"), Amount::dollars(1), false}}));
    ShowHands drawn;
    drawn.round = RoundId("d1");
    drawn.draw = Draw{Card::from_index(7), Seat(0)};
    take("C4-03", drawn);
    // Persons' acts: a rejection, a suspension, a proposal that was confirmed and one that waits.
    take("C4-01", lock_of("r4", {five_card(3)}));
    take("C4-01", royal_flush_of("r4", 3));
    take("F-2", RejectClaim{ClaimNumber(2), RejectReason::cards_missing, "no cards"});
    take("FM-1", SuspendLink{LinkId("C4"), "a new reading"});
    const DualControlCommand correct =
        CorrectMeter{LinkId("C4"), LevelId("mega"), Amount::cents(12),
                     CorrectionReason::count_variance, "till 4"};
    take("TGM-1", Propose{correct});
    take("FM-1", Confirm{ProposalNumber(1), summary(correct)});
    take("TGM-1", Propose{ResetPin{Badge("F-1"), "another"}});
  }
};

}  // namespace linkmeter
