// The commands of the system's clock: `linkmeter clock show` and `linkmeter clock confirm`.
#pragma once

#include <CLI/CLI.hpp>

#include "controller/cli/shell/command_options.h"
#include "controller/cli/shell/declaring.h"

namespace linkmeter::cli {

void declare_clock(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
