// Sign driver: how one kind of sign on a line is told what to show. A driver turns words into bytes
// and knows nothing else; a new kind of sign is a new driver, and a line in its list.
//
//   pro-lite   the open ASCII words of Pro-Lite's one-line signs: "<ID01><PA>TEXT" writes page A of
//              the sign with that number, "<ID01><RPA>" shows it; each ends with a carriage return
//              and a newline. 9600 baud, 8N1.
//   plain      TEXT and a newline, for what reads lines.
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

  // Everything that makes the sign show this text, and nothing of before.
  [[nodiscard]] virtual std::string bytes(std::string_view text) const = 0;
};

// The names that sign_driver() knows.
std::vector<std::string> sign_driver_names();
// `number`: which sign on the line, 1 to 99, where a line may have several. REQUIRES: a known name.
std::unique_ptr<SignDriver> sign_driver(std::string_view name, int number);

}  // namespace linkmeter
