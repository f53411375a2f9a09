#include "controller/odds/rational.h"

#include "meters/values/invariant.h"

namespace linkmeter::odds {

namespace {

mpz_class integer(std::uint64_t value) { return mpz_class(static_cast<unsigned long>(value)); }

Rational quotient(const mpz_class& part, const mpz_class& whole) {
  INVARIANT(whole != 0);
  Rational result(part, whole);
  result.canonicalize();
  return result;
}

}  // namespace

Rational ratio(std::uint64_t part, std::uint64_t whole) {
  return quotient(integer(part), integer(whole));
}

Rational in_dollars(Amount amount) {
  return quotient(mpz_class(static_cast<long>(amount.units())),
                  integer(static_cast<std::uint64_t>(Amount::units_per_dollar)));
}

Rational fraction(Rate rate) {
  return quotient(mpz_class(static_cast<long>(rate.ppm())),
                  integer(static_cast<std::uint64_t>(Rate::ppm_whole)));
}

std::string decimal(const Rational& value, unsigned places) {
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, places);
  const mpz_class numerator = abs(value.get_num());
  const mpz_class& denominator = value.get_den();
  // floor(x + 1/2) of the magnitude, in units of the last place.
  const mpz_class rounded = (2 * numerator * scale + denominator) / (2 * denominator);
  std::string digits = rounded.get_str();
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return sgn(value) < 0 && rounded != 0 ? "-" + digits : digits;
}

std::string text(const Rational& value) { return value.get_str(); }

}  // namespace linkmeter::odds
