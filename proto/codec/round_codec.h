// Round codec: an open round as the state tables hold it; a part of state_codec.
#pragma once

#include <optional>

#include "meters/state/played_pot.h"
#include "meters/state/round.h"

namespace linkmeter::state {
class PlayedPot;
class Round;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_round(const Round& round, state::Round& message);
std::optional<Round> decode_round(const state::Round& message);
void encode_pot(const PlayedPot& pot, state::PlayedPot& message);
std::optional<PlayedPot> decode_pot(const state::PlayedPot& message);

}  // namespace linkmeter::parts
