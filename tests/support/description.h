// Prints entries, states and refusals as text, for golden ledgers, audits and logs. The format is
// stable: golden files contain it word for word.
#pragma once

#include <string>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

// "#7 round_locked C4-01 r1 chips=2\n  seat 2 C4-MEGA 5.00\n  meter C4-MEGA mega +0.45000000\n ..."
std::string description(const Entry& entry, const Floor& floor);
// One line for each link and level: amount, reserve, withheld, pending, paid, contributed, seeded,
// hits.
std::string description(const State& state);
std::string text(const Posting& posting, const Floor& floor);

}  // namespace linkmeter
