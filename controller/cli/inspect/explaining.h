// The command `explain`: what the amount of a meter consists of.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace linkmeter::cli {

struct ExplainOptions {
  std::filesystem::path data;
  std::string link, level = "main";
  std::uint64_t at = 0, claim = 0;
  bool json = false, with_rounds = false;
};

void declare_explain(CLI::App& app, ExplainOptions& options, std::function<int()>& work);

// Throws Fault.
int explain_meter(const ExplainOptions& options);

}  // namespace linkmeter::cli
