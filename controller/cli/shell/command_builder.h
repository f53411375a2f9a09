// CommandBuilder: declares the commands with the options that they share: what they read (--data or
// --socket), the person's badge (--by), and --json. It keeps the options and the function of the
// command that was chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <any>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/cli/shell/data.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/text_table.h"
#include "meters/facts/operator_command.h"
#include "meters/values/gaming_day.h"

namespace linkmeter::cli {

// Options that several commands have. A command reads those that it declares.
struct CommandOptions {
  Source from;
  bool json = false;
  std::string by, badge, name, department;
  std::vector<std::string> roles;
  std::uint64_t number = 0;  // of a claim, slip, proposal or entry
  std::string reason, note, source;
  std::string round, cards, place, board, magic, showdown;
  bool folded = false, no_hand = false;
  std::vector<std::string> hands;
  int lucky = -1;
  std::filesystem::path floor, catalogue;
  std::filesystem::path out, key;
  std::string table, viewer, node, public_key;
  std::vector<std::string> tables;
  std::string wager, link, level = "main", to, to_level = "main", amount;
  std::string day, item, difference, kind, witness, report;
  std::string notice, recording, notified;
  std::string verified, kept, shown, carried_by, accounted_by;
  std::vector<std::string> seen;

  [[nodiscard]] GamingDay gaming_day() const { return parse_gaming_day(day).value(); }
};

// Accepts a text that `parse` accepts. Any other text is a usage error.
template <class Parse>
CLI::Validator read_by(Parse parse, const std::string& what) {
  return {[parse, what](std::string& text) {
            return parse(text) ? std::string() : "\"" + text + "\" is not " + what;
          },
          ""};
}
// "12", "12.5" or "12.50", below $10 billion. nullopt: any other text.
std::optional<Amount> parse_dollars(std::string_view text);
CLI::Validator is_dollars();

// At least one of these is required. CLI11's option groups could check that, but they never end if
// an argument is empty.
void takes_some_of(CLI::App* command, const std::vector<CLI::Option*>& ways);
// Exactly one of these is required.
void takes_one_of(CLI::App* command, const std::vector<CLI::Option*>& ways);

class CommandBuilder {
 public:
  CommandOptions options;
  std::function<int()> work;  // of the command that was chosen

  CommandBuilder() { reset(); }
  CommandBuilder(const CommandBuilder&) = delete;
  CommandBuilder& operator=(const CommandBuilder&) = delete;
  ~CommandBuilder() = default;

  // Sets every option to its default, before a parse.
  void reset();
  // Options that only one command, or a few, have.
  template <class Options>
  Options& own() {
    auto& made = std::any_cast<Options&>(own_.emplace_back(Options()));
    resets_.push_back([&made] { made = Options(); });
    return made;
  }

  // A command with subcommands.
  static CLI::App& group(CLI::App& app, const char* name, const char* says);
  // A command with options of its own.
  CLI::App* command(CLI::App& group, const char* name, const char* says, std::function<int()> does);
  // With --json, and with --data or --socket.
  CLI::App* reading(CLI::App& group, const char* name, const char* says, std::function<int()> does);
  // With --json and --data, for a command that the staff socket cannot serve.
  CLI::App* reading_folder(CLI::App& group, const char* name, const char* says,
                           std::function<int()> does);
  // Prints a document of the journal and its state: with --json as it is, else `as_text`.
  using Document = std::function<Json(const Journal&, const State&)>;
  using AsText = std::function<void(const Json&)>;
  CLI::App* showing(CLI::App& group, const char* name, const char* says, const Document& document,
                    const AsText& as_text);
  CLI::App* showing(CLI::App& group, const char* name, const char* says, const Document& document,
                    const std::vector<Column>& columns);
  // Sends something to the controller: as reading(), and with the person's badge.
  CLI::App* asking(CLI::App& group, const char* name, const char* says,
                   const std::function<int(const OperatorClient&)>& does);
  // A command of one person, which `make` builds from the options.
  template <class Make>
  CLI::App* act(CLI::App& group, const char* name, const char* says, Make make) {
    return asking(group, name, says, [this, make](const OperatorClient& by) {
      return ask(by, OperatorCommand(make(options)));
    });
  }
  // The first half of a command of two persons.
  template <class Make>
  CLI::App* proposal(CLI::App& group, const char* name, const char* says, Make make) {
    return act(group, name, says,
               [make](const CommandOptions& given) { return Propose{make(given)}; });
  }
  // The badge and the connection that the options name.
  [[nodiscard]] OperatorClient client() const;

  // Options of a command. Each returns the option.
  CLI::Option* takes_data(CLI::App* command);
  CLI::Option* takes_json(CLI::App* command, const char* says = "Print one JSON document");
  CLI::Option* takes_floor(CLI::App* command, const char* says = "The floor file (TOML)");
  CLI::Option* takes_catalogue(CLI::App* command);
  CLI::Option* takes_note(CLI::App* command, const char* says = "In your words");
  CLI::Option* takes_day(CLI::App* command);  // the argument "date"
  // A number from 1: the argument or option `name`, which is required.
  CLI::Option* takes_number(CLI::App* command, const char* name, const char* says);
  // A text of the options: the argument or option `name`, which is required.
  CLI::Option* takes(CLI::App* command, const char* name, std::string CommandOptions::*text,
                     const char* says);
  CLI::Option* takes_payment_source(CLI::App* command);          // --source
  CLI::Option* takes_node(CLI::App* command, const char* says);  // --node
  // --reason: one of a fixed list, which its help names.
  template <class Parse>
  CLI::Option* takes_reason(CLI::App* command, Parse parse, const std::string& reasons) {
    return command->add_option("--reason", options.reason, "Why: " + reasons)
        ->required()
        ->check(read_by(parse, "one of " + reasons));
  }

 private:
  std::deque<std::any> own_;  // a deque does not move its elements
  std::vector<std::function<void()>> resets_;
};

}  // namespace linkmeter::cli
