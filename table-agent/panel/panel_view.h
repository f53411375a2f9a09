// Panel picture: a scene as one JSON text, everything that the page of a dealer shows
// (table-agent/panel/README.md). The page decides nothing: what may be done, what is owed and where
// it is paid from is told here, in words too.
#pragma once

#include <string>

#include "table-agent/panel/panel_state.h"

namespace linkmeter {

// Without the keys that change though the table does not: sequence, as_of, age_ms.
std::string panel_view_json(const PanelState& scene, const std::string& house);

// "straight flush" of "straight_flush".
std::string plain_words(const std::string& name);

}  // namespace linkmeter
