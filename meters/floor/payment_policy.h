// Payment policy: the house's rules for every claim, whatever its link: the amount from which
// a second person signs, and the date and amount from which a payout is taxable.
//
// These terms belong to the floor, not to a link. Two managers change them like every parameter
// (L8): the change shows a line with both values and takes effect with the second manager's entry.
// No link has to be suspended, because the terms affect no meter and no round, only what a claim
// still needs before it is paid. A claim is checked against the ladder in force when its slip is
// issued, but a signature that was valid when it was given stays valid. A slip is checked against
// the tax threshold in force when it is issued.
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

// A step of the ladder: a claim of at least this amount, and below the next step, is countersigned
// by a person with one of the roles.
struct SignatureStep {
  Amount from;
  std::set<Role> roles;
  friend bool operator==(const SignatureStep&, const SignatureStep&) = default;
};

// From this moment, a payout of at least this amount is taxable if it is also at least this many
// times its wager. A payout without a wager (a pot's) always meets the second condition.
struct TaxThreshold {
  Timestamp since;   // midnight in the house's time zone, resolved outside the core, of
  std::string date;  // this day: "2026-01-01"
  Amount amount;
  std::int64_t ratio = 0;
  [[nodiscard]] bool taxes(Amount payout, Amount wager) const;
  friend bool operator==(const TaxThreshold&, const TaxThreshold&) = default;
};

// Whether a step may name the role: the second signer must have been at the table or supervise
// tables.
bool may_countersign(Role role);

// The last step at or below the amount; nullptr: no second signature is needed. REQUIRES: the
// ladder is ascending.
const SignatureStep* step_for(std::span<const SignatureStep> ladder, Amount amount);
// The last threshold in force at the moment; nullptr: none yet. REQUIRES: ascending by moment.
const TaxThreshold* threshold_at(std::span<const TaxThreshold> thresholds, Timestamp at);

// "$1200.00 table_games_manager, $10000.00 floorperson table_games_manager"; "none".
std::string text(std::span<const SignatureStep> ladder);
// "2026-01-01 $2000.00 and 300 times the wager"; "none".
std::string text(std::span<const TaxThreshold> thresholds);
std::string text(const TaxThreshold& threshold);

}  // namespace linkmeter
