// Fund day: what a gaming day records about a fund of pots, apart from its money (§ 553.20): the
// counted boxes and their cashiers, the transfers to the cage and the cashier's counts there, and
// when finance compared the display with its own amount.
//
// Law: the last of several records counts. A transfer counts until a later one names any of its
// tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/day/day_attestations.h"
#include "controller/accounting/day/day_book.h"
#include "controller/view/json.h"

namespace linkmeter {

// A difference, without its link: "cage", "cage_missing", "fund" or "display_missing".
struct FundItem {
  const char* kind;
  std::string difference;
  std::string words;
};

class FundDay {
 public:
  // REQUIRES: a link of pots; both outlive this.
  FundDay(const DayBook& book, const DayAttestations& statements, LinkIndex link)
      : book_(book), statements_(statements), link_(link) {}

  // At most one of each kind.
  [[nodiscard]] std::vector<FundItem> items() const;
  // {"boxes":[...],"transfers":[...],"displays":[...]}
  [[nodiscard]] Json json() const;

 private:
  using Moved = Attestation<FundMoved>;
  [[nodiscard]] bool stands(const Moved& moved) const;
  // The transfer that carried the box; null: none.
  [[nodiscard]] const Moved* find_move(TableIndex table) const;
  [[nodiscard]] const Attestation<CountRecorded>* find_box(TableIndex table) const {
    return statements_.find(CountKind::poker_box, link_, table);
  }
  // The sum of the counts of all its tables.
  [[nodiscard]] Amount counted(const FundMoved& moved) const;
  [[nodiscard]] const LinkDay& day() const { return book_.links[link_.value()]; }
  void compare_cage(std::vector<FundItem>& items) const;
  void compare_display(std::vector<FundItem>& items) const;
  void compare_kept(std::vector<FundItem>& items) const;

  const DayBook& book_;
  const DayAttestations& statements_;
  LinkIndex link_;
};

// What a sign may show of the meter (M2): whole cents, rounded down.
Amount shown_at_most(Amount meter);
// What finance should keep of a fund of pots at the day's end: the displayed amount (§ 553.20(h)).
Amount displayed(const LinkReading& reading);

}  // namespace linkmeter
