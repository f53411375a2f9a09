#include "controller/cli/shell/pin_entry.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "controller/auth/pin.h"
#include "meters/values/limits.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

constexpr std::size_t pin_typed_max = 64;

termios terminal_before;

// Only what a signal may call: Ctrl-C at the prompt must not leave a terminal without echo.
void end_with_echo(int number) {
  ::tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

// The terminal shows nothing of what is typed while this lives.
class WithoutEcho {
 public:
  WithoutEcho() {
    if (::tcgetattr(STDIN_FILENO, &terminal_before) != 0) throw Fault("the terminal is gone");
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, end_with_echo);
    termios quiet = terminal_before;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
  }
  WithoutEcho(const WithoutEcho&) = delete;
  WithoutEcho& operator=(const WithoutEcho&) = delete;
  ~WithoutEcho() {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  }
};

std::string typed(const std::string& prompt) {
  std::string line;
  {
    const WithoutEcho quiet;  // before the prompt, for input that is typed ahead
    std::cerr << prompt << std::flush;
    std::getline(std::cin, line);
  }
  std::cerr << '\n';
  return line;
}

std::string line_of_input() {
  std::string line;
  std::getline(std::cin, line);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

bool is_at_a_terminal() { return ::isatty(STDIN_FILENO) == 1; }

std::string pin_given(const Badge& whose, const char* variable) {
  std::string pin;
  if (const char* given = std::getenv(variable)) {
    pin = given;
  } else {
    pin = is_at_a_terminal() ? typed("PIN of " + whose.text() + ": ") : line_of_input();
  }
  if (pin.empty()) {
    throw Fault("no PIN: type it, set $" + std::string(variable) +
                ", or give it on standard input");
  }
  if (pin.size() > pin_typed_max) throw Fault("a PIN is at most 12 digits");
  return pin;
}

}  // namespace

std::string read_pin(const Badge& by) { return pin_given(by, "LINKMETER_PIN"); }

std::string read_witness_pin(const Badge& witness) {
  return pin_given(witness, "LINKMETER_WITNESS_PIN");
}

std::optional<std::string> read_new_pin(const Badge& whose) {
  std::string pin;
  if (const char* given = std::getenv("LINKMETER_NEW_PIN")) {
    pin = given;
  } else if (is_at_a_terminal()) {
    const std::string asks = "new PIN of " + whose.text();
    pin = typed(asks + " (6 to 12 digits): ");
    if (!pin.empty() && typed(asks + " again: ") != pin) throw Fault("the two PINs differ");
  } else if (std::getenv("LINKMETER_PIN") == nullptr) {
    pin = line_of_input();
  }
  if (pin.empty()) return std::nullopt;
  if (const Refusal no = check_new_pin(pin, whose); no != Refusal::none) {
    throw Fault(std::string(sentence(no)));
  }
  return pin;
}

std::vector<std::string> read_recovery_codes(std::size_t needed) {
  std::vector<std::string> codes;
  if (const char* given = std::getenv("LINKMETER_RECOVERY_CODES")) {
    std::istringstream words(given);
    for (std::string word; words >> word;) codes.push_back(word);
  } else {
    for (std::size_t at = 1; at <= needed; ++at) {
      codes.push_back(is_at_a_terminal() ? typed("recovery code " + std::to_string(at) + " of " +
                                                 std::to_string(needed) + ": ")
                                         : line_of_input());
    }
  }
  constexpr std::size_t code_typed_max = 128;
  const bool is_whole = codes.size() == needed &&
                        std::all_of(codes.begin(), codes.end(), [](const std::string& code) {
                          return !code.empty() && code.size() <= code_typed_max;
                        });
  if (!is_whole) {
    const bool is_of_init = needed == limits::recovery_codes_needed;
    throw Fault(
        std::string(is_of_init ? "two recovery codes are needed"
                               : "two recovery codes of each manager who made them are needed") +
        ": type them, set $LINKMETER_RECOVERY_CODES to all of them with a space between them, or "
        "give them on standard input, each on a line");
  }
  return codes;
}

}  // namespace linkmeter::cli
