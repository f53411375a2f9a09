// Slip as JSON: the text of a slip for pages and programs, exactly as on its stored copy.
#pragma once

#include <optional>

#include "controller/slips/slip_document.h"
#include "controller/view/json.h"

namespace linkmeter {

[[nodiscard]] Json document_json(const SlipDocument& slip);
// nullopt: not a slip document.
[[nodiscard]] std::optional<SlipDocument> document_of(const Json& json);

}  // namespace linkmeter
