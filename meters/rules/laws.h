// The laws of money as runtime checks: after every apply() in tests and simulation, over the whole
// state in an audit, and the cheap ones in every turn.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

// The first law that the entry breaks by itself, as a sentence; nullopt: none. Checks postings that
// do not sum to zero (M14), an award that is not whole cents (M2), shares that do not sum to what
// left the meter (M7), a fixed award that touches a meter (M13).
std::optional<std::string> law_violation(const Entry& entry);

// Why this entry cannot follow this state, as a sentence; nullopt: apply() accepts it. Validates
// entries read from disk before they are trusted.
std::optional<std::string> validate_entry(const State& state, const Entry& entry);

// The first law that the state breaks; nullopt: none. Checks each link's balance (M14); contributed
// = handle x rate per pool since the rate took effect (M1); a negative meter, reserve, withheld,
// pending or paid amount; any balance on a discontinued link. Over the whole state it also checks
// pending = open claims, and the slips.
std::optional<std::string> law_violation(const State& state);
std::optional<std::string> law_violation(const State& state, LinkIndex link);
// The part that reads all claims: pending = open claims.
std::optional<std::string> claims_violation(const State& state, LinkIndex link);
// The part that reads all slips (slip.h). Each slip belongs to its claim and agrees with it. At
// most one slip of a claim is not void. A claim with an open slip waits for payment, and a claim
// with a paid slip is paid.
std::optional<std::string> slips_violation(const State& state);

}  // namespace linkmeter
