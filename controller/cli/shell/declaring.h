// CommandBuilder: declares the commands that share options: the data folder or socket, the badge of
// the person, and --json.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "controller/cli/shell/command_options.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/source.h"
#include "meters/facts/operator_command.h"

namespace linkmeter::cli {

// Accepts a text that `parse` accepts. Any other text is a usage error.
template <class Parse>
CLI::Validator read_by(Parse parse, const std::string& what) {
  return {[parse, what](std::string& text) {
            return parse(text) ? std::string() : "\"" + text + "\" is not " + what;
          },
          ""};
}

// --reason: one of a fixed list, which its help names.
template <class Parse>
void takes_reason(CLI::App* command, std::string& reason, Parse parse, const std::string& reasons) {
  command->add_option("--reason", reason, "Why: " + reasons)
      ->required()
      ->check(read_by(parse, "one of " + reasons));
}

// At least one of these is required. CLI11's option groups could check that, but they never end if
// an argument is empty.
inline void takes_some_of(CLI::App* command, const std::vector<CLI::Option*>& ways) {
  std::string names;
  for (CLI::Option* way : ways) names += (names.empty() ? "" : " or ") + way->get_name();
  command->parse_complete_callback([ways, names] {
    const auto is_given = [](const CLI::Option* way) { return way->count() > 0; };
    if (std::none_of(ways.begin(), ways.end(), is_given)) throw CLI::RequiredError(names);
  });
}
// Exactly one of these is required.
inline void takes_one_of(CLI::App* command, const std::vector<CLI::Option*>& ways) {
  for (CLI::Option* way : ways) {
    for (CLI::Option* other : ways) {
      if (other != way) way->excludes(other);
    }
  }
  takes_some_of(command, ways);
}

class CommandBuilder {
 public:
  CommandBuilder(CommandOptions& options, std::function<int()>& work)
      : options_(options), work_(work) {}

  static CLI::App* group(CLI::App& app, const char* name, const char* says) {
    CLI::App* added = app.add_subcommand(name, says);
    added->require_subcommand(1);
    return added;
  }
  CLI::App* reading(CLI::App& group, const char* name, const char* says,
                    const std::function<int()>& does) const {
    CLI::App* added = group.add_subcommand(name, says);
    takes_source(added, options_.from);
    added->callback([&work = work_, &from = options_.from, does] {
      require_source(from);
      work = does;
    });
    added->add_flag("--json", options_.json, "Print one JSON document");
    return added;
  }
  // For commands that need the data folder.
  CLI::App* reading_folder(CLI::App& group, const char* name, const char* says,
                           const std::function<int()>& does) const {
    CLI::App* added = group.add_subcommand(name, says);
    takes_folder(added, options_.from);
    added->callback([&work = work_, does] { work = does; });
    added->add_flag("--json", options_.json, "Print one JSON document");
    return added;
  }
  CLI::App* asking(CLI::App& group, const char* name, const char* says,
                   const std::function<int(const OperatorClient&)>& does) const {
    const auto asks = [&options = options_, does] {
      return does(OperatorClient{options.from, Badge(options.by), options.json});
    };
    CLI::App* added = reading(group, name, says, asks);
    added->add_option("--by", options_.by, "Your badge; asks for the PIN")->required();
    return added;
  }
  // A command of one person, or one half of a command of two. `make` builds it from the options.
  CLI::App* act(CLI::App& group, const char* name, const char* says,
                const std::function<OperatorCommand(const CommandOptions&)>& make) const {
    return asking(group, name, says, [&options = options_, make](const OperatorClient& by) {
      return ask(by, make(options));
    });
  }
  // The function of the chosen command is stored here.
  [[nodiscard]] std::function<int()>& work() const { return work_; }

 private:
  CommandOptions& options_;
  std::function<int()>& work_;
};

}  // namespace linkmeter::cli
