// linkmeter: the operator's and auditor's tool. Exit 0: done; 1: refused or failed, with a sentence
// on standard error; 2: wrong usage.
#include <unistd.h>

#include <csignal>
#include <exception>
#include <functional>
#include <iostream>
#include <string_view>

#include "controller/cli/command_line.h"
#include "meters/values/invariant.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace {

// LMDB follows the pointers of the file that it maps, so a damaged file can crash the process.
// Reports that. Calls only async-signal-safe functions.
void end_on_damage(int) {
  constexpr std::string_view message =
      "linkmeter: the journal's file is damaged below its entries and cannot be read\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  for (const int number : {SIGSEGV, SIGBUS}) std::signal(number, end_on_damage);
  try {
    const linkmeter::ReadingScope reads;  // a damaged journal is an error of this command
    linkmeter::cli::CommandLine line;
    std::function<int()> work;
    try {
      work = line.read(count, arguments);
    } catch (const CLI::ParseError& error) {
      return linkmeter::print_usage_error(line.app(), error);
    }
    const int code = work();
    std::cout.flush();
    if (!std::cout) throw linkmeter::Fault("standard output cannot be written");
    return code;
  } catch (const std::exception& fault) {
    std::cerr << "linkmeter: " << fault.what() << '\n';
    return 1;
  }
}
