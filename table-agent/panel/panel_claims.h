// Panel claims: what a dealer is told of the claims of his table: how each stands, and what is to
// be done with it at the table. He decides nothing of it.
#pragma once

#include <string>

#include "proto/codec/wire_codec.h"
#include "table-agent/panel/panel_state.h"

namespace linkmeter {

// "validated: to be paid at the cage, on slip 12". Names that this release does not know stand as
// they are.
std::string claim_words(const ClaimNotice& claim);

// The claim, as the controller told of it last; null: never since this agent started.
const ClaimNotice* find_claim(const PanelState& scene, ClaimNumber number);

}  // namespace linkmeter
