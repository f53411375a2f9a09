#include "proto/host/command_line.h"

#include <string_view>

#include "meters/values/number.h"
#include "proto/host/release.h"

namespace linkmeter {

std::string program_version() { return std::string(this_release().name); }

void add_version(CLI::App& app) {
  app.set_version_flag("--version", app.get_name() + " " + program_version(),
                       "Print the version and end");
}

std::function<std::string(const std::string&)> is_endpoint(EndpointUse use) {
  return [use](const std::string& text) { return endpoint_mistake(text, use); };
}

CLI::Validator a_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) {
            const auto number = parse_number(text, most);
            if (!number || *number < least) {
              const bool is_open = most == std::numeric_limits<std::uint64_t>::max();
              return "\"" + text + "\" is not a whole number from " + std::to_string(least) +
                     (is_open ? " on" : " to " + std::to_string(most));
            }
            // Without leading zeros, which the library reads as octal.
            text = std::to_string(*number);
            return std::string();
          },
          ""};
}

void refuse_empty_values(CLI::App& app) {
  const auto check = [](const std::string& text) {
    return text.empty() ? std::string("the value is empty") : std::string();
  };
  for (CLI::Option* option : app.get_options()) {
    const bool takes_value = option->get_items_expected_max() > 0;
    if (takes_value && option->get_name() != "--note") option->check(check);
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
}

namespace {

// CLI11's message names its internal type and option; this one does not.
std::string words_of(const CLI::ParseError& error) {
  const std::string_view said = error.what(), begins = "Could not convert: ", is = " = ";
  const std::size_t at = said.find(is);
  if (!said.starts_with(begins) || at == std::string_view::npos) return std::string(said);
  return std::string(said.substr(begins.size(), at - begins.size())) + ": \"" +
         std::string(said.substr(at + is.size())) + "\" is not a number that it takes";
}

}  // namespace

int print_usage_error(const CLI::App& app, const CLI::ParseError& error, std::ostream& out,
                      std::ostream& wrong) {
  if (error.get_exit_code() == 0) return app.exit(error, out, wrong);
  // A mistyped word also causes a "missing argument" error. Report the mistyped word.
  const std::vector<std::string> strange = app.remaining(true);
  if (strange.empty()) {
    wrong << app.get_name() << ": " << words_of(error);
  } else {
    const bool is_command = app.get_subcommands().empty() && !app.get_subcommands({}).empty() &&
                            !strange.front().starts_with('-');
    wrong << app.get_name() << ": unknown " << (is_command ? "command " : "argument ")
          << strange.front();
  }
  std::string command = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    command += " " + at->get_name();
  }
  wrong << "; see " << command << " --help\n";
  return exit_usage;
}

}  // namespace linkmeter
