#include "controller/view/format.h"

#include <algorithm>
#include <cstddef>

namespace linkmeter {

std::string grouped(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  std::size_t place = std::min(digits.find('.'), digits.size());
  while (place > first + 3) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

std::string money_text(Amount amount) {
  if (amount < Amount()) return "-$" + grouped(text_cents(amount).substr(1));
  return "$" + grouped(text_cents(amount.whole_cents()));
}

std::string_view payment_source_text(PaymentSource source) {
  switch (source) {
    case PaymentSource::table_inventory: return "the table inventory container";
    case PaymentSource::game_account: return "the player's game account";
    case PaymentSource::hand_pay: return "hand pay at the cage";
  }
  return "";
}

}  // namespace linkmeter
