// Day acts: what people say of a gaming day, as commands of the tool: counts and readings,
// explanations of differences, and the two signatures.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string_view>

#include "controller/cli/operate/operator_commands.h"
#include "controller/cli/shell/declaring.h"
#include "meters/values/amount.h"

namespace linkmeter::cli {

// The command `day`, made if there is none: what tells of a day and what signs it share it.
CLI::App& day_group(CLI::App& app);

// "12", "12.5" or "12.50": dollars in whole cents; nullopt: anything else.
std::optional<Amount> parse_dollars(std::string_view text);
CLI::Validator is_dollars();
// The gaming day that a command is about.
CLI::Option* takes_day(CLI::App* command, CommandOptions& options);

void declare_day_acts(CLI::App& app, CommandOptions& options, const Declaring& declare);

}  // namespace linkmeter::cli
