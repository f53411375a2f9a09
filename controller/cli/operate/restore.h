// The commands of a restored history: `linkmeter history show` and `linkmeter history accept`.
#pragma once

#include <CLI/CLI.hpp>

#include "controller/cli/shell/command_options.h"
#include "controller/cli/shell/declaring.h"

namespace linkmeter::cli {

void declare_history(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
