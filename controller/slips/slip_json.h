// Slip as JSON: what a slip says, for pages and programs, word for word as on its stored copy.
#pragma once

#include <optional>

#include "controller/slips/slip_document.h"
#include "controller/view/json.h"

namespace linkmeter {

[[nodiscard]] Json document_json(const SlipDocument& slip);
// nullopt: it is none.
[[nodiscard]] std::optional<SlipDocument> document_of(const Json& json);

}  // namespace linkmeter
