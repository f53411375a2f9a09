#include "controller/cli/operate/days.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "controller/accounting/day/reports.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/progress.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/time/calendar.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/json.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/operator_command.h"
#include "meters/values/gaming_day.h"
#include "meters/values/hex.h"
#include "meters/values/limits.h"
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
  Progress progress("reading " + text(day), count, "entries");
  return day_report(journal, state.days(), day, state.last_entry(),
                    [&progress](std::uint64_t done) { progress.show(done); });
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

}  // namespace

int days(const Source& from, bool as_json, bool open) {
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

CLI::App* declare_days(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  declare
      .reading_folder(app, "days", "List the gaming days that have ended: open, signed or closed",
                      [&options] { return days(options.from, options.json, options.open_items); })
      ->add_flag("--open", options.open_items,
                 "Count the open items of days that are not closed; reads their entries");
  CLI::App* day =
      app.add_subcommand("day", "Show the report of a gaming day; explain, sign or close a day");
  day->require_subcommand(0, 1);
  auto* date = day->add_option("date", options.day, "The day, e.g. 2026-11-21")
                   ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
  takes_folder(day, options.from, /*is_required=*/false);
  day->add_flag("--json", options.json, "Print the report itself, byte for byte as it is signed");
  // Without a subcommand, the date is that of a report. With one, the date belongs to it.
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

std::optional<Amount> parse_dollars(std::string_view text) {
  return parse_cents(text, limits::meter_max - Amount::cents(1));
}

namespace {

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

GamingDay day_of(const CommandOptions& given) { return parse_gaming_day(given.day).value(); }

}  // namespace

CLI::Validator is_dollars() { return read_by(parse_dollars, "an amount of dollars, as 12.50"); }

CLI::Option* takes_day(CLI::App* command, CommandOptions& options) {
  return command->add_option("date", options.day, "The gaming day, as 2026-11-21")
      ->required()
      ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
}

namespace {

void takes_report(CLI::App* command, CommandOptions& options, const char* says) {
  command->add_option("--report", options.report, says)
      ->check(read_by(parse_digest, "a SHA-256: 64 digits of 0-9a-f"));
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
  const DayRecord& record = record_of(state, day_of(given));
  const MakeReport make = report_maker();
  if (!make) throw Fault("give the SHA-256 of the report that you have read: --report SHA256");
  const auto quiet = [](std::uint64_t) {};
  return make(*journal, state.days(), record.day, report_as_of(record), quiet).digest;
}

// The report to close: the one named by --report, else the one that was signed.
Digest report_to_close(const CommandOptions& given) {
  if (const auto named = parse_digest(given.report)) return *named;
  const State state = current_state(*open_data(given.from));
  return record_of(state, day_of(given)).report;
}

void declare_signatures(CLI::App& day, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* sign =
      declare.act(day, "sign", "Sign a day's report, the first signature: an accountant",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return SignDay{day_of(given), report_to_sign(given)};
                  });
  takes_day(sign, options);
  takes_report(sign, options, "SHA-256 of the report that you read (default: the current one)");
  sign->footer(
      "It is refused while a difference is not explained, and if the report has changed: then "
      "read\n"
      "it again. At the staff socket --report is required.\n"
      "Another accountant may sign the same report too: the last signature counts.");
  CLI::App* close =
      declare.act(day, "close", "Sign and close a day, the second signature: a finance manager",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return CloseDay{day_of(given), report_to_close(given)};
                  });
  takes_day(close, options);
  takes_report(close, options, "SHA-256 of the report that you read (default: the signed one)");
  close->footer("A closed day cannot be changed. Days are closed one after the other.");
}

void declare_explain(CLI::App& day, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* explain = declare.act(
      day, "explain", "Explain a difference of the day's report, or name its correction",
      [](const CommandOptions& given) -> OperatorCommand {
        ExplainVariance act{day_of(given), given.item, given.difference, given.note, {}};
        if (given.number != 0) act.corrected_by = EntryNumber(given.number);
        return act;
      });
  takes_day(explain, options);
  explain->add_option("item", options.item, "The item, as in the report")->required();
  explain
      ->add_option("--difference", options.difference,
                   "The difference, exactly as in the report; --difference=-1.00 if negative")
      ->required();
  explain->add_option("--note", options.note, "Why")->required();
  explain->add_option("--entry", options.number, "The entry that corrected it")
      ->transform(a_number(1));
  explain->footer("It explains this difference only: if the difference changes, it is open again.");
}

void declare_count(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* count =
      declare.act(app, "count", "Record money or chips that were counted before a witness",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return RecordCount{day_of(given),
                                       parse_count_kind(given.kind).value(),
                                       TableId(given.table),
                                       LinkId(given.link),
                                       parse_dollars(given.amount).value(),
                                       given.note,
                                       Badge(given.witness),
                                       given.notice,
                                       given.recording};
                  });
  takes_day(count, options);
  count->add_option("--kind", options.kind, "poker_box, fund_kept or chips")
      ->required()
      ->check(read_by(parse_count_kind, "one of poker_box, fund_kept, chips"));
  count->add_option("--link", options.link, "The link's id")->required();
  count->add_option("--table", options.table, "The table's id; not with fund_kept");
  count->add_option("--amount", options.amount, "What was counted, as 12.50")
      ->required()
      ->check(is_dollars());
  count->add_option("--witness", options.witness, "The badge of the witness")->required();
  count->add_option(
      "--notice", options.notice,
      "For a poker box: which compliance representative of the Board was notified, and "
      "when (§ 553.20(d))");
  count->add_option("--recording", options.recording,
                    "For a box counted at a closed table: surveillance's record of it "
                    "(§ 553.20(d)(1))");
  count->add_option("--note", options.note, "In your words");
  count->footer("The witness types his PIN after yours, or it is in $LINKMETER_WITNESS_PIN.");
}

void declare_reading(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* reading = declare.act(app, "reading", "Take a reading of every meter now",
                                  [](const CommandOptions& given) -> OperatorCommand {
                                    TakeReading take;
                                    for (const std::string& seen : given.seen)
                                      take.seen.push_back(parse_seen(seen).value());
                                    take.note = given.note;
                                    return take;
                                  });
  reading
      ->add_option("--seen", options.seen,
                   "What you saw on a sign, as C4-MEGA/mega=50012.00; may be given again")
      ->allow_extra_args(false)
      ->check(read_by(parse_seen, "what a sign showed, as LINK/LEVEL=12.50"));
  reading->add_option("--note", options.note, "In your words");
}

}  // namespace

CLI::App& day_group(CLI::App& app) {
  const auto found =
      app.get_subcommands([](const CLI::App* command) { return command->get_name() == "day"; });
  if (!found.empty()) return *found.front();
  return *CommandBuilder::group(app, "day", "Explain, sign or close a gaming day");
}

void declare_day_acts(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& day = day_group(app);
  declare_signatures(day, options, declare);
  declare_explain(day, options, declare);
  declare_count(app, options, declare);
  declare_reading(app, options, declare);
}

namespace {

// Columns of the report's tables. A column that `stays` shows zeros; in other columns of figures
// they are empty. Empty columns are left out, unless they stay.
Column words(std::string key, std::string title) {
  Column column = left(std::move(title), std::move(key));
  column.is_optional = true;
  return column;
}
Column figure(std::string key, std::string title) {
  Column column = right(std::move(title), std::move(key), nonzero_cell);
  column.is_optional = true;
  return column;
}
Column stays(std::string key, std::string title) { return right(std::move(title), std::move(key)); }

std::string sheet_table(const Json& rows, const std::vector<Column>& columns) {
  if (rows.empty()) return "";
  std::string all;
  for (const std::string& line : table_lines(rows, columns)) all += "  " + line + "\n";
  return all;
}

// The levels and, as one more, the reserve.
std::string levels_of(const Json& link) {
  Json rows = Json::array();
  for (Json row : link.at("levels")) {
    row["withheld"] = row.at("withheld_closing");
    row["pending"] = row.at("pending_closing");
    rows.push_back(std::move(row));
  }
  const Json& reserve = link.at("reserve");
  Json row = Json{{"level", "reserve"}};
  const auto is_nothing = std::all_of(reserve.begin(), reserve.end(), [](const Json& amount) {
    return is_zero(amount.get<std::string>());
  });
  if (!is_nothing) {
    for (const char* key :
         {"opening", "contributed", "corrected", "transferred", "closing", "liability"}) {
      row[key] = reserve.at(key);
    }
    row["withheld"] = reserve.at("withheld_closing");
    for (const char* key :
         {"seeded", "awarded", "returned", "pending", "paid", "hits", "partial_hits"}) {
      row[key] = "";
    }
    const auto turned = [](const std::string& amount) {
      if (is_zero(amount)) return amount;
      return amount.starts_with('-') ? amount.substr(1) : "-" + amount;
    };
    row["from_reserve"] = turned(reserve.at("to_levels"));
    row["overflowed"] = turned(reserve.at("overflow"));
    rows.push_back(std::move(row));
  }
  return sheet_table(
      rows,
      {words("level", "level"), stays("opening", "opening"), figure("contributed", "contributed"),
       figure("seeded", "seeded"), figure("from_reserve", "from reserve"),
       figure("overflowed", "overflowed"), figure("corrected", "corrected"),
       figure("transferred", "transferred"), figure("awarded", "awarded"),
       figure("returned", "returned"), stays("closing", "closing"), figure("withheld", "withheld"),
       figure("pending", "pending"), figure("paid", "paid"), figure("hits", "hits"),
       figure("partial_hits", "partial"), figure("liability", "liability")});
}

// Tables with play only.
std::string tables_of(const Json& link) {
  Json rows = Json::array();
  for (const Json& row : link.at("tables")) {
    const bool is_quiet = row.at("rounds") == 0 && row.at("wagers") == 0 &&
                          is_zero(row.at("handle")) && is_zero(row.at("progressive_paid"));
    if (!is_quiet) rows.push_back(row);
  }
  return sheet_table(
      rows, {words("table", "table"), figure("rounds", "rounds"), figure("wagers", "wagers"),
             figure("handle", "handle"), figure("attendant_paid", "attendant paid"),
             figure("device_paid", "device paid"), figure("progressive_paid", "progressive paid")});
}

std::string fixed_of(const Json& fixed) {
  std::string all;
  const auto say = [&all, &fixed](const char* count, const char* amount, const char* what) {
    if (fixed.at(count) == 0) return;
    all += (all.empty() ? "  fixed awards: " : ", ") + fixed.at(count).dump() + " " + what + " " +
           plain_cell(fixed.at(amount));
  };
  say("count", "amount", "paid at once");
  say("reversed_count", "reversed", "reversed");
  say("claim_count", "claimed", "as claims");
  return all.empty() ? all : all + "\n";
}

// For a fund of pots: boxes, transfers to the cage, and checks of the display.
std::string fund_of(const Json& link) {
  if (!link.contains("fund")) return "";
  const Json& fund = link.at("fund");
  Json boxes = Json::array(), transfers = Json::array();
  for (const Json& box : fund.at("boxes")) {
    if (box.at("pots") != 0 || !box.at("counted").is_null()) boxes.push_back(box);
  }
  for (Json moved : fund.at("transfers")) {
    std::string tables;
    for (const Json& table : moved.at("tables")) {
      tables += (tables.empty() ? "" : " ") + plain_cell(table);
    }
    moved["of"] = tables + (moved.at("stands").get<bool>() ? "" : " (said again)");
    if (moved.at("verified").is_null()) moved["verified"] = "boxes";
    transfers.push_back(std::move(moved));
  }
  return sheet_table(boxes, {words("table", "box of"), stays("contributed", "contributed"),
                             stays("counted", "counted"), figure("difference", "difference"),
                             words("by", "by"), words("witness", "before"),
                             figure("transfer", "to the cage with entry")}) +
         sheet_table(
             transfers,
             {words("of", "to the cage"), figure("entry", "entry"), stays("counted", "counted"),
              stays("verified", "verified"), figure("difference", "difference"), words("by", "by"),
              words("carried_by", "carried by"), words("accounted_by", "accounted for by")}) +
         sheet_table(
             fund.at("displays"),
             {words("at", "display held"), stays("shown", "shown"), stays("kept", "kept"),
              figure("difference", "difference"), words("by", "by"), words("witness", "before")});
}

std::string sheet_items(const Json& items, bool open) {
  std::string all;
  for (const Json& item : items) {
    if (item.at("open").get<bool>() != open) continue;
    all += "  " + plain_cell(item.at("item")) + ": " + plain_cell(item.at("difference")) +
           "\n    " + plain_cell(item.at("words")) + "\n";
    if (open) continue;
    const Json& explained = item.at("explained");
    all += "    explained by " + plain_cell(explained.at("by")) + ": " +
           plain_cell(explained.at("note"));
    if (!explained.at("corrected_by").is_null()) {
      all += ", put right by entry " + explained.at("corrected_by").dump();
    }
    all += "\n";
  }
  return all;
}

std::string sheet_part(const std::string& title, const std::string& lines) {
  return lines.empty() ? "" : "\n" + title + "\n" + lines;
}

std::string sheet_head(const Json& report, const DayReport& made, const std::string& zone) {
  const std::string hours =
      report.at("hours").is_null() ? "" : report.at("hours").dump() + " hours";
  std::string all = plain_cell(report.at("house")) + ", gaming day " + plain_cell(report.at("day"));
  all +=
      "\n" + (report.at("begins_at").is_null() ? "" : plain_cell(report.at("begins_at")) + " to ") +
      plain_cell(report.at("ends_at")) + (hours.empty() ? "" : ", " + hours) +
      (zone.empty() ? "" : " in " + zone) + ", entries " + report.at("entries").at("first").dump() +
      " to " + report.at("entries").at("last").dump() + "\n";
  const auto open = std::count_if(made.finding.items.begin(), made.finding.items.end(),
                                  [](const auto& item) { return item.second.is_open; });
  if (open == 0) return all + "\nNothing is open.\n";
  return all + "\n" + std::to_string(open) + (open == 1 ? " item is" : " items are") + " OPEN\n" +
         sheet_items(report.at("items"), true);
}

}  // namespace

std::string day_sheet(const DayReport& made, const std::string& zone) {
  const Json report = Json::parse(made.json);
  std::string all = sheet_head(report, made, zone);
  all += sheet_part("explained", sheet_items(report.at("items"), false));
  for (const Json& link : report.at("links")) {
    const std::string suspended = plain_cell(link.at("suspended"));
    all += sheet_part(
        plain_cell(link.at("link")) + "  " + plain_cell(link.at("wager")) +
            (suspended.empty() ? "" : "  SUSPENDED: " + suspended),
        levels_of(link) + tables_of(link) + fixed_of(link.at("fixed_awards")) + fund_of(link));
  }
  all +=
      sheet_part("claims pending at the end",
                 sheet_table(report.at("claims_pending"),
                             {words("claim", "claim"), words("state", "state"),
                              words("link", "link"), words("table", "table"), words("line", "line"),
                              words("raised_at", "raised"), figure("amount", "amount")}));
  all += sheet_part(
      "counted", sheet_table(report.at("counts"),
                             {words("kind", "what"), words("link", "link"), words("table", "table"),
                              words("by", "by"), words("witness", "before"),
                              stays("amount", "amount"), stays("expected", "expected")}));
  all += sheet_part("what happened",
                    sheet_table(report.at("events"), {words("at", "at"), figure("entry", "entry"),
                                                      words("kind", "what"), words("words", "")}));
  return all;
}

}  // namespace linkmeter::cli
