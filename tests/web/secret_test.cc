#include "proto/host/secret.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace linkmeter::secret_test {

using Json = nlohmann::json;

TEST_CASE("a secret is overwritten in memory, not only freed") {
  std::string secret = "1234";
  const char* const place = secret.data();
  forget(secret);
  CHECK(secret.empty());
  for (int at = 0; at < 4; ++at) CHECK_EQ(place[at], '\0');
}

TEST_CASE("all texts of a body are overwritten; other values stay") {
  Json body = {{"badge", "F-1"}, {"pin", "1234"}, {"claim", 7}, {"seen", {{"pin", "kept"}}}};
  { const SecretBody<Json> secret(body); }
  CHECK_EQ(body.at("badge"), "");
  CHECK_EQ(body.at("pin"), "");
  CHECK_EQ(body.at("claim"), 7);
}

TEST_CASE("a body that is not an object is left unchanged") {
  for (const char* text : {"[\"1234\"]", "\"1234\"", "null", "5"}) {
    Json body = Json::parse(text);
    const Json before = body;
    { const SecretBody<Json> secret(body); }
    CHECK_EQ(body, before);
  }
}

}  // namespace linkmeter::secret_test
