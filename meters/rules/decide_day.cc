#include "meters/rules/decide_day.h"

#include <algorithm>
#include <set>
#include <utility>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {

namespace {

std::optional<LevelIndex> find_level(const LinkConfig& link, const LevelId& level) {
  for (std::size_t at = 0; at < link.levels.size(); ++at) {
    if (link.levels[at].id == level) return LevelIndex(static_cast<std::uint8_t>(at));
  }
  return std::nullopt;
}

}  // namespace

bool is_countable(Amount amount) {
  return amount >= Amount() && amount <= limits::meter_max && amount == amount.whole_cents();
}

namespace {

bool is_possible(const LinkCount& count) {
  return count.rounds <= limits::table_count_max && count.wagers <= limits::table_count_max &&
         count.handle >= Amount() && count.handle <= limits::lifetime_max &&
         count.handle.is_whole_cents();
}

}  // namespace

Reading reading_of(const State& state, const ShownAmounts& shown) {
  Reading reading;
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    LinkReading link{state.link(LinkIndex(at))};
    link.shown.resize(link.book.levels.size());
    if (at < shown.size()) {
      const std::size_t known = std::min(shown[at].size(), link.shown.size());
      std::copy_n(shown[at].begin(), known, link.shown.begin());
    }
    reading.push_back(std::move(link));
  }
  return reading;
}

std::vector<LinkCount> counts_of(const State& state, TableIndex table) {
  std::vector<LinkCount> counts;
  for (const LinkIndex link : state.floor().links_of(table)) {
    for (const TableCount& one : state.link(link).tables) {
      if (one.table == table) counts.push_back({link, one.rounds, one.wagers, one.handle});
    }
  }
  return counts;
}

Decision decide_day_end(const State& state, const DayEnd& end, Timestamp now) {
  const bool is_next = state.days().empty() || (end.day == state.days().back().day.next() &&
                                                end.ends_at > state.days().back().ends_at);
  if (!is_next || end.ends_at > now) return Refusal::day_not_over;
  return next_entry(state, DayEnded{end.day, end.ends_at, reading_of(state, end.shown)}, now);
}

Decision decide_counters(const State& state, const TableCounters& counters, Timestamp now) {
  if (counters.table.value() >= state.floor().tables.size()) return Refusal::table_unknown;
  if (counters.up_to != state.session(counters.table).last_number()) {
    return Refusal::message_out_of_order;
  }
  CountersReported reported{
      counters.table, counters.from, counters.up_to, {}, counts_of(state, counters.table)};
  if (reported.from == MessageNumber() || reported.from > reported.up_to.next()) {
    return Refusal::message_malformed;
  }
  if (!std::all_of(counters.reported.begin(), counters.reported.end(), is_possible)) {
    return Refusal::counters_out_of_range;
  }
  for (const LinkCount& counted : reported.counted) {
    const auto one = std::find_if(counters.reported.begin(), counters.reported.end(),
                                  [&](const LinkCount& any) { return any.link == counted.link; });
    reported.reported.push_back(one == counters.reported.end() ? LinkCount{counted.link, 0, 0, {}}
                                                               : *one);
  }
  return next_entry(state, std::move(reported), now);
}

Refusal check_day(const State& state, GamingDay day) {
  const DayRecord* record = state.find_day(day);
  if (record != nullptr) return record->is_closed() ? Refusal::day_closed : Refusal::none;
  const bool is_before = !state.days().empty() && day < state.days().front().day;
  return is_before ? Refusal::day_unknown : Refusal::day_not_over;
}

bool has_room(const State& state, GamingDay day, const Badge& by, const std::string& item,
              bool explains_open) {
  const DayRecord& record = *state.find_day(day);
  const auto said = record.said.find({by, item});
  if (said != record.said.end() && said->second >= limits::day_facts_per_item_max) return false;
  return record.facts.size() < (explains_open
                                    ? limits::day_facts_max
                                    : limits::day_facts_max - limits::day_explanations_reserved);
}

bool DayDecision::may_count(CountKind kind) const {
  return person_.has(Right::count_money) ||
         (kind == CountKind::poker_box && person_.has(Right::count_boxes));
}

// § 553.20(d)(1): a dealer counts a box in the presence of a floorperson or higher.
bool DayDecision::may_see(const RecordCount& record) const {
  const Person* witness = state_.find_person(record.witness);
  if (witness == nullptr || witness->removed || witness->is_locked(now_) ||
      witness->badge == person_.badge) {
    return false;
  }
  const bool is_of_funds = record.kind != CountKind::chips && witness->has(Right::witness_funds);
  return is_of_funds || (person_.has(Right::count_money) && witness->has(Right::witness_counts));
}

Outcome DayDecision::operator()(const TakeReading& take) const {
  if (!person_.has(Right::take_readings)) return refused(Refusal::right_missing);
  if (!is_well_formed_note(take.note)) return refused(Refusal::name_malformed);
  if (take.seen.size() > limits::signs_seen_max) return refused(Refusal::signs_too_many);
  ReadingTaken taken{reading_of(state_, shown_ == nullptr ? ShownAmounts() : *shown_),
                     {},
                     take.note,
                     person_.badge};
  std::set<std::pair<LinkIndex, LevelIndex>> named;
  for (const TakeReading::Seen& seen : take.seen) {
    const auto link = state_.floor().find_link(seen.link);
    if (!link) return refused(Refusal::link_unknown);
    const auto level = find_level(state_.floor().link(*link), seen.level);
    if (!level) return refused(Refusal::link_unknown);
    if (!is_countable(seen.amount)) return refused(Refusal::amount_out_of_range);
    if (!named.emplace(*link, *level).second) {
      return refused(Refusal::sign_named_twice, seen.link.text());
    }
    taken.seen.push_back({*link, *level, seen.amount});
  }
  return accepted(std::move(taken));
}

Outcome DayDecision::operator()(const RecordCount& record) const {
  if (!may_count(record.kind)) return refused(Refusal::right_missing);
  for (const std::string* text : {&record.note, &record.notice, &record.recording}) {
    if (!is_well_formed_note(*text)) return refused(Refusal::name_malformed);
  }
  if (const Refusal no = check_day(state_, record.day); no != Refusal::none) return refused(no);
  const auto link = state_.floor().find_link(record.link);
  if (!link) return refused(Refusal::link_unknown);
  const LinkConfig& terms = state_.floor().link(*link);
  std::optional<TableIndex> table;
  if (!record.table.empty()) {
    table = state_.floor().find_table(record.table);
    if (!table) return refused(Refusal::table_unknown);
  }
  // § 553.20: a box belongs to one table, a fund to the whole room.
  const bool is_fund = record.kind == CountKind::fund_kept;
  const bool is_of_pots = record.kind != CountKind::chips;
  if (is_fund == table.has_value() || is_of_pots != terms.pot.has_value() ||
      (table && !terms.has_table(*table))) {
    return refused(Refusal::count_not_possible);
  }
  if (!is_countable(record.amount)) return refused(Refusal::amount_out_of_range);
  if (!may_see(record)) return refused(Refusal::witness_missing);
  // The person who issued the witness's PIN could have entered it.
  const Person* witness = state_.find_person(record.witness);
  if (!is_witnessed_ || witness == nullptr || witness->pin_set_by_other) {
    return refused(Refusal::witness_not_signed);
  }
  if (record.kind == CountKind::poker_box) {
    if (record.notice.empty()) return refused(Refusal::notice_missing);
    // A dealer counts at the closed table, a cashier at the cage.
    const bool is_at_cage = person_.has(Right::count_money);
    if (!is_at_cage && record.recording.empty()) return refused(Refusal::recording_missing);
  }
  CountRecorded recorded{record.day,    record.kind,     table,          *link,
                         record.amount, record.note,     record.witness, person_.badge,
                         record.notice, record.recording};
  if (!has_room(state_, record.day, person_.badge, signed_item(recorded))) {
    return refused(Refusal::day_full);
  }
  return accepted(std::move(recorded));
}

Outcome DayDecision::operator()(const ExplainVariance& explain) const {
  if (!person_.has(Right::reconcile)) return refused(Refusal::right_missing);
  if (!is_well_formed_text(explain.note, limits::reason_length_max)) {
    return refused(Refusal::name_malformed);
  }
  if (const Refusal no = check_day(state_, explain.day); no != Refusal::none) return refused(no);
  if (finding_ == nullptr) return refused(Refusal::report_not_ready);
  const auto item = finding_->items.find(explain.item);
  if (item == finding_->items.end()) return refused(Refusal::item_unknown);
  if (item->second.difference != explain.difference) return refused(Refusal::variance_differs);
  if (explain.corrected_by &&
      (*explain.corrected_by == EntryNumber() || *explain.corrected_by > state_.last_entry())) {
    return refused(Refusal::entry_unknown);
  }
  VarianceExplained explained{explain.day,  explain.item,         explain.difference,
                              explain.note, explain.corrected_by, person_.badge};
  if (!has_room(state_, explain.day, person_.badge, signed_item(explained), item->second.is_open)) {
    return refused(Refusal::day_full);
  }
  return accepted(std::move(explained));
}

Outcome DayDecision::operator()(const SignDay& sign) const {
  if (!person_.has(Right::reconcile)) return refused(Refusal::right_missing);
  if (const Refusal no = check_day(state_, sign.day); no != Refusal::none) return refused(no);
  if (finding_ == nullptr) return refused(Refusal::report_not_ready);
  if (finding_->report != sign.report) return refused(Refusal::report_differs);
  for (const auto& [name, item] : finding_->items) {
    if (item.is_open) {
      return refused(item.is_claim ? Refusal::claims_pending : Refusal::variance_unexplained, name);
    }
  }
  const DayRecord& record = *state_.find_day(sign.day);
  // Another accountant may sign the same report, and that signature then counts. This is for a
  // manager who is not independent of the first signer, and who therefore cannot close the day.
  if (record.is_as_signed() && record.report == sign.report && record.signed_by == person_.badge) {
    return refused(Refusal::day_signed_already);
  }
  return accepted(DaySigned{sign.day, sign.report, person_.badge});
}

Outcome DayDecision::operator()(const CloseDay& close) const {
  if (!person_.has(Right::close_days)) return refused(Refusal::right_missing);
  if (const Refusal no = check_day(state_, close.day); no != Refusal::none) return refused(no);
  const DayRecord* before = state_.find_day(close.day.previous());
  if (before != nullptr && !before->is_closed()) {
    return refused(Refusal::day_before_open, text(before->day));
  }
  const DayRecord& record = *state_.find_day(close.day);
  if (!record.is_signed()) return refused(Refusal::day_not_signed);
  if (!record.is_as_signed() || record.report != close.report) {
    return refused(Refusal::report_differs);
  }
  const Person* first = state_.find_person(record.signed_by);
  INVARIANT(first != nullptr);
  if (first->badge == person_.badge) return refused(Refusal::same_person);
  if (may_be_same_person(person_, *first)) return refused(Refusal::same_hand);
  return accepted(DayClosed{close.day, close.report, person_.badge});
}

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
  if (const Refusal no = check_day(state_, move.day); no != Refusal::none) return refused(no);
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
  if (!has_room(state_, move.day, person_.badge, signed_item(moved))) {
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
  // The person who issued the witness's PIN could have entered it. One manager may have issued the
  // first PINs of both persons: no money moves here, and if that manager also proposes accountants,
  // nobody else could be the witness.
  if (!is_witnessed || witness->pin_set_by_other) return refused(Refusal::witness_not_signed);
  const Amount shown = shown_now(state_, *link);
  if (adjust.shown && *adjust.shown != shown) return refused(Refusal::display_differs);
  return accepted(
      DisplayAdjusted{*link, shown, adjust.kept, adjust.note, adjust.witness, person_.badge});
}

}  // namespace linkmeter
