// Exact: rational numbers for odds and for the figures that follow from them. Every figure stays a
// fraction until it is printed, so that a rounded one never enters another.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>

#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter::odds {

using Exact = mpq_class;

// part / whole. REQUIRES: whole is not 0.
Exact ratio(std::uint64_t part, std::uint64_t whole);
Exact in_dollars(Amount amount);
Exact fraction(Rate rate);

// "0.000384755": so many decimals, rounded to the nearest, a half away from zero.
std::string decimal(const Exact& value, unsigned places);
// "4/2598960" in lowest terms: "1/649740". A whole number has no "/".
std::string text(const Exact& value);

}  // namespace linkmeter::odds
