#include "meters/values/rate.h"

namespace linkmeter {
namespace {

constexpr std::size_t decimals_max = 4;
constexpr std::int64_t ppm_per_percent = 10'000;
constexpr std::size_t rate_text_length_max = 16;

}  // namespace

Amount contribution(Amount wager, Rate rate) {
  INVARIANT(wager >= Amount());
  // Cents x ppm gives units of 10^-8 dollar: there is no division, so nothing is rounded.
  return Amount::from_units(rate.ppm()).times(wager.in_cents());
}

Amount share_in_whole_cents(Amount meter, Rate share) {
  INVARIANT(meter >= Amount());
  // Split into whole millions and the rest, so that the product stays within 64 bits and is exact.
  const std::int64_t whole = meter.units() / Rate::ppm_whole;
  const std::int64_t rest = meter.units() % Rate::ppm_whole;
  const Amount part = Amount::from_units(share.ppm()).times(whole);
  return (part + Amount::from_units(rest * share.ppm() / Rate::ppm_whole)).whole_cents();
}

std::optional<Rate> parse_rate(std::string_view text) {
  if (text.empty() || text.size() > rate_text_length_max || text.back() != '%') return std::nullopt;
  text.remove_suffix(1);
  std::int64_t ppm = 0;
  std::size_t whole_digits = 0;
  std::size_t decimals = 0;
  bool after_point = false;
  for (const char character : text) {
    if (character == '.' && !after_point && whole_digits > 0) {
      after_point = true;
      continue;
    }
    if (character < '0' || character > '9') return std::nullopt;
    if (after_point && ++decimals > decimals_max) return std::nullopt;
    if (!after_point) ++whole_digits;
    ppm = ppm * 10 + (character - '0');
  }
  if (whole_digits == 0 || (after_point && decimals == 0)) return std::nullopt;
  // At most 15 digits, and this loop adds at most four: far below the limit of 64 bits.
  for (; decimals < decimals_max; ++decimals) {
    if (ppm > Rate::ppm_whole) return std::nullopt;
    ppm *= 10;
  }
  if (ppm > Rate::ppm_whole) return std::nullopt;
  return Rate::from_ppm(ppm);
}

std::string text(Rate rate) {
  std::string digits = std::to_string(rate.ppm() / ppm_per_percent);
  std::string fraction = std::to_string(rate.ppm() % ppm_per_percent);
  fraction.insert(0, decimals_max - fraction.size(), '0');
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (!fraction.empty()) digits += "." + fraction;
  return digits + "%";
}

}  // namespace linkmeter
