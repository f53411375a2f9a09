// Money text: amounts and their payment sources, as displayed on signs, slips and terminals.
#pragma once

#include <string>
#include <string_view>

#include "meters/state/claim.h"
#include "meters/values/amount.h"

namespace linkmeter {

// 2598960 as "2,598,960"; decimals are unchanged.
std::string grouped(std::string digits);
// "$1,234,567.89"; whole cents, rounded down (M2).
std::string money_text(Amount amount);
// "hand pay at the cage"
std::string_view payment_source_text(PaymentSource source);

}  // namespace linkmeter
