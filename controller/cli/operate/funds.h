// The commands of a fund of pots (§ 553.20): transfers to the cage, the comparison of the display
// with what finance keeps, and how a payout is shared.
#pragma once

#include <CLI/CLI.hpp>

#include "controller/cli/shell/command_options.h"
#include "controller/cli/shell/declaring.h"

namespace linkmeter::cli {

void declare_fund_acts(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
