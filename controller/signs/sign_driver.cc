#include "controller/signs/sign_driver.h"

#include <cstddef>

#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

constexpr std::string_view pro_lite = "pro-lite", plain = "plain";
// The length of a page; a longer text would run into the next one.
constexpr std::size_t page_letters_max = 1'000;

// Replaces everything but printable ASCII, and the characters that delimit commands, with blanks.
std::string letters(std::string_view text, std::string_view commands) {
  std::string shown(text.substr(0, page_letters_max));
  for (char& letter : shown) {
    const bool prints = letter >= ' ' && letter <= '~';
    if (!prints || commands.find(letter) != std::string_view::npos) letter = ' ';
  }
  return shown;
}

class ProLite final : public SignDriver {
 public:
  explicit ProLite(int number)
      : sign_(std::string("<ID") + (number < 10 ? "0" : "") + std::to_string(number) + ">") {}
  [[nodiscard]] std::string bytes(std::string_view text) const override {
    return sign_ + "<PA>" + letters(text, "<>") + "\r\n" + sign_ + "<RPA>\r\n";
  }

 private:
  std::string sign_;
};

class Plain final : public SignDriver {
 public:
  [[nodiscard]] std::string bytes(std::string_view text) const override {
    return letters(text, "") + "\n";
  }
};

}  // namespace

std::vector<std::string> sign_driver_names() { return {std::string(pro_lite), std::string(plain)}; }

std::unique_ptr<SignDriver> sign_driver(std::string_view name, int number) {
  INVARIANT(number >= 1 && number <= 99);
  if (name == pro_lite) return std::make_unique<ProLite>(number);
  INVARIANT(name == plain);
  return std::make_unique<Plain>();
}

}  // namespace linkmeter
