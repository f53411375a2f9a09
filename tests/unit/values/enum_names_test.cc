#include "meters/values/enum_names.h"

#include <doctest/doctest.h>
#include <cstdint>

namespace linkmeter::enum_names_test {
namespace {

enum class Fruit : std::uint8_t { apple = 1, pear = 2, plum = 3 };

constexpr EnumNames<Fruit::apple, Fruit::plum> names{"apple", "pear", "plum"};

}  // namespace

TEST_CASE("each value has its name, and each name its value") {
  CHECK_EQ(names.of(Fruit::apple), "apple");
  CHECK_EQ(names.of(Fruit::plum), "plum");
  CHECK_EQ(names.parse("apple"), Fruit::apple);
  CHECK_EQ(names.parse("plum"), Fruit::plum);
}

TEST_CASE("a number outside the enumeration is unknown, and so is another name") {
  CHECK_EQ(names.of(static_cast<Fruit>(0)), "unknown");
  CHECK_EQ(names.of(static_cast<Fruit>(4)), "unknown");
  CHECK_EQ(names.of(static_cast<Fruit>(255)), "unknown");
  CHECK_FALSE(names.parse("unknown").has_value());
  CHECK_FALSE(names.parse("").has_value());
}

}  // namespace linkmeter::enum_names_test
