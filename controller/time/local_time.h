// Local time: a moment as people of the house read it: "2026-03-01 09:05:09 EST".
#pragma once

#include <string>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

// In UTC where this system does not know the zone: "2026-03-01 14:05:09 UTC".
[[nodiscard]] std::string local_text(Timestamp moment, std::string_view zone);

}  // namespace linkmeter
