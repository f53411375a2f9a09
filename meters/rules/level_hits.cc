#include "meters/rules/level_hits.h"

#include <algorithm>
#include <map>
#include <utility>

namespace linkmeter {

namespace {

bool contains(std::span<const ClaimNumber> claims, ClaimNumber claim) {
  return std::find(claims.begin(), claims.end(), claim) != claims.end();
}

// Whether the hit may be undone if no later hit stands.
bool is_to_undo(const LevelHit& hit) {
  return !hit.stands && (hit.deferred || hit.is_rejected_now);
}

}  // namespace

std::vector<LevelHit> level_hits(const State& state, LinkIndex link, LevelIndex level,
                                 std::span<const ClaimNumber> rejected) {
  const std::uint64_t last = state.link(link).levels[level.value()].last_hit;
  // The number of an undone hit is reused; its latest entry counts.
  std::map<std::uint64_t, std::pair<EntryNumber, LevelHit>> by_number;
  for (const Claim& claim : state.claims()) {
    if (claim.link != link || claim.level != level || claim.hit == 0 || claim.hit > last) {
      continue;
    }
    auto& [entry, hit] = by_number[claim.hit];
    if (entry != claim.entry) {
      entry = claim.entry;
      hit = LevelHit{};
      hit.first = claim.number;
      hit.whole = claim.whole_meter;
      hit.reseeded = claim.reseeded;
      hit.from_reserve = claim.from_reserve;
      hit.overflowed = claim.overflowed;
      hit.meter_before = claim.meter_before;
    }
    const bool is_rejected_now = contains(rejected, claim.number);
    hit.is_rejected_now = hit.is_rejected_now || is_rejected_now;
    if (is_rejected_now) hit.rejected += claim.amount;
    hit.stands = hit.stands || (claim.state != ClaimState::rejected && !is_rejected_now);
    hit.deferred = hit.deferred || claim.deferred;
  }
  std::vector<LevelHit> hits;
  hits.reserve(by_number.size());
  for (const auto& [number, made] : by_number) hits.push_back(made.second);
  return hits;
}

LevelReversal reverse_level(const State& state, LinkIndex link, LevelIndex level,
                            const PoolBalances& meter, std::span<const ClaimNumber> rejected) {
  const std::optional<Amount>& limit = state.floor().link(link).levels[level.value()].limit;
  const std::vector<LevelHit> hits = level_hits(state, link, level, rejected);
  // Undoes the last `count` hits. Only the overflow since the first of them may return from the
  // reserve; older overflow was in the reserve already and is unrelated.
  const auto undoing = [&](std::size_t count) {
    LevelRejection moves;
    const std::size_t left = hits.size() - count;
    for (std::size_t at = 0; at < hits.size(); ++at) {
      (at < left ? moves.deferred : moves.amount) += hits[at].rejected;
      if (at < left) continue;
      moves.reseeded += hits[at].reseeded;
      moves.from_reserve += hits[at].from_reserve;
    }
    if (count > 0) {
      moves.overflowed_since = std::max(meter.overflowed - hits[left].overflowed, Amount());
      moves.meter_before = hits[left].meter_before;
    }
    return moves;
  };
  const auto after_last = std::find_if_not(hits.rbegin(), hits.rend(), is_to_undo);
  auto count = static_cast<std::size_t>(after_last - hits.rbegin());
  const auto is_too_much = [&](const LevelRejection& moves) {
    return meter.held + moves.change() + moves.recalled(meter.held, limit) + moves.deferred <
           Amount();
  };
  while (count > 0 && is_too_much(undoing(count))) --count;
  LevelReversal result;
  result.moves = undoing(count);
  for (std::size_t at = hits.size(); at-- > 0;) {
    const LevelHit& hit = hits[at];
    if (at >= hits.size() - count) {
      result.hits.undone.push_back(hit.first);
    } else if (hit.is_rejected_now && !hit.stands) {
      result.hits.deferred.push_back(hit.first);
    }
  }
  return result;
}

std::optional<std::string> hit_reversal_violation(const State& state,
                                                  std::span<const ClaimNumber> rejected,
                                                  const HitReversal& hits) {
  std::map<std::pair<LinkIndex, LevelIndex>, std::vector<LevelHit>> left;
  // nullptr: the claim is not for an award of a meter.
  const auto find_hits = [&](ClaimNumber number) -> std::vector<LevelHit>* {
    const Claim* claim = state.find_claim(number);
    if (claim == nullptr || !claim->level) return nullptr;
    const auto [found, is_new] = left.try_emplace({claim->link, *claim->level});
    if (is_new) found->second = level_hits(state, claim->link, *claim->level, rejected);
    return &found->second;
  };
  for (const ClaimNumber number : hits.undone) {
    std::vector<LevelHit>* of_level = find_hits(number);
    const bool is_last =
        of_level != nullptr && !of_level->empty() && of_level->back().first == number;
    if (!is_last) return "it undoes a call that is not the last one of its level";
    if (of_level->back().stands) return "it undoes a call that stands";
    of_level->pop_back();
  }
  for (const ClaimNumber number : hits.deferred) {
    const std::vector<LevelHit>* of_level = find_hits(number);
    const bool is_rejected =
        of_level != nullptr &&
        std::any_of(of_level->begin(), of_level->end(), [number](const LevelHit& hit) {
          return hit.first == number && hit.is_rejected_now && !hit.stands;
        });
    if (!is_rejected) return "it defers a call that it does not reject";
  }
  return std::nullopt;
}

}  // namespace linkmeter
