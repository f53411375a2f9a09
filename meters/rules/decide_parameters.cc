#include "meters/rules/decide_parameters.h"

#include <algorithm>
#include <map>
#include <utility>

#include "meters/floor/configuration.h"
#include "meters/rules/discontinuation.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

// Several reasons may apply; the one with the lowest number is returned (refusal.h).
class Objections {
 public:
  void add(Refusal refusal, const std::string& about) { all_.try_emplace(refusal, about); }
  [[nodiscard]] Rejection first() const {
    return all_.empty() ? Rejection() : Rejection{all_.begin()->first, all_.begin()->second};
  }

 private:
  std::map<Refusal, std::string> all_;
};

bool is_same_link(const LinkConfig& before, const LinkConfig& after) {
  return before.wager == after.wager && before.tables == after.tables &&
         before.pot.has_value() == after.pot.has_value() &&
         std::equal(
             before.levels.begin(), before.levels.end(), after.levels.begin(), after.levels.end(),
             [](const LevelConfig& left, const LevelConfig& right) { return left.id == right.id; });
}

// Checks what cannot change once the meters are open. False: the two cannot be compared further.
bool has_same_shape(const Floor& before, const Floor& after, Objections& no) {
  bool is_same = has_same_tables(before, after);
  if (!is_same) no.add(Refusal::tables_differ, "");
  for (std::size_t at = 0; is_same && at < before.tables.size(); ++at) {
    const TableConfig& old_table = before.tables[at];
    const TableConfig& new_table = after.tables[at];
    is_same = old_table.game == new_table.game && old_table.seats == new_table.seats &&
              old_table.decks == new_table.decks;
    if (!is_same) no.add(Refusal::tables_differ, old_table.id.text());
  }
  if (has_same_links(before, after)) return is_same;
  no.add(Refusal::links_differ, "");
  return false;
}

void object_to_link(const State& state, LinkIndex link, const LinkConfig& after, Objections& no) {
  const LinkConfig& before = state.floor().link(link);
  const LinkBalances& book = state.link(link);
  if (book.suspended.empty()) no.add(Refusal::link_not_suspended, before.id.text());
  if (has_open_round(state, link)) no.add(Refusal::link_has_open_rounds, before.id.text());
  if (!is_same_link(before, after)) {
    no.add(Refusal::link_redefined, before.id.text());
    return;
  }
  for (std::size_t at = 0; at < before.levels.size(); ++at) {
    const LevelConfig& old_level = before.levels[at];
    const LevelConfig& new_level = after.levels[at];
    const std::string where = before.id.text() + " " + old_level.id.text();
    if (old_level.seed != new_level.seed) no.add(Refusal::seed_changed, where);
    // M9: a new limit must be at or above the meter.
    const bool is_set = new_level.limit && new_level.limit != old_level.limit;
    if (is_set && *new_level.limit < book.levels[at].pool.held) {
      no.add(Refusal::limit_below_meter, where);
    }
  }
}

// § 553.20(i): a fund that names the Board's approval of its procedure must keep an approval. A
// fund that an older release opened without one may still change its other parameters.
void object_to_lost_approval(const LinkConfig& before, const LinkConfig& after, Objections& no) {
  if (!before.pot || !after.pot) return;  // refused as link_redefined if only one has a pot
  if (!before.pot->discontinuation.empty() && after.pot->discontinuation.empty()) {
    no.add(Refusal::discontinuation_removed, before.id.text());
  }
}

// False: the links cannot be checked one by one.
bool object_to_whole(const State& state, const ChangeParameters& change, Objections& no) {
  if (change.since != EntryNumber() && change.since != state.configuration()) {
    no.add(Refusal::parameters_outdated, "");
  }
  return has_same_shape(state.floor(), change.floor, no);
}

}  // namespace

Rejection object(const State& state, const ChangeParameters& change) {
  Objections no;
  if (object_to_whole(state, change, no)) {
    for (const LinkIndex link : links_changed(state.floor(), change.floor)) {
      object_to_link(state, link, change.floor.link(link), no);
    }
  }
  return no.first();
}

Rejection object(const State& state, const FloorRules& rules, const ChangeParameters& change,
                 const FloorRules* proposed) {
  if (proposed == nullptr) return {Refusal::floor_unresolved, ""};
  Objections no;
  if (object_to_whole(state, change, no)) {
    const std::set<LinkIndex> changed =
        links_changed(state.floor(), rules, change.floor, *proposed);
    for (const LinkIndex link : changed) {
      const LinkConfig& after = change.floor.link(link);
      object_to_link(state, link, after, no);
      // Only here: an entry of an older release may have removed the approval, and must be
      // readable.
      object_to_lost_approval(state.floor().link(link), after, no);
    }
    const bool is_unchanged =
        changed.empty() && state.floor() == change.floor && has_same_clock(rules, *proposed);
    if (is_unchanged) no.add(Refusal::parameters_unchanged, "");
    // Changed levels of a link cannot be listed line by line; they are refused already.
    if (no.first().refusal == Refusal::none &&
        change_lines(state.floor(), rules, change.floor, *proposed).size() > limits::changes_max) {
      no.add(Refusal::parameters_too_many, "");
    }
  }
  return no.first();
}

ChangeParameters with_changes(const State& state, const FloorRules& rules, ChangeParameters change,
                              const FloorRules& proposed) {
  change.changes = change_lines(state.floor(), rules, change.floor, proposed);
  return change;
}

}  // namespace linkmeter
