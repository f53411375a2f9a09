#include "controller/cli/shell/command_builder.h"

#include "config/reader/catalogue_file.h"
#include "meters/state/claim.h"
#include "meters/values/limits.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

std::optional<Amount> parse_dollars(std::string_view text) {
  return parse_cents(text, limits::meter_max - Amount::cents(1));
}

CLI::Validator is_dollars() { return read_by(parse_dollars, "an amount of dollars, as 12.50"); }

void takes_some_of(CLI::App* command, const std::vector<CLI::Option*>& ways) {
  std::string names;
  for (CLI::Option* way : ways) names += (names.empty() ? "" : " or ") + way->get_name();
  command->parse_complete_callback([ways, names] {
    const auto is_given = [](const CLI::Option* way) { return way->count() > 0; };
    if (std::none_of(ways.begin(), ways.end(), is_given)) throw CLI::RequiredError(names);
  });
}

void takes_one_of(CLI::App* command, const std::vector<CLI::Option*>& ways) {
  for (CLI::Option* way : ways) {
    for (CLI::Option* other : ways) {
      if (other != way) way->excludes(other);
    }
  }
  takes_some_of(command, ways);
}

void CommandBuilder::reset() {
  options = CommandOptions();
  options.catalogue = default_catalogue_directory();
  work = nullptr;
  for (const auto& set_defaults : resets_) set_defaults();
}

CLI::App& CommandBuilder::group(CLI::App& app, const char* name, const char* says) {
  CLI::App* added = app.add_subcommand(name, says);
  added->require_subcommand(1);
  return *added;
}

CLI::App* CommandBuilder::command(CLI::App& group, const char* name, const char* says,
                                  std::function<int()> does) {
  CLI::App* added = group.add_subcommand(name, says);
  added->callback([this, does = std::move(does)] { work = does; });
  return added;
}

CLI::App* CommandBuilder::reading(CLI::App& group, const char* name, const char* says,
                                  std::function<int()> does) {
  CLI::App* added = group.add_subcommand(name, says);
  takes_source(added, options.from);
  added->callback([this, does = std::move(does)] {
    require_source(options.from);
    work = does;
  });
  takes_json(added);
  return added;
}

CLI::App* CommandBuilder::reading_folder(CLI::App& group, const char* name, const char* says,
                                         std::function<int()> does) {
  CLI::App* added = command(group, name, says, std::move(does));
  takes_folder(added, options.from);
  takes_json(added);
  return added;
}

CLI::App* CommandBuilder::showing(CLI::App& group, const char* name, const char* says,
                                  const Document& document, const AsText& as_text) {
  return reading(group, name, says, [this, document, as_text] {
    const auto journal = open_data(options.from);
    const Json json = document(*journal, current_state(*journal));
    options.json ? print_json(json) : as_text(json);
    return 0;
  });
}

CLI::App* CommandBuilder::showing(CLI::App& group, const char* name, const char* says,
                                  const Document& document, const std::vector<Column>& columns) {
  return showing(group, name, says, document,
                 [columns](const Json& rows) { print_table(rows, columns); });
}

CLI::App* CommandBuilder::asking(CLI::App& group, const char* name, const char* says,
                                 const std::function<int(const OperatorClient&)>& does) {
  CLI::App* added = reading(group, name, says, [this, does] { return does(client()); });
  takes(added, "--by", &CommandOptions::by, "Your badge; asks for the PIN");
  return added;
}

OperatorClient CommandBuilder::client() const {
  return {options.from, Badge(options.by), options.json};
}

CLI::Option* CommandBuilder::takes_data(CLI::App* command) {
  return command->add_option("--data", options.from.data, "The data folder")->required();
}

CLI::Option* CommandBuilder::takes_json(CLI::App* command, const char* says) {
  return command->add_flag("--json", options.json, says);
}

CLI::Option* CommandBuilder::takes_floor(CLI::App* command, const char* says) {
  return command->add_option("--floor", options.floor, says)->required();
}

CLI::Option* CommandBuilder::takes_catalogue(CLI::App* command) {
  return command->add_option("--catalogue", options.catalogue, "The folder with the game chapters");
}

CLI::Option* CommandBuilder::takes_note(CLI::App* command, const char* says) {
  return command->add_option("--note", options.note, says);
}

CLI::Option* CommandBuilder::takes_day(CLI::App* command) {
  return takes(command, "date", &CommandOptions::day, "The gaming day, as 2026-11-21")
      ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
}

CLI::Option* CommandBuilder::takes_number(CLI::App* command, const char* name, const char* says) {
  return command->add_option(name, options.number, says)->required()->transform(a_number(1));
}

CLI::Option* CommandBuilder::takes(CLI::App* command, const char* name,
                                   std::string CommandOptions::*text, const char* says) {
  return command->add_option(name, options.*text, says)->required();
}

CLI::Option* CommandBuilder::takes_node(CLI::App* command, const char* says) {
  return command->add_option("--node", options.node, says)->check([](const std::string& name) {
    return is_well_formed_name(name)
               ? std::string()
               : "a node's name has 1 to " + std::to_string(limits::name_length_max) +
                     " of A-Z a-z 0-9 . _ : / + -";
  });
}

CLI::Option* CommandBuilder::takes_payment_source(CLI::App* command) {
  const char* says = "table_inventory, game_account or hand_pay";
  return takes(command, "--source", &CommandOptions::source, says)
      ->check(read_by(parse_payment_source, "one of table_inventory, game_account, hand_pay"));
}

}  // namespace linkmeter::cli
