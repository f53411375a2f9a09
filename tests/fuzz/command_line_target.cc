// Command lines of our programs: words become options, or end in a sentence and exit code 2; --help
// and --version end in a text and 0. The command itself is not run.
#include <CLI/CLI.hpp>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "controller/cli/command_line.h"
#include "controller/options.h"
#include "meters/values/invariant.h"
#include "proto/host/command_line.h"
#include "table-agent/options.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

// Parsing may throw CLI::ParseError and nothing else.
void hold_usage(const CLI::App& app, const std::function<void()>& parse) {
  try {
    parse();
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, wrong;
    const int code = print_usage_error(app, error, out, wrong);
    INVARIANT(code == 0 || code == exit_usage);
    INVARIANT(code != 0 || (!out.str().empty() && wrong.str().empty()));
    INVARIANT(code == 0 || (out.str().empty() && wrong.str().starts_with(app.get_name() + ": ")));
    INVARIANT(code == 0 || wrong.str().ends_with("--help\n"));
  }
}

std::vector<std::string> words_of(std::string_view bytes, const char* program) {
  std::vector<std::string> words{program};
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    words.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return words;
}

void judge_words(const CLI::App& app, std::string_view bytes,
                 const std::function<void(int, const char* const*)>& parse) {
  const std::vector<std::string> words = words_of(bytes, app.get_name().c_str());
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  hold_usage(app, [&] { parse(static_cast<int>(pointers.size()), pointers.data()); });
}

void judge_controller(std::string_view bytes) {
  static Options options;
  static CLI::App* const app = [] {
    static CLI::App made("", "linkmeter-controller");
    add_version(made);
    add_options(made, options);
    return &made;
  }();
  judge_words(*app, bytes, [](int count, const char* const* words) {
    options = Options();
    app->parse(count, words);
    INVARIANT(!options.floor.empty() || !options.data.empty() || count > 1);
    INVARIANT(options.recount_seconds >= 1 && options.recount_seconds <= 86'400);
  });
}

void judge_agent(std::string_view bytes) {
  static AgentOptions options;
  static CLI::App* const app = [] {
    static CLI::App made("", "linkmeter-table-agent");
    add_version(made);
    add_options(made, options);
    return &made;
  }();
  judge_words(*app, bytes, [](int count, const char* const* words) {
    options = AgentOptions();
    app->parse(count, words);
    require_complete(options);
    INVARIANT(options.is_of_outbox() || !options.floor.empty());
    INVARIANT(!options.seed || options.script.empty());
  });
}

}  // namespace

// The first byte selects the program. The rest is its words, separated by zero bytes.
void judge_command_line(std::string_view bytes) {
  if (bytes.empty()) return;
  const unsigned which = static_cast<unsigned char>(bytes[0]) % 4;
  if (which == 0) return judge_controller(bytes.substr(1));
  if (which == 1) return judge_agent(bytes.substr(1));
  static cli::CommandLine line;
  judge_words(line.app(), bytes.substr(1), [](int count, const char* const* words) {
    INVARIANT(line.read(count, words) != nullptr);
  });
}

}  // namespace linkmeter::fuzz
