#include "controller/cli/operate/day_acts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "controller/accounting/day/reports.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/operator_command.h"
#include "meters/values/gaming_day.h"
#include "meters/values/hex.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

std::optional<Amount> parse_dollars(std::string_view text) {
  constexpr std::size_t decimals_max = 2, digits_max = 10;
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string decimals(text.substr(std::min(point + 1, text.size())));
  const bool ends_with_point = decimals.empty() && point < text.size();
  if (digits.empty() || digits.size() > digits_max || decimals.size() > decimals_max ||
      ends_with_point) {
    return std::nullopt;
  }
  decimals.resize(decimals_max, '0');
  digits += decimals;
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return Amount::cents(std::stoll(digits));
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

// What the journal says of the day, beside the running controller. Throws Fault.
const DayRecord& record_of(const State& state, GamingDay day) {
  const DayRecord* record = state.find_day(day);
  if (record == nullptr) throw Fault(text(day) + " is no gaming day that has ended");
  return *record;
}

// The report that he means: the one he names, else the one that is made here of the same journal.
Digest report_to_sign(const CommandOptions& given) {
  if (const auto named = parse_digest(given.report)) return *named;
  // The report is made of the day's entries.
  if (given.from.is_socket()) throw Fault("say which report you have read: --report SHA256");
  const auto journal = open_data(given.from);
  const State state = current_state(*journal);
  const DayRecord& record = record_of(state, day_of(given));
  const MakeReport make = report_maker();
  if (!make) throw Fault("say which report you have read: --report SHA256");
  const auto quiet = [](std::uint64_t) {};
  return make(*journal, state.days(), record.day, report_as_of(record), quiet).digest;
}

// Likewise; else the one that was signed.
Digest report_to_close(const CommandOptions& given) {
  if (const auto named = parse_digest(given.report)) return *named;
  const State state = current_state(*open_data(given.from));
  return record_of(state, day_of(given)).report;
}

void declare_signatures(CLI::App& day, CommandOptions& options, const Declaring& declare) {
  CLI::App* sign =
      declare.act(day, "sign", "The first signature under a day's report: an accountant's",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return SignDay{day_of(given), report_to_sign(given)};
                  });
  takes_day(sign, options);
  takes_report(sign, options, "SHA-256 of the report that you read (default: the current one)");
  sign->footer(
      "It is refused while a difference is open that nobody has explained, and where the report\n"
      "is another one by now: then read it again. At the staff socket --report must be given.\n"
      "Another accountant may sign the same report too: the last signature counts.");
  CLI::App* close =
      declare.act(day, "close", "The second signature, a finance manager's: the day is closed",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return CloseDay{day_of(given), report_to_close(given)};
                  });
  takes_day(close, options);
  takes_report(close, options, "SHA-256 of the report that you read (default: the signed one)");
  close->footer("Nothing can be said of the day after that. Days are closed one after the other.");
}

void declare_explain(CLI::App& day, CommandOptions& options, const Declaring& declare) {
  CLI::App* explain = declare.act(
      day, "explain", "Explain a difference of the day's report, or name its correction",
      [](const CommandOptions& given) -> OperatorCommand {
        ExplainVariance act{day_of(given), given.item, given.difference, given.note, {}};
        if (given.number != 0) act.corrected_by = EntryNumber(given.number);
        return act;
      });
  takes_day(explain, options);
  explain->add_option("item", options.item, "The difference, as the report calls it")->required();
  explain
      ->add_option("--difference", options.difference,
                   "How much, word for word; --difference=-1.00 if less")
      ->required();
  explain->add_option("--note", options.note, "Why")->required();
  explain->add_option("--entry", options.number, "The entry that put it right")
      ->transform(a_number(1));
  explain->footer("It holds for this difference alone: if it changes, it is open again.");
}

void declare_count(CLI::App& app, CommandOptions& options, const Declaring& declare) {
  CLI::App* count = declare.act(
      app, "count", "Record money or chips that were counted for a gaming day, before a witness",
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
  count->add_option("--table", options.table, "The table's id; none of a fund that is kept");
  count->add_option("--amount", options.amount, "What was counted, as 12.50")
      ->required()
      ->check(is_dollars());
  count->add_option("--witness", options.witness, "The badge of a person who saw it counted")
      ->required();
  count->add_option("--notice", options.notice,
                    "Of a poker box: who of the Board's compliance representatives was told, and "
                    "when (§ 553.20(d))");
  count->add_option("--recording", options.recording,
                    "Of a box counted at a closed table: surveillance's record of it "
                    "(§ 553.20(d)(1))");
  count->add_option("--note", options.note, "In your words");
  count->footer("The witness types his PIN after yours, or it is in $LINKMETER_WITNESS_PIN.");
}

void declare_reading(CLI::App& app, CommandOptions& options, const Declaring& declare) {
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
  return *Declaring::group(app, "day", "Explain, sign or close a gaming day");
}

void declare_day_acts(CLI::App& app, CommandOptions& options, const Declaring& declare) {
  CLI::App& day = day_group(app);
  declare_signatures(day, options, declare);
  declare_explain(day, options, declare);
  declare_count(app, options, declare);
  declare_reading(app, options, declare);
}

}  // namespace linkmeter::cli
