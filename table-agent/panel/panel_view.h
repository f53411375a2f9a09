// The panel's view: a PanelState as one JSON text with everything that the dealer's page shows
// (table-agent/panel/README.md). The page decides nothing: the view says, in words too, what may be
// done, what is owed, and from where it is paid.
#pragma once

#include <string>

#include "proto/codec/wire_codec.h"
#include "table-agent/panel/panel_state.h"

namespace linkmeter {

// Omits the keys that change although the table does not: sequence, as_of, age_ms.
std::string panel_view_json(const PanelState& scene, const std::string& house);

// "straight flush" for "straight_flush".
std::string plain_words(const std::string& name);

// Claims for the dealer of the table: the state of each, and what to do about it at the table. The
// dealer decides nothing about claims.

// "validated: to be paid at the cage, on slip 12". Names that this release does not know are
// unchanged.
std::string claim_words(const ClaimNotice& claim);

// The claim as the controller last reported it; null: no report since this agent started.
const ClaimNotice* find_claim(const PanelState& scene, ClaimNumber number);

}  // namespace linkmeter
