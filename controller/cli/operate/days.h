// The commands that read gaming days: `linkmeter days` and `linkmeter day DATE`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "controller/accounting/day/day_report.h"
#include "controller/cli/shell/command_options.h"
#include "controller/cli/shell/declaring.h"
#include "controller/cli/shell/source.h"
#include "controller/time/local_time.h"
#include "meters/state/state.h"
#include "meters/values/amount.h"
#include "meters/values/gaming_day.h"

namespace linkmeter::cli {

// Declares `days` and `day`, and returns `day` for its subcommands.
CLI::App* declare_days(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

// Every day that has ended, the newest first. `open`: also the number of open items of days that
// are not closed, which reads their entries. Throws Fault.
int days(const Source& from, bool json, bool open);
// The report of a day as the journal is now. As JSON: exactly the bytes that people sign. Throws
// Fault.
int show_day(const Source& from, GamingDay day, bool json);

// A report as text: open items first, zeros left out.
std::string day_sheet(const DayReport& report, const std::string& zone);

// The commands of a gaming day: counts and readings, explanations of differences, and the two
// signatures.

// The command `day`; declares it if it does not exist yet.
CLI::App& day_group(CLI::App& app);

// "12", "12.5" or "12.50", below $10 billion. nullopt: any other text.
std::optional<Amount> parse_dollars(std::string_view text);
CLI::Validator is_dollars();
// The option for the gaming day.
CLI::Option* takes_day(CLI::App* command, CommandOptions& options);

void declare_day_acts(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
