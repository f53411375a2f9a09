// Head text: the journal's head as text, for people to carry from one program to another:
// "812:5f1c...", the entry's number and the 64 digits of its hash.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proto/codec/wire_codec.h"

namespace linkmeter {

std::string text(const Head& head);
// nullopt: the text is not a head.
std::optional<Head> parse_head(std::string_view text);

}  // namespace linkmeter
