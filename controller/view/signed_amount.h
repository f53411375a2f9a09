// Signed amount: money differences for reports, "-1.00000000".
#pragma once

#include <string>

#include "meters/values/amount.h"

namespace linkmeter {

// With all eight decimals, as meters have.
inline std::string signed_exact(Amount amount) { return text_exact(amount); }
// In whole cents, as handle and awards have; any other amount is exact.
inline std::string signed_cents(Amount amount) { return text_cents(amount); }

}  // namespace linkmeter
