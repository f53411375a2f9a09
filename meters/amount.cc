#include "meters/amount.h"

#include "meters/limits.h"

namespace linkmeter {
namespace {

constexpr std::size_t decimals_exact = 8;
constexpr std::size_t decimals_cents = 2;
// More digits than any amount has; what is longer need not be read to be refused.
constexpr std::size_t text_length_max = 32;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Dollars with the first `decimals` of the eight decimals.
std::string text_with_decimals(Amount amount, std::size_t decimals) {
  const bool negative = amount.units() < 0;
  // In unsigned arithmetic, for the most negative number has no positive counterpart.
  const auto bits = static_cast<std::uint64_t>(amount.units());
  const std::uint64_t units = negative ? ~bits + 1 : bits;
  constexpr auto per_dollar = static_cast<std::uint64_t>(Amount::units_per_dollar);
  std::string fraction = std::to_string(units % per_dollar);
  fraction.insert(0, decimals_exact - fraction.size(), '0');
  return (negative ? "-" : "") + std::to_string(units / per_dollar) + "." +
         fraction.substr(0, decimals);
}

}  // namespace

std::string text_exact(Amount amount) { return text_with_decimals(amount, decimals_exact); }

std::string text_cents(Amount amount) {
  CHECK(amount.is_whole_cents());
  return text_with_decimals(amount, decimals_cents);
}

std::optional<Amount> parse_cents(std::string_view text) {
  if (text.empty() || text.size() > text_length_max) return std::nullopt;
  std::int64_t cents = 0;
  std::size_t dollar_digits = 0;
  std::size_t decimals = 0;
  bool after_point = false;
  for (const char character : text) {
    if (character == '.' && !after_point && dollar_digits > 0) {
      after_point = true;
      continue;
    }
    if (!is_digit(character)) return std::nullopt;
    if (after_point && ++decimals > decimals_cents) return std::nullopt;
    if (!after_point) ++dollar_digits;
    // Bounded in every step, so it cannot overflow before the comparison below.
    cents = cents * 10 + (character - '0');
    if (cents > limits::amount_max.in_cents()) return std::nullopt;
  }
  if (after_point && decimals == 0) return std::nullopt;
  for (; decimals < decimals_cents; ++decimals) cents *= 10;
  if (cents > limits::amount_max.in_cents()) return std::nullopt;
  return Amount::cents(cents);
}

}  // namespace linkmeter
