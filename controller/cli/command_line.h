// Command line of `linkmeter`: every command with its options, what may be meant by them, and the
// work that is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

namespace linkmeter::cli {

class CommandLine {
 public:
  struct Said;  // what stands in the options, of whatever command

  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  // The work of the command that is named, with its options: it is not done yet, and needs this.
  // Throws CLI::ParseError where nothing can be meant, and for --help and --version; each time
  // begins anew.
  std::function<int()> read(int count, const char* const* arguments);
  [[nodiscard]] const CLI::App& app() const { return app_; }
  [[nodiscard]] CLI::App& app() { return app_; }

 private:
  CLI::App app_;
  std::unique_ptr<Said> said_;
  std::function<int()> work_;
};

}  // namespace linkmeter::cli
