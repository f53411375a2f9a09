#include "controller/cli/operate/days.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/time/calendar.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/json.h"
#include "meters/values/hex.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

DayReport make_report(const Journal& journal, const State& state, GamingDay day) {
  const DayRecord* record = state.find_day(day);
  std::uint64_t count = 0;
  if (record != nullptr) {
    const DayRecord* before = state.find_day(day.previous());
    count = record->ended.value() - (before == nullptr ? 0 : before->ended.value());
  }
  Progress progress("reading " + text(day), count, "entries");
  return day_report(journal, state.days(), day, state.last_entry(),
                    [&progress](std::uint64_t done) { progress.show(done); });
}

std::string_view day_state(const DayRecord& day) {
  if (day.is_closed()) return "closed";
  return day.stands_as_signed() ? "signed" : "open";
}

// When somebody signed; nothing for no signature.
std::optional<Timestamp> signed_at(const Journal& journal, EntryNumber entry) {
  if (entry == EntryNumber()) return std::nullopt;
  return entry_at(journal, entry).recorded_at;
}

Json moment_told(const std::optional<Timestamp>& at) { return at ? Json(text(*at)) : Json(); }

struct DayTold {
  const DayRecord* record = nullptr;
  std::optional<Timestamp> signed_at, closed_at;
  std::optional<std::size_t> open_items;
};

// The clock of the house; nothing where its floor cannot be read by this release.
struct HouseClock {
  std::string zone, start;
};
HouseClock house_clock(const Journal& journal, const State& state) {
  const Configuration in_force = configuration_in_force(journal, state);
  const auto resolved = resolve_again(in_force.floor_text, in_force.catalogue_texts);
  const auto* file = std::get_if<FloorFile>(&resolved);
  return file == nullptr ? HouseClock() : HouseClock{file->timezone, file->gaming_day_start};
}

// The day that is open in the journal, whatever the clock of this machine says.
Json today_json(const State& state, const HouseClock& clock) {
  if (clock.zone.empty()) return nullptr;
  return running_day_json(state, Calendar(clock.zone, clock.start));
}

Json day_json(const DayTold& told) {
  const DayRecord& day = *told.record;
  return Json{{"day", text(day.day)},
              {"ended", day.ended.value()},
              {"ends_at", text(day.ends_at)},
              {"signed_by", text_or_null(day.signed_by)},
              {"signed_at", moment_told(told.signed_at)},
              {"closed_by", text_or_null(day.closed_by)},
              {"closed_at", moment_told(told.closed_at)},
              {"report", day.is_signed() ? Json(hex(day.report)) : Json()},
              {"open_items", told.open_items ? Json(*told.open_items) : Json()},
              {"state", day_state(day)}};
}

void print_days(const std::vector<DayTold>& all, const std::string& zone) {
  Column day{"day", true}, state{"state", true}, ended{"ended", true}, first{"signed", true},
      second{"closed", true}, open{"open"};
  const auto by = [&zone](const Badge& badge, const std::optional<Timestamp>& at) {
    return at ? badge.text() + " " + local_text(*at, zone) : "";
  };
  for (const DayTold& told : all) {
    day.cells.push_back(text(told.record->day));
    state.cells.emplace_back(day_state(*told.record));
    ended.cells.push_back(local_text(told.record->ends_at, zone));
    first.cells.push_back(by(told.record->signed_by, told.signed_at));
    second.cells.push_back(by(told.record->closed_by, told.closed_at));
    open.cells.push_back(told.open_items ? std::to_string(*told.open_items) : "");
  }
  for (const std::string& line : table_lines({day, state, ended, open, first, second})) {
    std::cout << line << '\n';
  }
}

}  // namespace

int days(const Source& from, bool as_json, bool open) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  const HouseClock clock = house_clock(*journal, state);
  std::vector<DayTold> all;
  for (auto day = state.days().rbegin(); day != state.days().rend(); ++day) {
    DayTold told{
        &*day, signed_at(*journal, day->signed_with), signed_at(*journal, day->closed_with), {}};
    if (open && !day->is_closed()) {
      const DayReport report = make_report(*journal, state, day->day);
      told.open_items = static_cast<std::size_t>(
          std::count_if(report.finding.items.begin(), report.finding.items.end(),
                        [](const auto& item) { return item.second.is_open; }));
    }
    all.push_back(told);
  }
  if (!as_json) {
    print_days(all, clock.zone);
    return 0;
  }
  Json list = Json::array();
  for (const DayTold& told : all) list.push_back(day_json(told));
  std::cout << Json{{"today", today_json(state, clock)}, {"days", std::move(list)}}.dump(2) << '\n';
  return 0;
}

int show_day(const Source& from, GamingDay day, bool as_json) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  if (state.find_day(day) == nullptr) {
    throw Fault("the gaming day " + text(day) + " has not ended here" +
                (state.days().empty() ? "; none has"
                                      : "; there are " + text(state.days().front().day) + " to " +
                                            text(state.days().back().day)));
  }
  const DayReport report = make_report(*journal, state, day);
  if (as_json) {
    std::cout << report.json;  // and nothing else: it has the SHA-256 that is signed
    return 0;
  }
  const DayRecord& record = *state.find_day(day);
  const std::string zone = house_clock(*journal, state).zone;
  std::cout << day_sheet(report, zone);
  const auto sign = [&](const char* what, const Badge& by, EntryNumber with) {
    std::cout << what << (by.empty() ? "nobody" : by.text());
    if (const auto at = signed_at(*journal, with)) std::cout << ", " << local_text(*at, zone);
    std::cout << '\n';
  };
  std::cout << "\nreport  " << hex(report.digest) << '\n';
  sign("signed  ", record.signed_by, record.signed_with);
  if (record.is_signed() && record.report != report.digest) {
    std::cout << "        under another report: " << hex(record.report) << '\n';
  }
  sign("closed  ", record.closed_by, record.closed_with);
  return 0;
}

CLI::App* declare_days(CLI::App& app, CommandOptions& options, const Declaring& declare) {
  declare
      .reading_folder(app, "days", "Every gaming day that has ended: open, signed or closed",
                      [&options] { return days(options.from, options.json, options.open_items); })
      ->add_flag("--open", options.open_items,
                 "Count the open items of days that are not closed: reads their entries");
  CLI::App* day = app.add_subcommand("day", "The report of a gaming day, or an act upon one");
  day->require_subcommand(0, 1);
  auto* date = day->add_option("date", options.day, "The day, e.g. 2026-11-21")
                   ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
  takes_folder(day, options.from, /*is_required=*/false);
  day->add_flag("--json", options.json, "Print the report itself, byte for byte as it is signed");
  // The day alone asks for its report; with a subcommand the word is that one's.
  day->final_callback([day, date, &options, &declare_work = declare.work()] {
    if (!day->get_subcommands().empty()) return;
    if (date->count() == 0) throw CLI::RequiredError("date");
    if (options.from.data.empty()) throw CLI::RequiredError("--data");
    declare_work = [&options] {
      return show_day(options.from, parse_gaming_day(options.day).value(), options.json);
    };
  });
  return day;
}

}  // namespace linkmeter::cli
