#include "meters/rules/fund_decision.h"

#include <algorithm>
#include <set>

#include "meters/rules/decide_day.h"
#include "meters/rules/decide_operator.h"

namespace linkmeter {

Amount shown_now(const State& state, LinkIndex link) {
  Amount all;
  for (const LevelBalances& level : state.link(link).levels) {
    if (level.pool.held > Amount()) all += level.pool.held.whole_cents();
  }
  return all;
}

bool may_be_moved(const LinkConfig& fund, const std::vector<TableIndex>& tables) {
  const std::set<TableIndex> each(tables.begin(), tables.end());
  return !tables.empty() && each.size() == tables.size() &&
         std::all_of(tables.begin(), tables.end(),
                     [&fund](TableIndex table) { return fund.has_table(table); });
}

const Person* FundDecision::find_other(const Badge& badge, Right right) const {
  const Person* other = state_.find_person(badge);
  const bool is_there =
      other != nullptr && other->badge != person_.badge && other->may(right, now_);
  return is_there ? other : nullptr;
}

Outcome FundDecision::operator()(const MoveFund& move) const {
  if (!person_.has(Right::count_money)) return refused(Refusal::right_missing);
  if (!is_well_formed_note(move.note)) return refused(Refusal::name_malformed);
  if (const Refusal no = refuse_day(state_, move.day); no != Refusal::none) return refused(no);
  const auto link = state_.floor().find_link(move.link);
  if (!link) return refused(Refusal::link_unknown);
  std::vector<TableIndex> tables;
  for (const TableId& id : move.tables) {
    const auto table = state_.floor().find_table(id);
    if (!table) return refused(Refusal::table_unknown);
    tables.push_back(*table);
  }
  const LinkConfig& terms = state_.floor().link(*link);
  if (!terms.pot || !may_be_moved(terms, tables)) return refused(Refusal::transfer_not_possible);
  if (move.verified && !is_countable(*move.verified)) {
    return refused(Refusal::amount_out_of_range);
  }
  if (find_other(move.carried_by, Right::carry_funds) == nullptr) {
    return refused(Refusal::carrier_missing);
  }
  if (find_other(move.accounted_by, Right::witness_funds) == nullptr) {
    return refused(Refusal::floorperson_missing);
  }
  FundMoved moved{move.day,  *link,           std::move(tables), move.verified,
                  move.note, move.carried_by, move.accounted_by, person_.badge};
  if (!has_room(state_, move.day, person_.badge, said_item(moved))) {
    return refused(Refusal::day_full);
  }
  return accepted(std::move(moved));
}

Outcome FundDecision::operator()(const AdjustDisplay& adjust, bool is_witnessed) const {
  if (!person_.has(Right::adjust_displays)) return refused(Refusal::right_missing);
  if (!is_well_formed_note(adjust.note)) return refused(Refusal::name_malformed);
  const auto link = state_.floor().find_link(adjust.link);
  if (!link) return refused(Refusal::link_unknown);
  if (!state_.floor().link(*link).pot) return refused(Refusal::display_not_offered);
  if (!is_countable(adjust.kept)) return refused(Refusal::amount_out_of_range);
  const Person* witness = find_other(adjust.witness, Right::witness_funds);
  if (witness == nullptr) return refused(Refusal::floorperson_missing);
  // Whoever made his PIN could have given it. One manager may have made both persons' first PINs:
  // nothing moves here, and where he proposes accountants too, nobody else could be the witness.
  if (!is_witnessed || witness->pin_is_given) return refused(Refusal::witness_not_signed);
  const Amount shown = shown_now(state_, *link);
  if (adjust.shown && *adjust.shown != shown) return refused(Refusal::display_differs);
  return accepted(
      DisplayAdjusted{*link, shown, adjust.kept, adjust.note, adjust.witness, person_.badge});
}

}  // namespace linkmeter
