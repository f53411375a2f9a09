// Local time: a moment as displayed to people: "2026-03-01 09:05:09 EST".
#pragma once

#include <string>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

// Uses UTC if this system does not know the zone: "2026-03-01 14:05:09 UTC".
[[nodiscard]] std::string local_text(Timestamp moment, std::string_view zone);

}  // namespace linkmeter
