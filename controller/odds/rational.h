// Rational: exact rational numbers for odds and the figures computed from them. Every figure stays
// a fraction until it is printed, so that rounding never propagates.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>

#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter::odds {

using Rational = mpq_class;

// part / whole. REQUIRES: whole is not 0.
Rational ratio(std::uint64_t part, std::uint64_t whole);
Rational in_dollars(Amount amount);
Rational fraction(Rate rate);

// "0.000384755": with `places` decimals, rounded to nearest, half away from zero.
std::string decimal(const Rational& value, unsigned places);
// "4/2598960" in lowest terms: "1/649740". A whole number has no "/".
std::string text(const Rational& value);

}  // namespace linkmeter::odds
