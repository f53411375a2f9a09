#include "meters/values/amount.h"

#include <algorithm>
#include <limits>

namespace linkmeter {
namespace {

constexpr std::size_t decimals_exact = 8;
constexpr std::size_t decimals_cents = 2;
// With eight decimals, the largest such number fits into 128 bits.
constexpr std::size_t dollar_digits_max = 28;

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

std::string text_exact(Amount amount) { return text_exact(Int128{amount.units()}); }

std::string text_exact(Int128 units) { return text_with_decimals(units, decimals_exact); }

std::string text_cents(Amount amount) { return text_cents(Int128{amount.units()}); }

std::string text_cents(Int128 units) {
  const bool is_whole = units % Amount::units_per_cent == 0;
  return text_with_decimals(units, is_whole ? decimals_cents : decimals_exact);
}

std::string grouped(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  std::size_t place = std::min(digits.find('.'), digits.size());
  while (place > first + 3) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string money_text(Amount amount) {
  return money_text(text_cents(amount < Amount() ? amount : amount.whole_cents()));
}

std::string money_text(std::string_view dollars) {
  if (dollars.starts_with('-')) return "-$" + grouped(std::string(dollars.substr(1)));
  return "$" + grouped(std::string(dollars));
}

std::optional<Int128> parse_units(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view dollars = text.substr(0, point);
  const std::string_view decimals =
      point == std::string_view::npos ? std::string_view("0") : text.substr(point + 1);
  if (dollars.empty() || dollars.size() > dollar_digits_max) return std::nullopt;
  if (decimals.empty() || decimals.size() > decimals_exact) return std::nullopt;
  std::string digits = std::string(dollars) + std::string(decimals);
  digits.append(decimals_exact - decimals.size(), '0');
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  Int128 units = 0;
  for (const char digit : digits) units = units * 10 + (digit - '0');
  return is_negative ? -units : units;
}

std::optional<Amount> parse_exact(std::string_view text) {
  const std::optional<Int128> units = parse_units(text);
  const bool fits = units && *units >= std::numeric_limits<std::int64_t>::min() &&
                    *units <= std::numeric_limits<std::int64_t>::max();
  if (!fits) return std::nullopt;
  return Amount::from_units(static_cast<std::int64_t>(*units));
}

std::optional<Amount> parse_cents(std::string_view text) {
  return parse_cents(text, Amount::in_text_max());
}

std::optional<Amount> parse_cents(std::string_view text, Amount most) {
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  const std::size_t decimals = text.size() - std::min(text.find('.'), text.size());
  if (has_sign || decimals > 1 + decimals_cents) return std::nullopt;
  const std::optional<Amount> amount = parse_exact(text);
  return amount && *amount <= most ? amount : std::nullopt;
}

}  // namespace linkmeter
