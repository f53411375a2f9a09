// Amount: money as a signed whole number of 10^-8 dollar (a millionth of a cent).
//
// Laws: no floating point. Nothing is rounded except by whole_cents(), which is M2. Every sum is
// checked, and an overflow aborts. 64 bits hold about 92 billion dollars; decide() refuses anything
// that would raise a meter above limits::meter_max long before a sum could overflow.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/values/int128.h"
#include "meters/values/invariant.h"

namespace linkmeter {

class Amount {
 public:
  static constexpr std::int64_t units_per_cent = 1'000'000;
  static constexpr std::int64_t units_per_dollar = 100 * units_per_cent;

  constexpr Amount() = default;
  // From units of 10^-8 dollar, for the codec and for accrual. All other code uses cents or
  // dollars.
  static constexpr Amount from_units(std::int64_t units) { return Amount(units); }
  static constexpr Amount cents(std::int64_t cents) {
    return Amount(multiply(cents, units_per_cent));
  }
  static constexpr Amount dollars(std::int64_t dollars) {
    return Amount(multiply(dollars, units_per_dollar));
  }

  // The largest amount in a file or message (limits::amount_max).
  static constexpr Amount in_text_max() { return dollars(1'000'000'000); }

  [[nodiscard]] constexpr std::int64_t units() const { return units_; }
  [[nodiscard]] constexpr bool is_whole_cents() const { return units_ % units_per_cent == 0; }
  // The amount in cents. REQUIRES: is_whole_cents().
  [[nodiscard]] constexpr std::int64_t in_cents() const {
    INVARIANT(is_whole_cents());
    return units_ / units_per_cent;
  }
  // M2: the amount that signs, slips and awards show: whole cents, rounded down. REQUIRES: not
  // negative.
  [[nodiscard]] constexpr Amount whole_cents() const {
    INVARIANT(units_ >= 0);
    return Amount(units_ - units_ % units_per_cent);
  }
  // `count` times this amount ("N for 1").
  [[nodiscard]] constexpr Amount times(std::int64_t count) const {
    return Amount(multiply(units_, count));
  }

  constexpr Amount operator-() const { return Amount(multiply(units_, -1)); }
  constexpr Amount& operator+=(Amount other) {
    INVARIANT(!__builtin_add_overflow(units_, other.units_, &units_));
    return *this;
  }
  constexpr Amount& operator-=(Amount other) {
    INVARIANT(!__builtin_sub_overflow(units_, other.units_, &units_));
    return *this;
  }
  friend constexpr Amount operator+(Amount left, Amount right) { return left += right; }
  friend constexpr Amount operator-(Amount left, Amount right) { return left -= right; }
  friend constexpr auto operator<=>(Amount, Amount) = default;

 private:
  constexpr explicit Amount(std::int64_t units) : units_(units) {}
  static constexpr std::int64_t multiply(std::int64_t left, std::int64_t right) {
    std::int64_t product = 0;
    INVARIANT(!__builtin_mul_overflow(left, right, &product));
    return product;
  }

  std::int64_t units_ = 0;
};

// Dollars with all eight decimals, as reports and JSON show balances: "10000.14000000",
// "-0.50000000".
std::string text_exact(Amount amount);
// The same of a sum of amounts, in units of 10^-8 dollar, that an Amount may not hold.
std::string text_exact(Int128 units);
// "10000.14": dollars and cents, as awards and wagers are shown. An amount that is not whole cents
// has all eight decimals: an old journal can hold one where only whole cents belong, and it must
// still be readable.
std::string text_cents(Amount amount);
std::string text_cents(Int128 units);
// 2598960 as "2,598,960"; decimals are unchanged.
std::string grouped(std::string digits);
// "$1,234,567.89", "-$0.50": how signs, slips and terminals display money. An amount is rounded
// down to whole cents (M2); a text, as text_cents() returns it, keeps its decimals.
std::string money_text(Amount amount);
std::string money_text(std::string_view dollars);

// Reads "12", "12.5", "12.50"; at most two decimals, no sign, no spaces, at most `most`, or
// limits::amount_max. nullopt: any other text.
std::optional<Amount> parse_cents(std::string_view text);
std::optional<Amount> parse_cents(std::string_view text, Amount most);
// Reads "12", "-5.001", "+0.00000001": a sign or none, at most eight decimals. nullopt: any other
// text, or more than an Amount holds.
std::optional<Amount> parse_exact(std::string_view text);
// The same of a sum, in units of 10^-8 dollar: at most 28 digits before the point.
std::optional<Int128> parse_units(std::string_view text);

}  // namespace linkmeter
