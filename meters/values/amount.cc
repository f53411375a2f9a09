#include "meters/values/amount.h"

#include "meters/values/limits.h"

namespace linkmeter {
namespace {

constexpr std::size_t decimals_exact = 8;
constexpr std::size_t decimals_cents = 2;
// No valid amount is longer, so longer texts are refused unread.
constexpr std::size_t text_length_max = 32;

bool is_digit(char character) { return character >= '0' && character <= '9'; }

// Dollars with the first `decimals` of the eight decimals. Works digit by digit, so that it also
// prints the most negative number, which has no positive counterpart, and numbers wider than 64
// bits.
std::string text_with_decimals(Int128 units, std::size_t decimals) {
  const bool negative = units < 0;
  std::string digits;  // least significant digit first
  for (; units != 0 || digits.size() <= decimals_exact; units /= 10) {
    const int digit = static_cast<int>(units % 10);
    digits.push_back(static_cast<char>('0' + (negative ? -digit : digit)));
  }
  const std::string whole(digits.rbegin(), digits.rend() - decimals_exact);
  const std::string fraction(digits.rend() - decimals_exact, digits.rend());
  return (negative ? "-" : "") + whole + "." + fraction.substr(0, decimals);
}

}  // namespace

std::string text_exact(Amount amount) { return text_with_decimals(amount.units(), decimals_exact); }

std::string text_cents(Amount amount) { return text_cents(Int128{amount.units()}); }

std::string text_cents(Int128 units) {
  const bool is_whole = units % Amount::units_per_cent == 0;
  return text_with_decimals(units, is_whole ? decimals_cents : decimals_exact);
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
    // The length of the text is bounded, so this cannot overflow before the comparison below.
    cents = cents * 10 + (character - '0');
    if (cents > limits::amount_max.in_cents()) return std::nullopt;
  }
  if (after_point && decimals == 0) return std::nullopt;
  for (; decimals < decimals_cents; ++decimals) cents *= 10;
  if (cents > limits::amount_max.in_cents()) return std::nullopt;
  return Amount::cents(cents);
}

}  // namespace linkmeter
