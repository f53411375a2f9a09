// The commands that people send to a running controller.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "controller/cli/shell/command_options.h"

namespace linkmeter::cli {

// Parsing stores the function of the chosen command in `work`. `options` and `work` must outlive
// it.
void declare_acts(CLI::App& app, CommandOptions& options, std::function<int()>& work);

}  // namespace linkmeter::cli
