// Slip codec: a slip as the state tables hold it; a part of state_codec.
#pragma once

#include <optional>

#include "meters/state/slip.h"

namespace linkmeter::state {
class Slip;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_slip(const Slip& slip, state::Slip& message);
std::optional<Slip> decode_slip(const state::Slip& message);

}  // namespace linkmeter::parts
