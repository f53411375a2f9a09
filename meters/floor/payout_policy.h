// Terms of the house: what it asks of every claim, whatever link won it: from which amount on a
// second person signs, and from when and what on a payout is taxable.
//
// They are terms of the floor, of no link: two managers change them as every parameter (L8), with a
// line before and after, from the entry of the second one on. No link needs to be suspended for it,
// because they decide nothing that a meter or a round hangs on: only what a claim still needs
// before it is paid. A claim is held against the ladder in force when its slip is issued, but a
// signature that was right when it was made stays right; a slip against the threshold in force at
// its moment.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "meters/values/amount.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// A step of the ladder: a claim of this amount or more, up to the next step, is countersigned by
// somebody with one of the roles.
struct SignatureStep {
  Amount from;
  std::set<Role> roles;
  friend bool operator==(const SignatureStep&, const SignatureStep&) = default;
};

// From a moment on, a payout of this amount or more is taxable, if it is also so many times its
// wager or more. What no wager won (a pot's) is so many times nothing.
struct TaxThreshold {
  Timestamp since;   // midnight at the house's place, as the edge resolved it, of
  std::string date;  // this day: "2026-01-01"
  Amount amount;
  std::int64_t ratio = 0;
  [[nodiscard]] bool taxes(Amount payout, Amount wager) const;
  friend bool operator==(const TaxThreshold&, const TaxThreshold&) = default;
};

// May the role stand in a step? Who signs a second time was at the table or runs the tables.
bool may_countersign(Role role);

// The last step at or below the amount; null: no second signature. REQUIRES: the ladder rises.
const SignatureStep* step_for(std::span<const SignatureStep> ladder, Amount amount);
// The last one in force at the moment; null: nothing is taxable yet. REQUIRES: they rise by moment.
const TaxThreshold* threshold_at(std::span<const TaxThreshold> thresholds, Timestamp at);

// "$1200.00 table_games_manager, $10000.00 floorperson table_games_manager"; "none".
std::string text(std::span<const SignatureStep> ladder);
// "2026-01-01 $2000.00 and 300 times the wager"; "none".
std::string text(std::span<const TaxThreshold> thresholds);
std::string text(const TaxThreshold& threshold);

}  // namespace linkmeter
