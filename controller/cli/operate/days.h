// The commands that read gaming days: `linkmeter days` and `linkmeter day DATE`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "controller/accounting/day/day_report.h"
#include "controller/cli/operate/operator_commands.h"
#include "controller/cli/shell/declaring.h"
#include "controller/cli/shell/source.h"
#include "controller/time/local_time.h"
#include "meters/state/state.h"
#include "meters/values/amount.h"
#include "meters/values/gaming_day.h"

namespace linkmeter::cli {

// Answers the command `day`, for those of its subcommands that do something with a day.
CLI::App* declare_days(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

// Every day that has ended, the newest first. `open`: also how many items are open in those that
// are not closed, for which their entries are read. Throws Fault.
int days(const Source& from, bool json, bool open);
// The report of a day as the journal is now; as JSON the very bytes that people sign. Throws Fault.
int show_day(const Source& from, GamingDay day, bool json);

// A report for people: what is zero is not in their way, what is open stands first.
std::string day_sheet(const DayReport& report, const std::string& zone);

// Day acts: what people say of a gaming day, as commands of the tool: counts and readings,
// explanations of differences, and the two signatures.

// The command `day`, made if there is none: what tells of a day and what signs it share it.
CLI::App& day_group(CLI::App& app);

// "12", "12.5" or "12.50": dollars in whole cents; nullopt: anything else.
std::optional<Amount> parse_dollars(std::string_view text);
CLI::Validator is_dollars();
// The gaming day that a command is about.
CLI::Option* takes_day(CLI::App* command, CommandOptions& options);

void declare_day_acts(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
