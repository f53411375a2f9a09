// The commands of the system's clock: `linkmeter clock show` and `linkmeter clock confirm`.
#pragma once

#include <CLI/CLI.hpp>

#include "controller/cli/act_commands.h"
#include "controller/cli/declaring.h"

namespace linkmeter::cli {

void declare_clock(CLI::App& app, ActOptions& options, const Declaring& declare);

}  // namespace linkmeter::cli
