// Rate: a share in parts per million, 0 to 100%. A wager in cents times a rate in ppm is a whole
// number of units of 10^-8 dollar, so accrual (M1) never rounds.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/values/amount.h"
#include "meters/values/invariant.h"

namespace linkmeter {

class Rate {
 public:
  static constexpr std::int64_t ppm_whole = 1'000'000;

  constexpr Rate() = default;
  static constexpr Rate from_ppm(std::int64_t ppm) {
    INVARIANT(ppm >= 0 && ppm <= ppm_whole);
    return Rate(ppm);
  }
  [[nodiscard]] constexpr std::int64_t ppm() const { return ppm_; }
  [[nodiscard]] constexpr bool is_whole() const { return ppm_ == ppm_whole; }
  friend constexpr auto operator<=>(Rate, Rate) = default;

 private:
  constexpr explicit Rate(std::int64_t ppm) : ppm_(ppm) {}
  std::int64_t ppm_ = 0;
};

// M1: what a wager adds to a level or to the reserve; exact. REQUIRES: whole cents, not negative.
Amount contribution(Amount wager, Rate rate);
// M5: a share of a meter in whole cents, rounded down. REQUIRES: not negative.
Amount share_in_whole_cents(Amount meter, Rate share);

// Parses "12%", "14.25%", "0.0001%": up to four decimals. nullopt: above 100%, or any other text.
std::optional<Rate> parse_rate(std::string_view text);
// "14.25%", without trailing zeros.
std::string text(Rate rate);

}  // namespace linkmeter
