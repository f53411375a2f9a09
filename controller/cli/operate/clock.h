// The commands of the system's clock: `linkmeter clock show` and `linkmeter clock confirm`.
#pragma once

#include <CLI/CLI.hpp>

#include "controller/cli/operate/operator_commands.h"
#include "controller/cli/shell/declaring.h"

namespace linkmeter::cli {

void declare_clock(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
