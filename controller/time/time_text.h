// The text form of a moment: "2026-03-01T14:05:09.000123Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

std::string text(Timestamp moment);

// Parses the output of text(Timestamp). nullopt: any other text.
std::optional<Timestamp> parse_moment(std::string_view text);

}  // namespace linkmeter
