#include "meters/state/slip.h"

namespace linkmeter {

std::string_view name(SlipState state) {
  switch (state) {
    case SlipState::issued: return "issued";
    case SlipState::voided: return "void";
    case SlipState::paid: return "paid";
  }
  return "unknown";
}

}  // namespace linkmeter
