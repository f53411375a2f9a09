#include "proto/http/request_target.h"

#include <doctest/doctest.h>

namespace linkmeter::request_target_test {

TEST_CASE("a target is a path and its query") {
  const auto target = parse_request_target("/signs?link=A%2FB&link=C+D&turn=&x&=y&&%C3%A9=%c3%a9");
  REQUIRE(target.has_value());
  CHECK_EQ(target->path, "/signs");
  const std::multimap<std::string, std::string> query = {
      {"link", "A/B"}, {"link", "C D"}, {"turn", ""}, {"x", ""}, {"", "y"}, {"é", "é"}};
  CHECK((target->query == query));
  CHECK_EQ(parse_request_target("/a+b")->path, "/a+b");
  CHECK_EQ(parse_request_target("/sign/C4%2dMEGA")->path, "/sign/C4-MEGA");
  CHECK_EQ(parse_request_target("/?")->path, "/");
}

TEST_CASE("a malformed target is rejected") {
  for (const char* text : {"", "a", "*", "http://a/", "/%", "/%2", "/%2g", "/%g2", "/a%00",
                           "/a%0d%0a", "/a?b=%", "/a?%7f=b", "/a\tb"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_request_target(text).has_value());
  }
}

TEST_CASE("of two cookies with one name the first counts") {
  const std::map<std::string, std::string> cookies = {{"a", "1"}, {"b", "2=3"}, {"c", ""}};
  CHECK((parse_cookies(" a=1; b=2=3;;=x; a=4 ;c") == cookies));
  CHECK((parse_cookies("\ta\t=\t1\t; b= 2=3 ;c= \t; =x; \t") == cookies));
  CHECK(parse_cookies("").empty());
}

}  // namespace linkmeter::request_target_test
