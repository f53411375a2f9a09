// The text forms of a moment, all in UTC.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

// "2026-03-01T14:05:09.000123Z".
std::string text(Timestamp moment);
// "2026-03-01T14:05:09Z".
std::string text_seconds(Timestamp moment);
// "2026-03-01 14:05:09 UTC": in sentences.
std::string utc_text(Timestamp moment);

// Parses the output of text(Timestamp). nullopt: any other text.
std::optional<Timestamp> parse_moment(std::string_view text);

}  // namespace linkmeter
