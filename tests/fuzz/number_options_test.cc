// Every number on a command line of our programs must be decimal digits within its bounds: CLI11's
// own conversion also reads octal and hexadecimal numbers, and wraps numbers that are too large.
#include <doctest/doctest.h>
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "controller/cli/command_line.h"
#include "controller/options.h"
#include "proto/host/command_line.h"
#include "table-agent/options.h"
#include "tests/support/malformed_numbers.h"

namespace linkmeter::number_options_test {
namespace {

// The options of a command and its subcommands whose value is a number.
std::vector<CLI::Option*> number_options(CLI::App& app) {
  std::vector<CLI::Option*> all;
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    for (const char* number : {"INT", "UINT", "FLOAT", "NUMBER"}) {
      if (type.starts_with(number)) {
        all.push_back(option);
        break;
      }
    }
  }
  for (CLI::App* command : app.get_subcommands({})) {
    const std::vector<CLI::Option*> below = number_options(*command);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

bool takes(CLI::Option* option, const std::string& text) {
  option->clear();
  option->add_result(text);
  try {
    option->run_callback();
  } catch (const CLI::ParseError&) {
    option->clear();
    return false;
  }
  option->clear();
  return true;
}

void hold_numbers(CLI::App& app, std::size_t at_least) {
  const std::vector<CLI::Option*> options = number_options(app);
  CHECK_GE(options.size(), at_least);
  for (CLI::Option* option : options) {
    CAPTURE(option->get_name());
    for (const std::string& text : malformed_numbers) {
      CAPTURE(text);
      CHECK_FALSE(takes(option, text));
    }
    CHECK(takes(option, "1"));
  }
}

}  // namespace

TEST_CASE("every number on a command line is decimal digits within its bounds, and nothing else") {
  cli::CommandLine line;
  hold_numbers(line.app(), 15);
  Options options;
  CLI::App controller("", "linkmeter-controller");
  add_options(controller, options);
  hold_numbers(controller, 2);
  AgentOptions asked;
  CLI::App agent("", "linkmeter-table-agent");
  add_options(agent, asked);
  hold_numbers(agent, 3);
}

TEST_CASE("slip 000012 is slip 12") {
  CLI::App app;
  std::uint64_t number = 0;
  app.add_option("slip", number, "")->transform(a_number(1));
  app.parse(std::vector<std::string>{"000012"});
  CHECK_EQ(number, 12);
}

}  // namespace linkmeter::number_options_test
