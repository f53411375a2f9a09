#include "meters/values/identity.h"

#include "meters/values/limits.h"

#include <doctest/doctest.h>

namespace linkmeter::identity_test {

TEST_CASE("a name has 1 to 64 letters, digits or . _ : / + -") {
  for (const char* text : {"a", "C4-01", "crazy-4/five-card", "r1", "h30000", "a.b_c:d/e+f-g"}) {
    CAPTURE(text);
    CHECK(is_well_formed_name(text));
  }
  CHECK(is_well_formed_name(std::string(limits::name_length_max, 'x')));
  CHECK_FALSE(is_well_formed_name(std::string(limits::name_length_max + 1, 'x')));
  for (const char* text : {"", " ", "a b", "a\n", "\"", "a;b", "\xC3\xA9", "a\\b", "<b>", "a,b"}) {
    CAPTURE(text);
    CHECK_FALSE(is_well_formed_name(text));
  }
  CHECK_FALSE(is_well_formed_name(std::string_view("a\0b", 3)));
}

}  // namespace linkmeter::identity_test
