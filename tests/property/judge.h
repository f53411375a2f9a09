// Judge: compares the core's result and state with the naive model, figure by figure, and describes
// the first difference in a sentence. nullopt: none.
#pragma once

#include <optional>
#include <string>

#include "meters/rules/decide.h"
#include "meters/state/state.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

std::optional<std::string> difference(const Verdict& expected, const Decision& said);
std::optional<std::string> difference(const Verdict& expected, const Entry& entry);
std::optional<std::string> difference_of_book(const NaiveBook& naive, const LinkBalances& book);

// Every pool, count, session, person, proposal and gaming day; and the claims from `first_claim` on
// (0: all of them, and which of their hits are valid).
std::optional<std::string> difference(const NaiveModel& model, const State& state,
                                      std::size_t first_claim);

}  // namespace linkmeter
