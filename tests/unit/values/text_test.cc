#include "meters/values/text.h"

#include <doctest/doctest.h>
#include <string>

namespace linkmeter::text_test {

TEST_CASE("a text may be in any language, and its length is in bytes") {
  for (const char* text :
       {"till 4", "Caf\u00e9", "\u30ea\u30f3\u30af", "\U0001F0A1 ace", "\u00a0", "\u200d"}) {
    CAPTURE(text);
    CHECK(is_well_formed_text(text, 200));
  }
  CHECK(is_well_formed_text("\u00e9", 2));
  CHECK_FALSE(is_well_formed_text("\u00e9", 1));
  CHECK_FALSE(is_well_formed_text("", 200));
}

TEST_CASE("control and direction characters are not allowed in a text") {
  using namespace std::string_literals;
  for (const std::string& text : {"a\nb"s, "\0"s, "\x1b[2K"s, "\x7f"s, "\u0080"s, "\u009b2K"s,
                                  "\u009f"s, "\u061c"s, "\u200e"s, "\u200f"s, "\u2028"s, "\u2029"s,
                                  "\u202a"s, "\u202e"s, "\u2066"s, "\u2069"s, "\ufeff"s}) {
    CAPTURE(text);
    CHECK_FALSE(is_well_formed_text("x" + text + "y", 200));
    CHECK(sanitize_text("x" + text + "y", 200).find('?') != std::string::npos);
    CHECK(is_well_formed_text(sanitize_text("x" + text + "y", 200), 200));
  }
}

// Unicode 15, table 3-7.
TEST_CASE("bytes that are not UTF-8 are not a text") {
  for (const char* text :
       {"caf\xe9", "\x80", "\xc3", "\xc3(", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xe0\x9f\xbf",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff", "\xe3\x83", "\xf0\x9f\x82"}) {
    CAPTURE(text);
    CHECK_FALSE(is_well_formed_text(text, 200));
    CHECK(is_well_formed_text(sanitize_text(text, 200), 200));
  }
  for (const char* text : {"\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbd"}) {
    CHECK(is_well_formed_text(text, 200));
  }
}

TEST_CASE("a text that is too long is cut after a whole character") {
  CHECK_EQ(sanitize_text("\u30ea\u30f3\u30af", 8), "\u30ea\u30f3");
  CHECK_EQ(sanitize_text("\u30ea\u30f3\u30af", 9), "\u30ea\u30f3\u30af");
  CHECK_EQ(sanitize_text("\u30ea", 2), "");
  CHECK_EQ(sanitize_text("caf\xe9, caf\u00e9", 200), "caf?, caf\u00e9");
}

}  // namespace linkmeter::text_test
