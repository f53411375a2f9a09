// How a payment source is displayed on slips and terminals.
#pragma once

#include <string_view>

#include "meters/state/claim.h"

namespace linkmeter {

// "hand pay at the cage"
std::string_view payment_source_text(PaymentSource source);

}  // namespace linkmeter
