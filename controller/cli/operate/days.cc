#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "controller/accounting/day/reports.h"
#include "controller/cli/operate/day_sheet.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/time/calendar.h"
#include "controller/time/local_time.h"
#include "controller/turn/day_rollover.h"
#include "meters/facts/day_facts.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"
#include "proto/host/command_line.h"
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
  return day_report(journal, state.days(), day, state.last_entry(),
                    Progress("reading " + text(day), count, "entries").callback());
}

std::string_view day_state(const DayRecord& day) {
  if (day.is_closed()) return "closed";
  return day.is_as_signed() ? "signed" : "open";
}

// When it was signed; nullopt: it was not.
std::optional<Timestamp> signed_at(const Journal& journal, EntryNumber entry) {
  if (entry == EntryNumber()) return std::nullopt;
  return entry_at(journal, entry).recorded_at;
}

Json signing_moment(const Journal& journal, EntryNumber entry) {
  const auto at = signed_at(journal, entry);
  return at ? Json(text(*at)) : Json();
}

// The house's time zone and start of the gaming day; empty if this release cannot read its floor.
struct HouseClock {
  std::string zone, start;
};
HouseClock house_clock(const Journal& journal, const State& state) {
  const Configuration in_force = configuration_in_force(journal, state);
  const auto resolved = resolve_again(in_force.floor_text, in_force.catalogue_texts);
  const auto* file = std::get_if<FloorFile>(&resolved);
  return file == nullptr ? HouseClock() : HouseClock{file->timezone, file->gaming_day_start};
}

// The day that is open in the journal, whatever the time on this machine.
Json today_json(const State& state, const HouseClock& clock) {
  if (clock.zone.empty()) return nullptr;
  return running_day_json(state, Calendar(clock.zone, clock.start));
}

Json day_json(const Journal& journal, const DayRecord& day, std::optional<std::size_t> open_items) {
  return Json{{"day", text(day.day)},
              {"ended", day.ended.value()},
              {"ends_at", text(day.ends_at)},
              {"signed_by", text_or_null(day.signed_by)},
              {"signed_at", signing_moment(journal, day.signed_with)},
              {"closed_by", text_or_null(day.closed_by)},
              {"closed_at", signing_moment(journal, day.closed_with)},
              {"report", day.is_signed() ? Json(hex(day.report)) : Json()},
              {"open_items", open_items ? Json(*open_items) : Json()},
              {"state", day_state(day)}};
}

void print_days(const Json& days, const std::string& zone) {
  const auto local = [zone](const Json& moment) {
    return local_text(parse_moment(plain_cell(moment)).value(), zone);
  };
  const auto by = [local](const char* badge, const char* at) {
    return [=](const Json& day) {
      return day.at(at).is_null() ? "" : plain_cell(day.at(badge)) + " " + local(day.at(at));
    };
  };
  print_table(days, {left("day"), left("state"), left("ended", "ends_at", local),
                     right("open", "open_items"), left("signed", "", by("signed_by", "signed_at")),
                     left("closed", "", by("closed_by", "closed_at"))});
}

// Every day that has ended, the newest first. `open`: also the number of open items of days that
// are not closed, which reads their entries.
int list_days(const Source& from, bool as_json, bool open) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  const HouseClock clock = house_clock(*journal, state);
  Json list = Json::array();
  for (auto day = state.days().rbegin(); day != state.days().rend(); ++day) {
    std::optional<std::size_t> open_items;
    if (open && !day->is_closed()) {
      const DayReport report = make_report(*journal, state, day->day);
      open_items = static_cast<std::size_t>(
          std::count_if(report.finding.items.begin(), report.finding.items.end(),
                        [](const auto& item) { return item.second.is_open; }));
    }
    list.push_back(day_json(*journal, *day, open_items));
  }
  if (as_json) {
    print_json(Json{{"today", today_json(state, clock)}, {"days", std::move(list)}});
  } else {
    print_days(list, clock.zone);
  }
  return 0;
}

// The report of a day as the journal is now. As JSON: exactly the bytes that people sign.
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
    std::cout << report.json;  // exactly: its SHA-256 is signed
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

// "C4-MEGA/mega=50012.00"
std::optional<TakeReading::Seen> parse_seen(std::string_view text) {
  const std::size_t slash = text.find('/'), equals = text.rfind('=');
  if (slash == std::string_view::npos || equals == std::string_view::npos || equals < slash) {
    return std::nullopt;
  }
  const auto amount = parse_dollars(text.substr(equals + 1));
  if (!amount || slash == 0 || slash + 1 == equals) return std::nullopt;
  return TakeReading::Seen{LinkId(std::string(text.substr(0, slash))),
                           LevelId(std::string(text.substr(slash + 1, equals - slash - 1))),
                           *amount};
}

// The record of the day. Throws Fault.
const DayRecord& record_of(const State& state, GamingDay day) {
  const DayRecord* record = state.find_day(day);
  if (record == nullptr) throw Fault(text(day) + " is no gaming day that has ended");
  return *record;
}

// The report to sign: the one named by --report, else the one computed here from the same journal.
Digest report_to_sign(const CommandOptions& given) {
  if (const auto named = parse_digest(given.report)) return *named;
  // The staff socket does not provide the day's entries.
  if (given.from.is_socket())
    throw Fault("give the SHA-256 of the report that you have read: --report SHA256");
  const auto journal = open_data(given.from);
  const State state = current_state(*journal);
  const DayRecord& record = record_of(state, given.gaming_day());
  const MakeReport make = report_maker();
  if (!make) throw Fault("give the SHA-256 of the report that you have read: --report SHA256");
  const auto quiet = [](std::uint64_t) {};
  return make(*journal, state.days(), record.day, report_as_of(record), quiet).digest;
}

// The report to close: the one named by --report, else the one that was signed.
Digest report_to_close(const CommandOptions& given) {
  if (const auto named = parse_digest(given.report)) return *named;
  const State state = current_state(*open_data(given.from));
  return record_of(state, given.gaming_day()).report;
}

void takes_report(CLI::App* command, CommandBuilder& declare, const char* says) {
  command->add_option("--report", declare.options.report, says)
      ->check(read_by(parse_digest, "a SHA-256: 64 digits of 0-9a-f"));
}

void declare_signatures(CLI::App& day, CommandBuilder& declare) {
  CLI::App* sign =
      declare.act(day, "sign", "Sign a day's report, the first signature: an accountant",
                  [](const CommandOptions& given) {
                    return SignDay{given.gaming_day(), report_to_sign(given)};
                  });
  declare.takes_day(sign);
  takes_report(sign, declare, "SHA-256 of the report that you read (default: the current one)");
  sign->footer(
      "It is refused while a difference is not explained, and if the report has changed: then "
      "read\n"
      "it again. At the staff socket --report is required.\n"
      "Another accountant may sign the same report too: the last signature counts.");
  CLI::App* close =
      declare.act(day, "close", "Sign and close a day, the second signature: a finance manager",
                  [](const CommandOptions& given) {
                    return CloseDay{given.gaming_day(), report_to_close(given)};
                  });
  declare.takes_day(close);
  takes_report(close, declare, "SHA-256 of the report that you read (default: the signed one)");
  close->footer("A closed day cannot be changed. Days are closed one after the other.");
}

void declare_day_explain(CLI::App& day, CommandBuilder& declare) {
  CLI::App* explain = declare.act(
      day, "explain", "Explain a difference of the day's report, or name its correction",
      [](const CommandOptions& given) {
        ExplainVariance act{given.gaming_day(), given.item, given.difference, given.note, {}};
        if (given.number != 0) act.corrected_by = EntryNumber(given.number);
        return act;
      });
  declare.takes_day(explain);
  declare.takes(explain, "item", &CommandOptions::item, "The item, as in the report");
  declare.takes(explain, "--difference", &CommandOptions::difference,
                "The difference, exactly as in the report; --difference=-1.00 if negative");
  declare.takes_note(explain, "Why")->required();
  explain->add_option("--entry", declare.options.number, "The entry that corrected it")
      ->transform(a_number(1));
  explain->footer("It explains this difference only: if the difference changes, it is open again.");
}

void declare_count(CLI::App& app, CommandBuilder& declare) {
  CLI::App* count =
      declare.act(app, "count", "Record money or chips that were counted before a witness",
                  [](const CommandOptions& given) {
                    return RecordCount{given.gaming_day(),
                                       parse_count_kind(given.kind).value(),
                                       TableId(given.table),
                                       LinkId(given.link),
                                       parse_dollars(given.amount).value(),
                                       given.note,
                                       Badge(given.witness),
                                       given.notice,
                                       given.recording};
                  });
  declare.takes_day(count);
  declare.takes(count, "--kind", &CommandOptions::kind, "poker_box, fund_kept or chips")
      ->check(read_by(parse_count_kind, "one of poker_box, fund_kept, chips"));
  declare.takes(count, "--link", &CommandOptions::link, "The link's id");
  count->add_option("--table", declare.options.table, "The table's id; not with fund_kept");
  declare.takes(count, "--amount", &CommandOptions::amount, "What was counted, as 12.50")
      ->check(is_dollars());
  declare.takes(count, "--witness", &CommandOptions::witness, "The badge of the witness");
  count->add_option(
      "--notice", declare.options.notice,
      "For a poker box: which compliance representative of the Board was notified, and "
      "when (§ 553.20(d))");
  count->add_option("--recording", declare.options.recording,
                    "For a box counted at a closed table: surveillance's record of it "
                    "(§ 553.20(d)(1))");
  declare.takes_note(count);
  count->footer("The witness types his PIN after yours, or it is in $LINKMETER_WITNESS_PIN.");
}

void declare_reading(CLI::App& app, CommandBuilder& declare) {
  CLI::App* reading = declare.act(app, "reading", "Take a reading of every meter now",
                                  [](const CommandOptions& given) {
                                    TakeReading take;
                                    for (const std::string& seen : given.seen)
                                      take.seen.push_back(parse_seen(seen).value());
                                    take.note = given.note;
                                    return take;
                                  });
  reading
      ->add_option("--seen", declare.options.seen,
                   "What you saw on a sign, as C4-MEGA/mega=50012.00; may be given again")
      ->allow_extra_args(false)
      ->check(read_by(parse_seen, "what a sign showed, as LINK/LEVEL=12.50"));
  declare.takes_note(reading);
}

}  // namespace

void declare_days(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  bool& counts_items = declare.own<bool>();
  declare
      .reading_folder(
          app, "days", "List the gaming days that have ended: open, signed or closed",
          [&given, &counts_items] { return list_days(given.from, given.json, counts_items); })
      ->add_flag("--open", counts_items,
                 "Count the open items of days that are not closed; reads their entries");
  CLI::App* day =
      app.add_subcommand("day", "Show the report of a gaming day; explain, sign or close a day");
  day->require_subcommand(0, 1);
  auto* date = day->add_option("date", given.day, "The day, e.g. 2026-11-21")
                   ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
  takes_folder(day, given.from, /*is_required=*/false);
  declare.takes_json(day, "Print the report itself, byte for byte as it is signed");
  // Without a subcommand, the date is that of a report. With one, the date belongs to it.
  day->final_callback([day, date, &declare, &given] {
    if (!day->get_subcommands().empty()) return;
    if (date->count() == 0) throw CLI::RequiredError("date");
    if (given.from.data.empty()) throw CLI::RequiredError("--data");
    declare.work = [&given] { return show_day(given.from, given.gaming_day(), given.json); };
  });
  declare_signatures(*day, declare);
  declare_day_explain(*day, declare);
  declare_count(app, declare);
  declare_reading(app, declare);
}

}  // namespace linkmeter::cli
