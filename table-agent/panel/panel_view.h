// Panel picture: a scene as one JSON text, everything that the page of a dealer shows
// (table-agent/panel/README.md). The page decides nothing: what may be done, what is owed and where
// it is paid from is told here, in words too.
#pragma once

#include <string>

#include "proto/codec/wire_codec.h"
#include "table-agent/panel/panel_state.h"

namespace linkmeter {

// Without the keys that change though the table does not: sequence, as_of, age_ms.
std::string panel_view_json(const PanelState& scene, const std::string& house);

// "straight flush" of "straight_flush".
std::string plain_words(const std::string& name);

// Panel claims: what a dealer is told of the claims of his table: how each stands, and what is to
// be done with it at the table. He decides nothing of it.

// "validated: to be paid at the cage, on slip 12". Names that this release does not know stand as
// they are.
std::string claim_words(const ClaimNotice& claim);

// The claim, as the controller told of it last; null: never since this agent started.
const ClaimNotice* find_claim(const PanelState& scene, ClaimNumber number);

}  // namespace linkmeter
