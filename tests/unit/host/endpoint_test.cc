#include "proto/host/endpoint.h"

#include <doctest/doctest.h>
#include <string>

namespace linkmeter::endpoint_test {
namespace {

bool is_good(const std::string& endpoint, EndpointUse use) {
  return endpoint_mistake(endpoint, use).empty();
}

}  // namespace

TEST_CASE("endpoints that are valid for servers and clients") {
  for (const char* endpoint : {"tcp://127.0.0.1:6057", "tcp://meters.casino.example:1",
                               "tcp://[::1]:65535", "ipc://in", "ipc:///run/linkmeter/in"}) {
    CAPTURE(endpoint);
    CHECK(is_good(endpoint, EndpointUse::connect));
    CHECK(is_good(endpoint, EndpointUse::listen));
  }
}

TEST_CASE("only a listener may leave the interface or the port open") {
  for (const char* endpoint : {"tcp://*:6057", "tcp://127.0.0.1:*", "tcp://*:*"}) {
    CAPTURE(endpoint);
    CHECK_FALSE(is_good(endpoint, EndpointUse::connect));
    CHECK(is_good(endpoint, EndpointUse::listen));
  }
}

TEST_CASE("malformed endpoints") {
  for (const char* endpoint :
       {"", "7001", "tcp://", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://:6057", "tcp://a:0",
        "tcp://a:65536", "tcp://a:-1", "tcp://a:+1", "tcp://a:6057x", "tcp://a:99999999999",
        "tcp://a/b:6057", "tcp://a b:6057", "tcp://a:6057 ", "udp://a:6057", "TCP://a:6057",
        "ipc://", "inproc://in"}) {
    CAPTURE(endpoint);
    CHECK_FALSE(is_good(endpoint, EndpointUse::connect));
    CHECK_FALSE(is_good(endpoint, EndpointUse::listen));
  }
  CHECK(endpoint_mistake("7001", EndpointUse::listen) ==
        "is \"7001\"; an endpoint is tcp://HOST:PORT or ipc://PATH");
}

TEST_CASE("a list of endpoints is bounded and names each once") {
  CHECK(endpoint_list_mistake({}, 2).empty());
  CHECK(endpoint_list_mistake({"tcp://a:1", "tcp://a:2"}, 2).empty());
  CHECK(endpoint_list_mistake({"tcp://a:1", "tcp://a:2", "tcp://a:3"}, 2) ==
        "has 3 endpoints; at most 2 are allowed");
  CHECK(endpoint_list_mistake({"tcp://a:1", "tcp://a:2", "tcp://a:1"}, 3) ==
        "has \"tcp://a:1\" twice; each endpoint is named once");
}

TEST_CASE("a path must fit a Unix socket's name, 108 bytes with its closing zero") {
  CHECK(is_good("ipc://" + std::string(107, 'a'), EndpointUse::listen));
  CHECK_FALSE(is_good("ipc://" + std::string(108, 'a'), EndpointUse::listen));
}

TEST_CASE("a host name is told from an address") {
  for (const char* name : {"tcp://a:6057", "tcp://house.example:1", "tcp://10.0.0:1",
                           "tcp://10.0.0.1.2:1", "tcp://[::1:1", "tcp://[]:1", "tcp://1:2"}) {
    CAPTURE(name);
    CHECK(has_host_name(name));
  }
  for (const char* address : {"tcp://10.0.0.5:6057", "tcp://[::1]:1", "tcp://[fe80::1]:6057",
                              "ipc:///run/linkmeter/a", "ipc://name", "", "a:1"}) {
    CAPTURE(address);
    CHECK_FALSE(has_host_name(address));
  }
}

}  // namespace linkmeter::endpoint_test
