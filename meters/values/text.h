// Text: free text of people and tables in any language, as UTF-8. It goes into the journal, to
// terminals and to pages. So characters that control a terminal or change the direction of reading
// are not allowed: two persons who read a summary must see the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linkmeter {

// Whether the text is UTF-8 of 1 to `length_max` bytes without control characters, line separators
// and marks that change the direction of reading.
bool is_well_formed_text(std::string_view text, std::size_t length_max);

// The same text with each byte or character that is not allowed replaced by '?', cut to whole
// characters within `length_max` bytes. For error messages that repeat a text from outside.
std::string sanitize_text(std::string_view text, std::size_t length_max);

// The number with at least `width` digits: 7 with width 2 is "07". REQUIRES: number >= 0.
std::string padded(std::int64_t number, std::size_t width);

}  // namespace linkmeter
