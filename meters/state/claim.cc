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

}  // namespace linkmeter
