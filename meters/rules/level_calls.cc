#include "meters/rules/level_calls.h"

#include <algorithm>
#include <map>
#include <utility>

namespace linkmeter {

namespace {

bool contains(std::span<const ClaimNumber> claims, ClaimNumber claim) {
  return std::find(claims.begin(), claims.end(), claim) != claims.end();
}

// Whether the hit may be undone if no later hit stands.
bool is_to_undo(const LevelCall& call) {
  return !call.stands && (call.deferred || call.is_rejected_now);
}

}  // namespace

std::vector<LevelCall> level_calls(const State& state, LinkIndex link, LevelIndex level,
                                   std::span<const ClaimNumber> rejected) {
  const std::uint64_t last = state.link(link).levels[level.value()].calls;
  // The number of an undone hit is reused; its latest entry counts.
  std::map<std::uint64_t, std::pair<EntryNumber, LevelCall>> by_number;
  for (const Claim& claim : state.claims()) {
    if (claim.link != link || claim.level != level || claim.call == 0 || claim.call > last) {
      continue;
    }
    auto& [entry, call] = by_number[claim.call];
    if (entry != claim.entry) {
      entry = claim.entry;
      call = LevelCall{};
      call.first = claim.number;
      call.whole = claim.whole_meter;
      call.reseeded = claim.reseeded;
      call.from_reserve = claim.from_reserve;
      call.overflowed = claim.overflowed;
      call.stood = claim.stood;
    }
    const bool is_rejected_now = contains(rejected, claim.number);
    call.is_rejected_now = call.is_rejected_now || is_rejected_now;
    if (is_rejected_now) call.rejected += claim.amount;
    call.stands = call.stands || (claim.state != ClaimState::rejected && !is_rejected_now);
    call.deferred = call.deferred || claim.deferred;
  }
  std::vector<LevelCall> calls;
  calls.reserve(by_number.size());
  for (const auto& [number, made] : by_number) calls.push_back(made.second);
  return calls;
}

LevelReversal reverse_level(const State& state, LinkIndex link, LevelIndex level,
                            const PoolBalances& meter, std::span<const ClaimNumber> rejected) {
  const std::optional<Amount>& limit = state.floor().link(link).levels[level.value()].limit;
  const std::vector<LevelCall> calls = level_calls(state, link, level, rejected);
  // Undoes the last `count` hits. Only the overflow since the first of them may return from the
  // reserve; older overflow was in the reserve already and is unrelated.
  const auto undoing = [&](std::size_t count) {
    LevelRejection moves;
    const std::size_t left = calls.size() - count;
    for (std::size_t at = 0; at < calls.size(); ++at) {
      (at < left ? moves.deferred : moves.amount) += calls[at].rejected;
      if (at < left) continue;
      moves.reseeded += calls[at].reseeded;
      moves.from_reserve += calls[at].from_reserve;
    }
    if (count > 0) {
      moves.overflowed_since = std::max(meter.overflowed - calls[left].overflowed, Amount());
      moves.stood = calls[left].stood;
    }
    return moves;
  };
  const auto after_last = std::find_if_not(calls.rbegin(), calls.rend(), is_to_undo);
  auto count = static_cast<std::size_t>(after_last - calls.rbegin());
  const auto is_too_much = [&](const LevelRejection& moves) {
    return meter.held + moves.change() + moves.recalled(meter.held, limit) + moves.deferred <
           Amount();
  };
  while (count > 0 && is_too_much(undoing(count))) --count;
  LevelReversal result;
  result.moves = undoing(count);
  for (std::size_t at = calls.size(); at-- > 0;) {
    const LevelCall& call = calls[at];
    if (at >= calls.size() - count) {
      result.calls.undone.push_back(call.first);
    } else if (call.is_rejected_now && !call.stands) {
      result.calls.deferred.push_back(call.first);
    }
  }
  return result;
}

std::optional<std::string> call_reversal_violation(const State& state,
                                                   std::span<const ClaimNumber> rejected,
                                                   const CallReversal& calls) {
  std::map<std::pair<LinkIndex, LevelIndex>, std::vector<LevelCall>> left;
  // nullptr: the claim is not for an award of a meter.
  const auto find_calls = [&](ClaimNumber number) -> std::vector<LevelCall>* {
    const Claim* claim = state.find_claim(number);
    if (claim == nullptr || !claim->level) return nullptr;
    const auto [found, is_new] = left.try_emplace({claim->link, *claim->level});
    if (is_new) found->second = level_calls(state, claim->link, *claim->level, rejected);
    return &found->second;
  };
  for (const ClaimNumber number : calls.undone) {
    std::vector<LevelCall>* of_level = find_calls(number);
    const bool is_last =
        of_level != nullptr && !of_level->empty() && of_level->back().first == number;
    if (!is_last) return "it undoes a call that is not the last one of its level";
    if (of_level->back().stands) return "it undoes a call that stands";
    of_level->pop_back();
  }
  for (const ClaimNumber number : calls.deferred) {
    const std::vector<LevelCall>* of_level = find_calls(number);
    const bool is_rejected =
        of_level != nullptr &&
        std::any_of(of_level->begin(), of_level->end(), [number](const LevelCall& call) {
          return call.first == number && call.is_rejected_now && !call.stands;
        });
    if (!is_rejected) return "it defers a call that it does not reject";
  }
  return std::nullopt;
}

}  // namespace linkmeter
