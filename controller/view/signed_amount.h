// Signed amount: differences of money as a report says them, "-1.00000000".
#pragma once

#include <string>

#include "meters/values/amount.h"

namespace linkmeter {

// With all eight decimals, as meters have them.
inline std::string signed_exact(Amount amount) { return text_exact(amount); }
// Whole cents, as handle and awards have them; anything else is told exactly.
inline std::string signed_cents(Amount amount) { return text_cents(amount); }

}  // namespace linkmeter
