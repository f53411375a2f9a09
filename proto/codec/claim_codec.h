// Claim codec: a claim as the state tables hold it.
#pragma once

#include <optional>

#include "meters/state/claim.h"

namespace linkmeter::state {
class Claim;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_claim(const Claim& claim, state::Claim& message);
std::optional<Claim> decode_claim(const state::Claim& message);

}  // namespace linkmeter::parts
