#include "tests/property/planted.h"

#include <vector>

#include "tests/property/floors.h"
#include "tests/property/trial.h"

namespace linkmeter {

namespace {

// The result of the first alteration.
template <class MakeDecide>
Planted run(std::optional<std::size_t> floor, const MakeDecide& make) {
  Planted planted;
  for (std::uint64_t seed = 1; seed <= 200 && planted.altered == 0; ++seed) {
    const FloorFile file = test_floor(floor.value_or(seed % test_floor_count));
    planted.divergence = run_trial(file, seed, 1'500, make(planted.altered)).divergence;
  }
  return planted;
}

bool is_same(const Decision& left, const Decision& right) {
  const auto* entry = std::get_if<Entry>(&left);
  const auto* other = std::get_if<Entry>(&right);
  if (entry == nullptr || other == nullptr) return left.index() == right.index();
  return entry->fact == other->fact && entry->postings == other->postings;
}

State with_floor(const State& state, const Floor& floor) {
  std::vector<LinkBalances> links;
  std::vector<TableSession> sessions;
  for (std::uint32_t link = 0; link < floor.links.size(); ++link) {
    links.push_back(state.link(LinkIndex(link)));
  }
  for (std::uint32_t table = 0; table < floor.tables.size(); ++table) {
    sessions.push_back(state.session(TableIndex(table)));
  }
  return State::restored(state.last_entry(), floor, links, sessions, state.claims(),
                         Staff{state.people(), state.proposals(), state.last_proposal(),
                               state.enrolments(), state.recovery()},
                         state.configuration(), state.slips(), state.days(), state.restorations(),
                         state.last_check(), state.moments(), state.clock(), state.keys());
}

}  // namespace

Planted plant(const Alter& alter, std::optional<std::size_t> floor) {
  return run(floor, [&alter](std::size_t& altered) -> Decide {
    return [&](const State& state, const FloorRules& rules, const TimedInput& heard) {
      Decision decision = core_decides(state, rules, heard);
      if (auto* entry = std::get_if<Entry>(&decision)) altered += alter(*entry) ? 1U : 0U;
      return decision;
    };
  });
}

// It is a mistake only if it changes the core's answer.
Planted plant(const Mishear& mishear, std::optional<std::size_t> floor) {
  return run(floor, [&mishear](std::size_t& altered) -> Decide {
    return [&](const State& state, const FloorRules& rules, const TimedInput& heard) {
      Decision decision = core_decides(state, rules, heard);
      const auto* message = std::get_if<TableMessage>(&heard.said);
      const auto other = message == nullptr ? std::nullopt : mishear(state, *message);
      if (!other) return decision;
      Decision misheard = core_decides(state, rules, {heard.now, *other});
      if (!std::holds_alternative<Entry>(misheard) || is_same(misheard, decision)) return decision;
      ++altered;
      return misheard;
    };
  });
}

// At another time, by another person, or about another thing; but journaled with the present time.
Planted plant(const MishearPerson& mishear, std::optional<std::size_t> floor) {
  return run(floor, [&mishear](std::size_t& altered) -> Decide {
    return [&](const State& state, const FloorRules& rules, const TimedInput& heard) {
      Decision decision = core_decides(state, rules, heard);
      if (std::holds_alternative<TableMessage>(heard.said)) return decision;
      const auto other = mishear(state, heard);
      if (!other) return decision;
      Decision misheard = core_decides(state, rules, *other);
      auto* entry = std::get_if<Entry>(&misheard);
      if (entry == nullptr || is_same(misheard, decision)) return decision;
      entry->recorded_at = heard.now;
      ++altered;
      return misheard;
    };
  });
}

Planted plant(const WrongRules& misread, std::optional<std::size_t> floor) {
  return run(floor, [&misread](std::size_t& altered) -> Decide {
    return [&](const State& state, const FloorRules& rules, const TimedInput& heard) {
      Decision decision = core_decides(state, rules, heard);
      if (!std::holds_alternative<Entry>(decision)) return decision;
      if (!std::holds_alternative<TableMessage>(heard.said)) return decision;
      Floor other_floor = state.floor();
      FloorRules other_rules = rules;
      misread(other_floor, other_rules);
      Decision other = core_decides(with_floor(state, other_floor), other_rules, heard);
      if (is_same(other, decision)) return decision;
      ++altered;
      return other;
    };
  });
}

}  // namespace linkmeter
