// ValidationHouse: valid entries, and what validate_entry() says after one of them was spoiled.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "meters/rules/laws.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter {

// C4-01 has locked r1, and C4-02 is blocked in b1.
struct ValidationHouse : MixedFloor {
  ValidationHouse() {
    take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
    LockRound counted = lock_of("b1", {five_card(1)});
    counted.chips = 3;
    take("C4-02", counted);
  }
  // The result of validate_entry() for a valid entry that `spoil` has changed.
  std::string of(Entry entry, const std::function<void(Entry&)>& spoil) const {
    const auto no = validate_entry(state, entry);
    if (no) throw std::logic_error("it does not fit unspoilt: " + *no);
    spoil(entry);
    return validate_entry(state, entry).value_or("it fits");
  }
  template <class Kind>
  std::string of_fact(Entry entry, const std::function<void(Kind&)>& spoil) const {
    return of(std::move(entry), [&spoil](Entry& one) { spoil(std::get<Kind>(one.fact)); });
  }
  [[nodiscard]] Entry lock() const { return decided("C4-01", lock_of("r2", {five_card(1)})); }
  [[nodiscard]] Entry show() const { return decided("C4-01", royal_flush_of("r1", 2)); }
  [[nodiscard]] Entry close() const { return decided("C4-01", CloseRound{RoundId("r1"), Badge()}); }
  [[nodiscard]] Entry annul() const {
    return decided("C4-01", VoidRound{RoundId("r1"), "misdeal", Badge()});
  }
  [[nodiscard]] Entry resolve() const {
    return decided("C4-02", ResolveCount{RoundId("b1"), {five_card(1)}, Badge("F-1")});
  }
  [[nodiscard]] Entry pot() const {
    return decided("P-01", PlayPot{RoundId("h1"), Amount::dollars(30), {}, false, {}, Badge()});
  }
  // The same for an entry with another fact.
  [[nodiscard]] std::string instead(Entry entry, Fact fact) const {
    return of(std::move(entry), [&fact](Entry& one) { one.fact = std::move(fact); });
  }
};

}  // namespace linkmeter
