#include "meters/rules/discontinuation.h"

#include <algorithm>
#include <map>

#include "meters/balances/link_balances.h"
#include "meters/rules/level_hits.h"
#include "meters/values/int128.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

// The amount that the house put on the meter when it was last opened: with the last 100% award that
// is not undone, or with the first seed.
Amount opened_with(const State& state, LinkIndex link, LevelIndex level) {
  const std::vector<LevelHit> hits = level_hits(state, link, level);
  const auto last =
      std::find_if(hits.rbegin(), hits.rend(), [](const LevelHit& hit) { return hit.whole; });
  return last == hits.rend() ? state.floor().link(link).levels[level.value()].seed : last->reseeded;
}

bool is_of_pots(const State& state, LinkIndex link) {
  return state.floor().link(link).pot.has_value();
}

// More than one entry may move. No meter could receive it either.
bool holds_too_much(const LinkBalances& book) {
  Int128 total = book.reserve.held.units();
  for (const LevelBalances& level : book.levels) total += level.pool.held.units();
  return total > Int128{limits::entry_max.units()};
}

bool has_approved_procedure(const State& state, LinkIndex link) {
  const std::optional<PotConfig>& pot = state.floor().link(link).pot;
  return !pot || !pot->discontinuation.empty();
}

}  // namespace

std::optional<PoolRef> find_meter(const Floor& floor, const LinkId& link, const LevelId& level) {
  const auto place = floor.find_link(link);
  if (!place) return std::nullopt;
  if (level.text() == "reserve") return PoolRef{*place, Pool::reserve()};
  const std::vector<LevelConfig>& levels = floor.link(*place).levels;
  for (std::size_t index = 0; index < levels.size(); ++index) {
    if (levels[index].id == level) {
      return PoolRef{*place, Pool::level(LevelIndex(static_cast<std::uint8_t>(index)))};
    }
  }
  return std::nullopt;
}

bool can_be_won(const Floor& floor, PoolRef place) {
  return !place.pool.is_reserve() || !floor.link(place.link).levels.empty();
}

bool has_open_round(const State& state, LinkIndex link) {
  const std::vector<TableIndex>& tables = state.floor().link(link).tables;
  return std::any_of(tables.begin(), tables.end(), [&](TableIndex table) {
    const std::vector<Round>& rounds = state.session(table).rounds();
    return std::any_of(rounds.begin(), rounds.end(),
                       [link](const Round& round) { return round.has_wager_on(link); });
  });
}

bool has_open_claim(const State& state, LinkIndex link) {
  return std::any_of(state.claims().begin(), state.claims().end(), [link](const Claim& claim) {
    return claim.link == link && claim.state != ClaimState::paid &&
           claim.state != ClaimState::rejected;
  });
}

Amount house_part(const State& state, LinkIndex link, LevelIndex level, FundReseed reseed) {
  if (is_of_pots(state, link) && reseed == FundReseed::patrons) return {};
  return std::min({state.floor().link(link).levels[level.value()].reseed,
                   opened_with(state, link, level),
                   state.link(link).pool(Pool::level(level)).held});
}

Refusal check_transfer(const State& state, PoolRef from, PoolRef to, Amount amount) {
  if (!state.link(to.link).ending.collects()) return Refusal::collecting_ended;
  const bool is_level = !from.pool.is_reserve();
  if (is_level && state.link(from.link).pool(from.pool).held - amount <
                      house_part(state, from.link, from.pool.level_index())) {
    return Refusal::reseed_stays;
  }
  if (is_of_pots(state, from.link) != is_of_pots(state, to.link)) return Refusal::not_alike;
  return from.link == to.link || has_approved_procedure(state, from.link)
             ? Refusal::none
             : Refusal::procedure_not_approved;
}

Refusal check_command(const State& state, const StopCollecting& stop) {
  const auto link = state.floor().find_link(stop.link);
  if (!link) return Refusal::link_unknown;
  return state.link(*link).ending.collects() ? Refusal::none : Refusal::collecting_ended;
}

Refusal check_command(const State& state, const Discontinue& end, FundReseed reseed) {
  const auto link = state.floor().find_link(end.link);
  const auto to = find_meter(state.floor(), end.to, end.to_level);
  if (!link || (!end.to.empty() && (!to || !can_be_won(state.floor(), *to)))) {
    return Refusal::link_unknown;
  }
  const LinkLifecycle& ending = state.link(*link).ending;
  if (has_open_round(state, *link)) return Refusal::link_has_open_rounds;
  if (to && to->link == *link) return Refusal::same_meter;
  if (to && !state.link(to->link).ending.collects()) return Refusal::collecting_ended;
  if (ending.collects()) return Refusal::still_collecting;
  if (to && is_of_pots(state, *link) != is_of_pots(state, to->link)) return Refusal::not_alike;
  if (!has_approved_procedure(state, *link)) return Refusal::procedure_not_approved;
  if (holds_too_much(state.link(*link))) return Refusal::meter_full;
  const EndingMoves moves = ending_of(state, end, reseed);
  if (!to && moves.players > Amount()) return Refusal::to_house;
  if (has_open_claim(state, *link)) return Refusal::link_has_open_claims;
  if (ending.has_ended()) return Refusal::link_ended;
  return moves.is_within_limits ? Refusal::none : Refusal::meter_full;
}

EndingMoves ending_of(const State& state, const Discontinue& end, FundReseed reseed) {
  const auto link = state.floor().find_link(end.link);
  INVARIANT(link.has_value());
  const LinkConfig& terms = state.floor().link(*link);
  std::vector<Amount> houses;
  for (std::size_t index = 0; index < terms.levels.size(); ++index) {
    const LevelIndex level(static_cast<std::uint8_t>(index));
    houses.push_back(house_part(state, *link, level, reseed));
  }
  std::map<LinkIndex, LinkTransaction> transactions;
  const auto draft_of = [&](LinkIndex link_index) -> LinkTransaction& {
    return transactions
        .try_emplace(link_index, link_index, state.floor().link(link_index), state.link(link_index))
        .first->second;
  };
  const LinkTransaction::Remainder left = draft_of(*link).end(houses);
  if (const auto to = find_meter(state.floor(), end.to, end.to_level)) {
    draft_of(to->link).receive(to->pool, left.amount, left.unfunded);
  }
  EndingMoves moves;
  moves.players = left.amount - left.unfunded;
  for (const auto& [link_index, transaction] : transactions) {
    moves.postings.insert(moves.postings.end(), transaction.postings().begin(),
                          transaction.postings().end());
    moves.is_within_limits = moves.is_within_limits && transaction.is_within_limits();
  }
  return moves;
}

}  // namespace linkmeter
