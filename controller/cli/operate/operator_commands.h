// Act commands: what people may ask of a running controller, as commands of the tool.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "controller/cli/shell/command_options.h"

namespace linkmeter::cli {

// The chosen command's work ends up in `work`. `options` and `work` must outlive `app`'s parsing.
void declare_acts(CLI::App& app, CommandOptions& options, std::function<int()>& work);

}  // namespace linkmeter::cli
