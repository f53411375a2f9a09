// The commands of the house's own keys: `linkmeter keys list` and `linkmeter keys rotate`.
#pragma once

#include <CLI/CLI.hpp>

#include "controller/cli/shell/command_options.h"
#include "controller/cli/shell/declaring.h"

namespace linkmeter::cli {

void declare_keys(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
