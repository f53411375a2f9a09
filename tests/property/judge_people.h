// The judge's part for people: facts of acts and sign-ins, the people themselves, proposals and
// claims.
#pragma once

#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "tests/property/difference.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

Difference difference_of_act(const Verdict& expected, const Fact& fact);
Difference difference_of_claim(const NaiveClaim& naive, const Claim& claim);
Difference difference_of_people(const NaiveModel& model, const State& state);

}  // namespace linkmeter
