#include "proto/host/web_address.h"

#include <doctest/doctest.h>

namespace linkmeter::web_address_test {

TEST_CASE("an address is parsed and printed the same") {
  for (const char* text : {"http://127.0.0.1:6059", "http://localhost:0", "http://[::1]:80",
                           "https://0.0.0.0:443", "https://house.example:8443", "https://*:0",
                           "https://[fd00::1]:1", "none", "https://House-1.ex_ample:8443"}) {
    CAPTURE(text);
    const auto address = WebAddress::parse(text);
    REQUIRE(address.has_value());
    CHECK_EQ(address->text(), text);
    CHECK_EQ(web_address_mistake(text), "");
  }
  CHECK_EQ(WebAddress::parse("http://127.0.0.1:1/")->text(), "http://127.0.0.1:1");
}

TEST_CASE("an address beyond this machine needs https") {
  for (const char* text : {"http://0.0.0.0:80", "http://10.0.0.1:80", "http://*:80",
                           "http://house.example:80", "http://[::]:80", "http://128.0.0.1:80",
                           "http://localhost.evil:80", "http://127.evil:80"}) {
    CAPTURE(text);
    CHECK_NE(web_address_mistake(text).find("beyond loopback only https"), std::string::npos);
    CHECK_FALSE(WebAddress::parse(text).has_value());
  }
}

TEST_CASE("a malformed address is rejected with a reason") {
  for (const char* text : {"",
                           "6059",
                           "127.0.0.1:6059",
                           "tcp://127.0.0.1:6059",
                           "http://",
                           "http://127.0.0.1",
                           "http://127.0.0.1:",
                           "http://127.0.0.1:65536",
                           "http://127.0.0.1:-1",
                           "http://127.0.0.1:1/path",
                           "https://:1",
                           "https://a b:1",
                           "https://[127.0.0.1]:1",
                           "https://[::1]",
                           "None",
                           "https://a/b:1",
                           "https://a\n:1",
                           "https://-a:1",
                           "https://a~b:1",
                           "https://a[b:1",
                           "https://a:b:1"}) {
    CAPTURE(text);
    CHECK_FALSE(WebAddress::parse(text).has_value());
    CHECK(web_address_mistake(text).starts_with("is \""));
  }
  const auto named = [](std::size_t bytes) {
    return WebAddress::parse("https://" + std::string(bytes, 'a') + ":1").has_value();
  };
  CHECK(named(253));
  CHECK_FALSE(named(254));
}

}  // namespace linkmeter::web_address_test
