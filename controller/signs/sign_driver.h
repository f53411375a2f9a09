// SignDriver: the protocol of one kind of sign on a serial line. A driver encodes text as bytes and
// does nothing else. A new kind of sign needs a new driver, and a line in the list of drivers.
//
//   pro-lite   the open ASCII protocol of Pro-Lite's one-line signs: "<ID01><PA>TEXT" writes page A
//              of the sign with that number, "<ID01><RPA>" shows it; each ends with a carriage
//              return and a newline. 9600 baud, 8N1.
//   plain      TEXT and a newline, for devices that read lines.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter {

class SignDriver {
 public:
  SignDriver() = default;
  SignDriver(const SignDriver&) = delete;
  SignDriver& operator=(const SignDriver&) = delete;
  virtual ~SignDriver() = default;

  // The bytes that make the sign show this text, and nothing from before.
  [[nodiscard]] virtual std::string bytes(std::string_view text) const = 0;
};

// The names that sign_driver() knows.
std::vector<std::string> sign_driver_names();
// `number`: the sign's number on the line, 1 to 99, if the line may have several. REQUIRES: a known
// name.
std::unique_ptr<SignDriver> sign_driver(std::string_view name, int number);

}  // namespace linkmeter
