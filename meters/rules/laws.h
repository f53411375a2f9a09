// The laws of money as checks that run: after every apply in tests and simulation, over the whole
// state in an audit, and the cheap ones always.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

// The first law that the entry breaks by itself, as a sentence: postings that do not sum to zero
// (M14), an award that is not whole cents (M2), shares that do not sum to what left the meter (M7),
// a fixed award that touches a meter (M13).
std::optional<std::string> broken_law(const Entry& entry);

// Why this entry cannot follow this state, as a sentence; nullopt: apply() can take it. For entries
// read back from disk, before they are trusted.
std::optional<std::string> misfit(const State& state, const Entry& entry);

// The first law the state breaks: balance per link (M14), contributed = handle x rate per pool
// since its rate took effect (M1), a negative meter, reserve, withheld, pending or paid, anything
// on a link that has ended; over the whole state also pending = open claims, and what slips say.
std::optional<std::string> broken_law(const State& state);
std::optional<std::string> broken_law(const State& state, LinkIndex link);
// The part of it that looks through all claims: pending = open claims.
std::optional<std::string> broken_claims(const State& state, LinkIndex link);
// The part of it that looks through all slips (slip.h): each is one of its claim's, and says what
// that one is; at most one of a claim's is not void; who has an open one waits for payment, who has
// a paid one is paid.
std::optional<std::string> broken_slips(const State& state);

}  // namespace linkmeter
