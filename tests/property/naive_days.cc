// NaiveModel: gaming days: that they end, and what is reported, read, counted, explained and signed
// for them. Nothing here moves money.

#include <algorithm>

#include "tests/property/naive_person_message.h"
#include "tests/property/naive_table_message.h"

namespace linkmeter {

namespace {

bool is_countable(Amount amount) {
  const Exact units = amount.units();
  return units >= 0 && units % exact_cent == 0 && units <= Exact{10'000'000'000} * 100 * exact_cent;
}

Verdict turned_away(Refusal refusal) {
  Verdict away;
  away.kind = Verdict::Kind::turned_away;
  away.refusal = refusal;
  return away;
}

// The amounts that the signs showed, for every existing level.
ShownAmounts as_shown(const std::vector<NaiveTerms>& terms, const ShownAmounts& known) {
  ShownAmounts all(terms.size());
  for (std::size_t link = 0; link < all.size(); ++link) {
    all[link].resize(terms[link].seeds.size());
    for (std::size_t level = 0; level < all[link].size(); ++level) {
      const bool is_known = link < known.size() && level < known[link].size();
      if (is_known) all[link][level] = known[link][level];
    }
  }
  return all;
}

}  // namespace

Verdict NaiveModel::on_reply(const DayEnd& end, Timestamp now) {
  const bool follows = days_.empty() || (end.day.number() == days_.back().day.number() + 1 &&
                                         end.ends_at > days_.back().ends_at);
  if (!follows || end.ends_at > now) return turned_away(Refusal::day_not_over);
  Verdict verdict;
  verdict.fact = "day_ended";
  verdict.entry = ++entries_;
  verdict.of_day = NaiveDaySaid{end.day, end.ends_at, books_, as_shown(terms_, end.shown)};
  NaiveDay day;
  day.day = end.day;
  day.ended = verdict.entry;
  day.ends_at = end.ends_at;
  days_.push_back(day);
  return verdict;
}

// An answer to the end of a day, so it belongs to the last day, unless that is closed by then.
Verdict NaiveModel::on_reply(const TableCounters& counters) {
  const std::uint32_t table = counters.table.value();
  if (table >= tables_.size()) return turned_away(Refusal::table_unknown);
  if (counters.up_to.value() != tables_[table].last_number) {
    return turned_away(Refusal::message_out_of_order);
  }
  if (counters.from.value() == 0 || counters.from.value() > counters.up_to.value() + 1) {
    return turned_away(Refusal::message_malformed);
  }
  for (const LinkCount& told : counters.reported) {
    // A table's count only grows, in whole cents, and never exceeds the total handle of a link.
    const std::int64_t units = told.handle.units();
    const bool is_money =
        units >= 0 && units <= 60'000'000'000 * 100'000'000 && units % 1'000'000 == 0;
    if (!is_money || told.rounds > 1'000'000'000'000 || told.wagers > 1'000'000'000'000) {
      return turned_away(Refusal::counters_out_of_range);
    }
  }
  Verdict verdict;
  verdict.fact = "counters_told";
  verdict.entry = ++entries_;
  NaiveDaySaid said;
  said.table = table;
  said.from = counters.from.value();
  said.up_to = counters.up_to.value();
  for (std::uint32_t link = 0; link < terms_.size(); ++link) {
    const std::vector<std::uint32_t>& of = terms_[link].tables;
    if (std::find(of.begin(), of.end(), table) == of.end()) continue;
    const NaiveCount& count = books_[link].count(table);
    said.counted.push_back({LinkIndex(link), static_cast<std::uint64_t>(count.rounds),
                            static_cast<std::uint64_t>(count.wagers),
                            Amount::from_units(static_cast<std::int64_t>(count.handle))});
    LinkCount told{LinkIndex(link), 0, 0, Amount()};
    for (std::size_t at = counters.reported.size(); at > 0; --at) {  // the first one counts
      if (counters.reported[at - 1].link == LinkIndex(link)) told = counters.reported[at - 1];
    }
    said.reported.push_back(told);
  }
  verdict.of_day = std::move(said);
  if (!days_.empty() && days_.back().closed_with == 0) {
    days_.back().facts.push_back(verdict.entry);
  }
  return verdict;
}

NaiveDay* NaiveModel::PersonMessageDecision::find_day(GamingDay day) {
  for (NaiveDay& one : model.days_) {
    if (one.day != day) continue;
    need_first(one.closed_with == 0, Refusal::day_closed);
    return &one;
  }
  const bool is_before = !model.days_.empty() && day < model.days_.front().day;
  need_first(false, is_before ? Refusal::day_unknown : Refusal::day_not_over);
  return nullptr;
}

void NaiveModel::PersonMessageDecision::operator()(const TakeReading& take) {
  need(person.is(Role::accountant) || person.is(Role::finance_manager));
  if (!no.empty()) return;
  check_note(take.note);
  NaiveDaySaid said;
  for (const TakeReading::Seen& one : take.seen) {
    if (!no.empty()) return;
    const auto link = find_link(one.link);
    const int level = link ? model.terms_[*link].level(one.level.text()) : -1;
    if (link && level < 0) no.insert(Refusal::link_unknown);
    need_first(is_countable(one.amount), Refusal::amount_out_of_range);
    if (!no.empty()) return;
    const SeenAmount seen{LinkIndex(*link), LevelIndex(static_cast<std::uint8_t>(level)),
                          one.amount};
    for (const SeenAmount& before : said.seen) {
      need_first(before.link != seen.link || before.level != seen.level, Refusal::sign_named_twice);
    }
    if (!no.empty()) return;
    said.seen.push_back(seen);
  }
  if (!no.empty()) return;
  said.books = model.books_;
  said.shown = as_shown(model.terms_, shown == nullptr ? ShownAmounts() : *shown);
  verdict.fact = "reading_taken";
  verdict.of_day = std::move(said);
}

// A floorperson or a higher rank witnesses a count of money of pots. Security may witness a
// cashier's count, and a floorperson a count of chips.
bool NaiveModel::PersonMessageDecision::may_witness(const NaivePerson& witness,
                                                    CountKind kind) const {
  const bool is_above = witness.is(Role::floorperson) || witness.is(Role::poker_shift_supervisor) ||
                        witness.is(Role::table_games_manager);
  if (kind != CountKind::chips && is_above) return true;
  return person.is(Role::cashier) &&
         (witness.is(Role::floorperson) || witness.is(Role::security_officer));
}

void NaiveModel::PersonMessageDecision::operator()(const RecordCount& record) {
  // § 553.20(d)(1): at a closed poker table the dealer counts the box.
  const bool is_box = record.kind == CountKind::poker_box;
  need(person.is(Role::cashier) || (is_box && person.is(Role::dealer)));
  if (!no.empty()) return;
  check_note(record.note);
  check_note(record.notice);
  check_note(record.recording);
  if (!no.empty()) return;
  NaiveDay* day = find_day(record.day);
  if (!no.empty()) return;
  const auto link = find_link(record.link);
  if (!no.empty()) return;
  std::optional<std::uint32_t> table;
  for (std::uint32_t at = 0; at < model.tables_.size(); ++at) {
    if (model.tables_[at].id == record.table.text()) table = at;
  }
  need_first(table.has_value() || record.table.empty(), Refusal::table_unknown);
  // § 553.20: each poker table has a box, the room has one fund; chips belong to all other games.
  const NaiveTerms& terms = model.terms_[*link];
  const bool is_at_link =
      table && std::find(terms.tables.begin(), terms.tables.end(), *table) != terms.tables.end();
  switch (record.kind) {
    case CountKind::poker_box:
      need_first(terms.of_pots && is_at_link, Refusal::count_not_possible);
      break;
    case CountKind::fund_kept:
      need_first(terms.of_pots && !table, Refusal::count_not_possible);
      break;
    case CountKind::chips:
      need_first(!terms.of_pots && is_at_link, Refusal::count_not_possible);
      break;
  }
  need_first(is_countable(record.amount), Refusal::amount_out_of_range);
  const auto witness = model.people_.find(record.witness.text());
  const bool is_there = witness != model.people_.end() && !witness->second.removed &&
                        !witness->second.is_locked(now) && witness->first != by;
  need_first(is_there && may_witness(witness->second, record.kind), Refusal::witness_missing);
  if (!no.empty()) return;
  need_first(is_witnessed && !witness->second.pin_is_others, Refusal::witness_not_signed);
  // § 553.20(d), (d)(1): compliance is told of every box; surveillance records counts without a
  // cashier.
  need_first(!is_box || !record.notice.empty(), Refusal::notice_missing);
  need_first(!is_box || person.is(Role::cashier) || !record.recording.empty(),
             Refusal::recording_missing);
  // One person may state one thing 32 times at most.
  int& said = day->said[by + " count " + std::to_string(static_cast<int>(record.kind)) + " " +
                        record.link.text() + " " + record.table.text()];
  need_first(said < 32, Refusal::day_full);
  if (!no.empty()) return;
  ++said;
  verdict.fact = "count_recorded";
  day->facts.push_back(model.entries_ + 1);
}

void NaiveModel::PersonMessageDecision::operator()(const ExplainVariance& explain) {
  need(person.is(Role::accountant));
  if (!no.empty()) return;
  if (!is_naive_text(explain.note, 200)) no.insert(Refusal::name_malformed);
  if (!no.empty()) return;
  NaiveDay* day = find_day(explain.day);
  need_first(finding != nullptr, Refusal::report_not_ready);
  if (!no.empty()) return;
  const auto item = finding->items.find(explain.item);
  need_first(item != finding->items.end(), Refusal::item_unknown);
  if (!no.empty()) return;
  need_first(item->second.difference == explain.difference, Refusal::variance_differs);
  const bool is_known = !explain.corrected_by || (explain.corrected_by->value() >= 1 &&
                                                  explain.corrected_by->value() <= model.entries_);
  need_first(is_known, Refusal::entry_unknown);
  // An open item can always be explained: otherwise the day could not be closed.
  int& said = day->said[by + " explain " + explain.item];
  need_first(item->second.is_open || said < 32, Refusal::day_full);
  if (!no.empty()) return;
  ++said;
  verdict.fact = "variance_explained";
  day->facts.push_back(model.entries_ + 1);
}

// The signer has read the current report, and no item in it is open.
void NaiveModel::PersonMessageDecision::operator()(const SignDay& sign) {
  need(person.is(Role::accountant));
  if (!no.empty()) return;
  NaiveDay* day = find_day(sign.day);
  need_first(finding != nullptr, Refusal::report_not_ready);
  if (!no.empty()) return;
  need_first(finding->report == sign.report, Refusal::report_differs);
  for (const auto& [name, item] : finding->items) {
    const Refusal open = item.is_claim ? Refusal::claims_pending : Refusal::variance_unexplained;
    need_first(!item.is_open, open);
  }
  const bool is_said_again = day->stands() && day->report == sign.report && day->signed_by == by;
  need_first(!is_said_again, Refusal::day_signed_already);
  if (!no.empty()) return;
  verdict.fact = "day_signed";
  day->signed_by = by;
  day->signed_with = model.entries_ + 1;
  day->report = sign.report;
}

// The second signature comes from another person, on the same report as the first, and days are
// closed in their order.
void NaiveModel::PersonMessageDecision::operator()(const CloseDay& close) {
  need(person.is(Role::finance_manager));
  if (!no.empty()) return;
  NaiveDay* day = find_day(close.day);
  if (!no.empty()) return;
  for (const NaiveDay& one : model.days_) {
    if (one.day < close.day) need_first(one.closed_with != 0, Refusal::day_before_open);
  }
  need_first(day->signed_with != 0, Refusal::day_not_signed);
  need_first(day->stands() && day->report == close.report, Refusal::report_differs);
  if (!no.empty()) return;
  need_others({day->signed_by});
  if (!no.empty()) return;
  verdict.fact = "day_closed";
  day->closed_by = by;
  day->closed_with = model.entries_ + 1;
}

}  // namespace linkmeter
