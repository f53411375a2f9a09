// Signed amount: differences of money as a report says them, "-1.00000000".
#pragma once

#include <string>

#include "meters/amount.h"

namespace linkmeter {

// With all eight decimals, as meters have them.
inline std::string signed_exact(Amount amount) {
  return amount < Amount() ? "-" + text_exact(-amount) : text_exact(amount);
}
// Whole cents, as handle and awards have them; anything else is told exactly.
inline std::string signed_cents(Amount amount) {
  if (!amount.is_whole_cents()) return signed_exact(amount);
  return amount < Amount() ? "-" + text_cents(-amount) : text_cents(amount);
}

}  // namespace linkmeter
