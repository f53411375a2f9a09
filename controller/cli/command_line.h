// Command line of `linkmeter`: declares every command with its options, and returns the function of
// the chosen command.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

namespace linkmeter::cli {

class CommandBuilder;

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  // Parses the arguments and returns the function of the command, which runs it and needs this.
  // Throws CLI::ParseError for wrong usage, --help and --version. May be called repeatedly.
  std::function<int()> read(int count, const char* const* arguments);
  [[nodiscard]] const CLI::App& app() const { return app_; }
  [[nodiscard]] CLI::App& app() { return app_; }

 private:
  CLI::App app_;
  std::unique_ptr<CommandBuilder> builder_;
};

}  // namespace linkmeter::cli
