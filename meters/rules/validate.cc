#include "meters/rules/validate.h"

#include <algorithm>

#include "meters/rules/discontinuation.h"

namespace linkmeter {

namespace {

// What a transfer may touch: pools, and what they owe one another. Never the house's money, nor
// what is won, nor anybody's wagers.
bool is_of_transfer(const Posting& posting) {
  switch (posting.account) {
    case Account::meter:
    case Account::reserve:
    case Account::withheld:
    case Account::transfers:
    case Account::overflow: return true;
    default: return false;
  }
}

std::optional<std::string> in_words(Refusal refusal) {
  if (refusal == Refusal::none) return std::nullopt;
  return std::string(sentence(refusal));
}

}  // namespace

std::optional<std::string> too_late(const State& state, const std::vector<PlacedWager>& wagers,
                                    const Round* locked) {
  const bool is_late = std::any_of(wagers.begin(), wagers.end(), [&](const PlacedWager& wager) {
    return !state.link(wager.link).ending.collects() &&
           (locked == nullptr || !locked->has_wager_on(wager.link));
  });
  if (is_late) return "a wager on a link that collects no more";
  return std::nullopt;
}

std::optional<std::string> too_late(const State& state, const PotPlayed& pot) {
  const LinkLifecycle& ending = state.link(pot.link).ending;
  if (ending.has_ended()) return "a pot for a fund that has ended";
  if (!ending.collects() && pot.contribution != Amount()) {
    return "a contribution to a fund that collects no more";
  }
  return std::nullopt;
}

std::optional<std::string> lifecycle_violation(const State& state, const StopCollecting& stop) {
  return in_words(refuse_act(state, stop));
}

// An old entry may have been decided with the reseed of a fund as the house's.
std::optional<std::string> lifecycle_violation(const State& state, const Discontinue& end) {
  if (refuse_act(state, end, FundReseed::house) == Refusal::none) return std::nullopt;
  return in_words(refuse_act(state, end));
}

std::optional<std::string> lifecycle_violation(const State& state, const DualControlCommand& act,
                                               const std::vector<Posting>& postings) {
  if (std::holds_alternative<StopCollecting>(act) && !postings.empty()) {
    return "money moves where only collecting ends";
  }
  if (std::holds_alternative<TransferMeter>(act) &&
      !std::all_of(postings.begin(), postings.end(), is_of_transfer)) {
    return "it books more than a transfer moves";
  }
  const auto* end = std::get_if<Discontinue>(&act);
  if (end == nullptr) return std::nullopt;
  if (auto no = lifecycle_violation(state, *end)) return no;
  const auto is_by = [&](FundReseed reseed) {
    return refuse_act(state, *end, reseed) == Refusal::none &&
           postings == ending_of(state, *end, reseed).postings;
  };
  if (is_by(FundReseed::patrons) || is_by(FundReseed::house)) return std::nullopt;
  return "it is not what the ending moves";
}

}  // namespace linkmeter
