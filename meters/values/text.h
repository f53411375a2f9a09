// Text: what people and tables call something, in any language, as UTF-8. It goes into the journal,
// to terminals and to pages, so what steers a terminal or turns the direction of reading is no
// text: two persons who read a summary must read the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linkmeter {

// UTF-8 of 1 to `length_max` bytes, without control characters, line separators and marks that turn
// the direction of what follows.
bool is_well_formed_text(std::string_view text, std::size_t length_max);

// The same text, each byte or character that may not stand in it replaced by '?', and what is
// beyond `length_max` bytes left out, whole characters only: for words that say what is wrong and
// repeat what somebody else wrote.
std::string made_well_formed(std::string_view text, std::size_t length_max);

// At least so many digits: 7 of two is "07". REQUIRES: number >= 0.
std::string padded(std::int64_t number, std::size_t width);

}  // namespace linkmeter
