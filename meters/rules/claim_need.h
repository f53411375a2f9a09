// ClaimNeed: the next step that a claim needs before it is paid.
#pragma once

#include <cstdint>
#include <string_view>

#include "meters/state/claim.h"
#include "meters/state/state.h"

namespace linkmeter {

// nothing: the claim is paid or rejected.
enum class ClaimNeed : std::uint8_t { nothing, validation, second_signature, slip, payment };

ClaimNeed need_of(const State& state, const Claim& claim);

// "validation", "second_signature", "slip", "payment"; "" for nothing.
std::string_view name(ClaimNeed need);

}  // namespace linkmeter
