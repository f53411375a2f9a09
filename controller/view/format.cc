#include "controller/view/format.h"

namespace linkmeter {

std::string_view payment_source_text(PaymentSource source) {
  switch (source) {
    case PaymentSource::table_inventory: return "the table inventory container";
    case PaymentSource::game_account: return "the player's game account";
    case PaymentSource::hand_pay: return "hand pay at the cage";
  }
  return "";
}

}  // namespace linkmeter
