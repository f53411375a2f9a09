#include "meters/edge/command_line.h"

namespace linkmeter {

std::string program_version() { return LINKMETER_VERSION; }

void add_version(CLI::App& app) {
  app.set_version_flag("--version", app.get_name() + " " + program_version(),
                       "Print the version and end");
}

std::function<std::string(const std::string&)> is_endpoint(EndpointUse use) {
  return [use](const std::string& text) { return endpoint_mistake(text, use); };
}

int told_usage(const CLI::App& app, const CLI::ParseError& error, std::ostream& out,
               std::ostream& wrong) {
  if (error.get_exit_code() == 0) return app.exit(error, out, wrong);
  // A mistyped word makes a required one missing too; the mistyped one is what to tell.
  const std::vector<std::string> strange = app.remaining(true);
  if (strange.empty()) {
    wrong << app.get_name() << ": " << error.what();
  } else {
    const bool is_command = app.get_subcommands().empty() && !app.get_subcommands({}).empty() &&
                            !strange.front().starts_with('-');
    wrong << app.get_name() << ": unknown " << (is_command ? "command " : "argument ")
          << strange.front();
  }
  wrong << "; see " << app.get_name() << " --help\n";
  return exit_usage;
}

}  // namespace linkmeter
