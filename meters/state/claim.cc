#include "meters/state/claim.h"

namespace linkmeter {

std::string_view name(ClaimState state) {
  switch (state) {
    case ClaimState::raised: return "raised";
    case ClaimState::validated: return "validated";
    case ClaimState::rejected: return "rejected";
    case ClaimState::paid: return "paid";
  }
  return "unknown";
}

std::string_view name(PaymentSource source) {
  switch (source) {
    case PaymentSource::table_inventory: return "table_inventory";
    case PaymentSource::game_account: return "game_account";
    case PaymentSource::hand_pay: return "hand_pay";
  }
  return "unknown";
}

std::optional<PaymentSource> parse_payment_source(std::string_view text) {
  for (const PaymentSource source : payment_sources) {
    if (name(source) == text) return source;
  }
  return std::nullopt;
}

}  // namespace linkmeter
