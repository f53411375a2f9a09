#include "tests/property/day_traffic.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace linkmeter {

namespace {

constexpr std::int32_t first_day = 20'000;
constexpr std::int64_t hour_us = 3'600'000'000;

}  // namespace

Badge DayTraffic::one_with(const NaiveModel& model, Role role) {
  std::vector<std::string> able, all;
  for (const auto& [badge, person] : model.people()) {
    all.push_back(badge);
    if (person.is(role) && !person.removed && !person.was_locked()) able.push_back(badge);
  }
  if (all.empty()) return Badge("X-1");
  return Badge(able.empty() || dice_.one_in(8) ? dice_.pick(all) : dice_.pick(able));
}

// Mostly the first day that is not closed.
GamingDay DayTraffic::day(const NaiveModel& model) {
  const std::vector<NaiveDay>& days = model.days();
  if (days.empty()) return GamingDay::from_number(first_day);
  const auto open = std::find_if(days.begin(), days.end(),
                                 [](const NaiveDay& one) { return one.closed_with == 0; });
  if (open != days.end() && dice_.percent(75)) return open->day;
  switch (dice_.below(6)) {
    case 0: return days.front().day.previous();
    case 1: return days.back().day.next();
    default: return dice_.pick(days).day;
  }
}

ShownAmounts DayTraffic::shown(const NaiveModel& model) {
  ShownAmounts all;
  // As many links as there are, fewer, or one more.
  const std::size_t links =
      dice_.one_in(4) ? dice_.below(model.terms().size() + 2) : model.terms().size();
  for (std::size_t link = 0; link < links; ++link) {
    all.emplace_back();
    while (all.back().size() < 5 && dice_.percent(60)) {
      all.back().emplace_back(Amount::cents(dice_.between(0, 5'000'000)));
      if (dice_.one_in(4)) all.back().back().reset();
    }
  }
  return all;
}

DayEnd DayTraffic::end(const NaiveModel& model, Timestamp now) {
  const std::vector<NaiveDay>& days = model.days();
  GamingDay day = days.empty() ? GamingDay::from_number(first_day) : days.back().day.next();
  if (!days.empty() && dice_.one_in(6)) day = dice_.one_in(2) ? days.back().day : day.next();
  Timestamp ends_at = now.after(-static_cast<std::int64_t>(dice_.below(1'000)));
  if (dice_.one_in(6)) ends_at = now.after(dice_.between(0, 1));
  if (!days.empty() && dice_.one_in(6)) ends_at = days.back().ends_at.after(dice_.between(-1, 1));
  return {day, ends_at, shown(model)};
}

// To a value that no table can count, or to the largest possible one.
void DayTraffic::spoil(LinkCount& told) {
  const std::vector<Amount> handles{Amount::from_units(std::numeric_limits<std::int64_t>::min()),
                                    Amount::from_units(1), Amount::cents(-1),
                                    Amount::dollars(60'000'000'000),
                                    Amount::dollars(60'000'000'000) + Amount::cents(1)};
  const std::vector<std::uint64_t> counts{1'000'000'000'000, 1'000'000'000'001,
                                          std::numeric_limits<std::uint64_t>::max()};
  switch (dice_.below(3)) {
    case 0: told.handle = dice_.pick(handles); break;
    case 1: told.rounds = dice_.pick(counts); break;
    default: told.wagers = dice_.pick(counts); break;
  }
}

TableCounters DayTraffic::counters(const NaiveModel& model) {
  const std::size_t count = model.tables().size();
  const std::size_t table = dice_.one_in(20) ? count : dice_.below(count);
  const std::uint64_t last = table < count ? model.tables()[table].last_number : 0;
  TableCounters counters{TableIndex(static_cast<std::uint32_t>(table)),
                         MessageNumber(1),
                         MessageNumber(dice_.one_in(8) ? last + 1 : last),
                         {}};
  if (dice_.one_in(4)) counters.from = MessageNumber(dice_.below(last + 3));
  for (std::size_t link = 0; link < model.terms().size() + 1; ++link) {
    // The table never counted it, or it is not one of the table's links.
    if (dice_.one_in(5)) continue;
    counters.reported.push_back({LinkIndex(static_cast<std::uint32_t>(link)), dice_.below(900),
                                 dice_.below(900), Amount::cents(dice_.between(0, 99'999))});
    if (dice_.one_in(10)) counters.reported.push_back(counters.reported.front());
    if (dice_.one_in(40)) spoil(counters.reported.back());
  }
  return counters;
}

Amount DayTraffic::amount() {
  const std::vector<Amount> odd{Amount::from_units(1), Amount::cents(-1),
                                Amount::dollars(10'000'000'000),
                                Amount::dollars(10'000'000'000) + Amount::cents(1)};
  return dice_.one_in(8) ? dice_.pick(odd) : Amount::cents(dice_.between(0, 99'999));
}

std::string DayTraffic::note() {
  if (dice_.one_in(15)) return dice_.one_in(2) ? std::string(201, 'n') : "bell\a";
  return dice_.one_in(4) ? "" : "sheet " + std::to_string(dice_.below(100));
}

LinkId DayTraffic::link(const NaiveModel& model) {
  return LinkId(dice_.one_in(15) ? "NOWHERE" : dice_.pick(model.terms()).id);
}

OperatorCommand DayTraffic::reading(const NaiveModel& model) {
  TakeReading take{{}, note()};
  while (take.seen.size() < 4 && dice_.percent(50)) {
    const NaiveTerms& terms = dice_.pick(model.terms());
    const std::string level = terms.rules.levels.empty() || dice_.one_in(12)
                                  ? "reserve"
                                  : dice_.pick(terms.rules.levels).level;
    take.seen.push_back(
        {dice_.one_in(15) ? LinkId("NOWHERE") : LinkId(terms.id), LevelId(level), amount()});
  }
  return take;
}

OperatorCommand DayTraffic::count(const NaiveModel& model) {
  RecordCount record{day(model), CountKind::chips, TableId(), link(model), amount(), note(), {}};
  const auto of_link =
      std::find_if(model.terms().begin(), model.terms().end(),
                   [&record](const NaiveTerms& terms) { return terms.id == record.link.text(); });
  if (of_link != model.terms().end() && of_link->of_pots) {
    record.kind = dice_.one_in(2) ? CountKind::poker_box : CountKind::fund_kept;
  }
  if (dice_.one_in(8)) record.kind = static_cast<CountKind>(1 + dice_.below(3));
  const bool is_of_table = (record.kind != CountKind::fund_kept) != dice_.one_in(12);
  if (is_of_table) {
    const bool is_there = of_link != model.terms().end() && !of_link->tables.empty();
    record.table =
        TableId(is_there && !dice_.one_in(10) ? model.tables()[dice_.pick(of_link->tables)].id
                                              : dice_.pick(model.tables()).id);
    if (dice_.one_in(20)) record.table = TableId("NOWHERE");
  }
  record.witness = one_with(model, dice_.one_in(2) ? Role::floorperson : Role::security_officer);
  if (!dice_.one_in(10)) record.notice = "R. Diaz";
  if (!dice_.one_in(3)) record.recording = dice_.one_in(20) ? "tape\n7" : "tape 7";
  return record;
}

DayFinding DayTraffic::finding(GamingDay day) {
  DayFinding made;
  // A day mostly has one report, now and then another.
  made.report[0] = static_cast<std::uint8_t>(day.number() % 100 + 1 + (dice_.one_in(8) ? 100 : 0));
  const std::vector<std::string> names{"balance/L/main", "claim/1", "claim/22", "rate/L/main"};
  for (const std::string& name : names) {
    if (!dice_.one_in(6)) continue;
    made.items[name] = {dice_.one_in(2) ? "-1.00" : "2.50", dice_.one_in(2),
                        name.starts_with("claim/")};
  }
  return made;
}

OperatorCommand DayTraffic::explanation(const NaiveModel& model, const DayFinding& finding,
                                        GamingDay day) {
  ExplainVariance explain{day, "no/ITEM", "1.00", note(), {}};
  if (explain.note.empty() && dice_.percent(80)) explain.note = "found under the table";
  if (!finding.items.empty() && !dice_.one_in(8)) {
    auto item = finding.items.begin();
    std::advance(item, static_cast<std::ptrdiff_t>(dice_.below(finding.items.size())));
    explain.item = item->first;
    if (!dice_.one_in(6)) explain.difference = item->second.difference;
  }
  if (dice_.one_in(3)) explain.corrected_by = EntryNumber(1 + dice_.below(model.entries()));
  if (dice_.one_in(12)) {
    explain.corrected_by = EntryNumber(dice_.one_in(2) ? 0 : model.entries() + 1);
  }
  return explain;
}

TimedInput DayTraffic::upon_report(const NaiveModel& model, Timestamp now) {
  const GamingDay which = day(model);
  TimedInput heard{now, PersonMessage{}};
  heard.finding = finding(which);
  auto& message = std::get<PersonMessage>(heard.said);
  const auto known = std::find_if(model.days().begin(), model.days().end(),
                                  [which](const NaiveDay& one) { return one.day == which; });
  const bool is_signed = known != model.days().end() && known->stands();
  const std::size_t choice = dice_.below(10);
  if (choice < 3) {
    message = {one_with(model, Role::accountant), explanation(model, *heard.finding, which)};
  } else if (is_signed ? choice < 4 : choice < 9) {
    if (dice_.percent(60)) heard.finding->items.clear();
    const bool is_other = dice_.one_in(10);
    message = {one_with(model, Role::accountant),
               SignDay{which, is_other ? Digest{9} : heard.finding->report}};
  } else {
    const bool is_other = known == model.days().end() || dice_.one_in(10);
    message = {one_with(model, Role::finance_manager),
               CloseDay{which, is_other ? Digest{9} : known->report}};
    if (is_signed && dice_.one_in(8)) message.by = Badge(known->signed_by);
  }
  if (dice_.one_in(10)) heard.finding.reset();
  return heard;
}

TimedInput DayTraffic::next(const NaiveModel& model, Timestamp now) {
  const std::size_t choice = dice_.below(20);
  // A day lasts hours.
  if (choice < 3) {
    const Timestamp later = dice_.one_in(3) ? now.after(hour_us) : now;
    return {later, end(model, later)};
  }
  if (choice < 5) return {now, counters(model)};
  if (choice < 7) {
    TimedInput heard{now, PersonMessage{one_with(model, Role::accountant), reading(model)}};
    if (dice_.percent(80)) heard.shown = shown(model);
    return heard;
  }
  if (choice < 10) {
    PersonMessage counted{one_with(model, Role::cashier), count(model)};
    counted.is_witnessed = !dice_.one_in(10);
    return {now, std::move(counted)};
  }
  return upon_report(model, now);
}

}  // namespace linkmeter
