// Whole numbers from external input: decimal digits only, up to a maximum.
#include "meters/values/number.h"

#include <doctest/doctest.h>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/malformed_numbers.h"

namespace linkmeter::number_test {
TEST_CASE("a number is decimal digits, and leading zeros do not make it octal") {
  CHECK_EQ(parse_number("0"), 0);
  CHECK_EQ(parse_number("000012"), 12);
  CHECK_EQ(parse_number("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const std::string& text : malformed_numbers) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text).has_value());
  }
  CHECK_FALSE(parse_number(std::string("1\0", 2)).has_value());
}

TEST_CASE("a number has an upper bound") {
  for (const std::uint64_t most : std::vector<std::uint64_t>{0, 5, 9, 10, 99, 65'535}) {
    CAPTURE(most);
    CHECK_EQ(parse_number(std::to_string(most), most), most);
    CHECK_FALSE(parse_number(std::to_string(most + 1), most).has_value());
    CHECK_FALSE(parse_number(std::to_string(most * 10 + 9), most).has_value());
  }
}

}  // namespace linkmeter::number_test
