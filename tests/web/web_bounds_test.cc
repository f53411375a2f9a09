// How much of the server one client may use, and what happens to a slow client.
#include <doctest/doctest.h>
#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proto/host/certificate.h"
#include "proto/host/sha256.h"
#include "proto/http/server.h"
#include "tests/web/raw_client.h"

namespace linkmeter::web_bounds_test {
namespace {

using std::chrono::milliseconds;

WebReply answer(const WebRequest& request, RequestId) {
  if (request.path == "/stream") return WebStream{{"a"}};
  return WebResponse{};
}

// Checks repeatedly until the server has noticed the change.
template <class Condition>
void wait_until(const WebServer& server, const Condition& condition) {
  RawClient client(server.url());
  for (int asked = 0; !condition(server.counts()); ++asked) {
    REQUIRE_LT(asked, 100'000);
    client.ask(get("/"));
  }
}

}  // namespace

TEST_CASE("headers that do not arrive in time close the connection, however slowly they drip") {
  WebServer::Setup setup = local_setup();
  setup.bounds.headers_within = milliseconds(150);
  setup.bounds.request_within = milliseconds(300);
  const WebServer server(setup, answer);
  RawClient silent(server.url()), dripping(server.url());
  CHECK_EQ(silent.read_all(), "");
  dripping.send("GET / HTTP/1.1\r\nHost: a\r\n");
  int lines = 0;
  while (dripping.send("X-" + std::to_string(lines) + ": a\r\n") && lines < 10'000'000) ++lines;
  CHECK_LT(lines, 10'000'000);
  wait_until(server, [](const auto& counts) { return counts.cut.contains("headers"); });
}

TEST_CASE("a body that does not arrive in time closes the connection") {
  WebServer::Setup setup = local_setup();
  setup.bounds.headers_within = milliseconds(150);
  setup.bounds.request_within = milliseconds(300);
  const WebServer server(setup, answer);
  RawClient client(server.url());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");
  CHECK_EQ(client.read_all(), "");
  CHECK_EQ(server.counts().cut.at("request"), 1);
  CHECK(server.counts().responses.empty());
}

TEST_CASE("an idle connection is closed") {
  WebServer::Setup setup = local_setup();
  setup.bounds.idle_max = milliseconds(100);
  const WebServer server(setup, answer);
  RawClient client(server.url()), stream(server.url());
  stream.send(get("/stream"));
  REQUIRE(stream.read_until("retry: 1000\n\n").ends_with("\n\n"));
  CHECK_EQ(status_of(client.ask(get("/"))), 200);
  CHECK_EQ(client.read_all(), "");
  CHECK_EQ(server.counts().cut.at("next request"), 1);
  CHECK_EQ(server.counts().streams, 1);  // its first heartbeat is not due yet
}

TEST_CASE("a quiet stream is not closed") {
  WebServer::Setup setup = local_setup();
  setup.bounds.headers_within = milliseconds(100);
  setup.bounds.request_within = milliseconds(150);
  setup.bounds.idle_max = milliseconds(100);
  setup.bounds.heartbeat = milliseconds(50);
  const WebServer server(setup, answer);
  RawClient client(server.url());
  client.send(get("/stream"));
  // A second of heartbeats, several times longer than the other limits.
  for (int beats = 0; beats < 10; ++beats) {
    REQUIRE(client.read_until(":\n\n").ends_with(":\n\n"));
  }
}

TEST_CASE("when full, idle connections are closed for newcomers, the longest idle first") {
  WebServer::Setup setup = local_setup();
  setup.bounds.connections_max = 2;
  const WebServer server(setup, answer);
  RawClient stream(server.url()), idle(server.url());
  stream.send(get("/stream"));
  REQUIRE(stream.read_until("retry: 1000\n\n").ends_with("\n\n"));
  REQUIRE_EQ(status_of(idle.ask(get("/"))), 200);
  // The server marks the connection as idle a moment after the client has the response.
  int status = 0;
  for (int tries = 0; status == 0 && tries < 10'000; ++tries) {
    status = status_of(RawClient(server.url()).ask(get("/")));
  }
  CHECK_EQ(status, 200);
  CHECK_EQ(idle.read_all(), "");
  CHECK_EQ(server.counts().cut.at("room"), 1);
  CHECK_EQ(server.counts().streams, 1);
}

TEST_CASE("connections without a request, and half-open TLS ones, do not keep a sign out") {
  for (const bool secure : {false, true}) {
    CAPTURE(secure);
    WebServer::Setup setup = local_setup();
    if (secure) {
      setup.address = *WebAddress::parse("https://127.0.0.1:0");
      setup.certificate = make_certificate({"127.0.0.1"});
    }
    setup.bounds.connections_max = 4;
    setup.bounds.headers_within = std::chrono::minutes(10);  // nothing else ends them
    const WebServer server(setup, answer);
    std::vector<std::unique_ptr<RawClient>> silent;
    for (int at = 0; at < 12; ++at) {
      silent.push_back(std::make_unique<RawClient>(server.url()));
      // Only the header of a TLS record: the handshake has begun.
      if (secure) silent.back()->send(std::string_view("\x16\x03\x01\x02\x00", 5));
    }
    // The oldest were closed for the newest.
    for (std::size_t at = 0; at < 8; ++at) CHECK_EQ(silent[at]->read_all(), "");
    if (!secure) CHECK_EQ(status_of(RawClient(server.url()).ask(get("/"))), 200);
    CHECK_GE(server.counts().cut.at("room"), 8);
    CHECK_EQ(server.counts().refused.count("connections"), 0);
  }
}

TEST_CASE("a handshake that is not finished in time closes the connection") {
  WebServer::Setup setup{*WebAddress::parse("https://127.0.0.1:0"),
                         make_certificate({"127.0.0.1"})};
  setup.bounds.headers_within = milliseconds(150);
  const WebServer server(setup, answer);
  RawClient silent(server.url()), begun(server.url());
  begun.send(std::string_view("\x16\x03\x01\x02\x00", 5));
  CHECK_EQ(silent.read_all(), "");
  CHECK_EQ(begun.read_all(), "");
}

TEST_CASE("the total number of connections is limited; one that ends makes room") {
  WebServer::Setup setup = local_setup();
  setup.bounds.connections_max = 5;
  setup.bounds.heartbeat = milliseconds(20);  // finds closed connections
  const WebServer server(setup, answer);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int at = 0; at < 5; ++at) {
    clients.push_back(std::make_unique<RawClient>(server.url()));
    clients.back()->send(get("/stream"));
    REQUIRE(clients.back()->read_until("retry: 1000\n\n").ends_with("\n\n"));
  }
  RawClient sixth(server.url());
  sixth.send(get("/"));
  CHECK_EQ(sixth.read_all(), "");
  CHECK_EQ(server.counts().refused.at("connections"), 1);
  clients[0].reset();
  bool has_room = false;
  for (int tried = 0; tried < 100'000 && !has_room; ++tried) {
    RawClient client(server.url());
    has_room = status_of(client.ask(get("/"))) == 200;
  }
  CHECK(has_room);
}

TEST_CASE("connections of one address are limited, except those of this machine") {
  WebServer::Setup setup = local_setup();
  setup.bounds.connections_per_address_max = 3;
  const WebServer server(setup, answer);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int at = 0; at < 10; ++at) {
    clients.push_back(std::make_unique<RawClient>(server.url()));
    REQUIRE_EQ(status_of(clients.back()->ask(get("/"))), 200);
  }
  CHECK(server.counts().refused.empty());
}

TEST_CASE("streams have a separate limit; a stream above it is told to come again") {
  WebServer::Setup setup = local_setup();
  setup.bounds.streams_max = 2;
  WebServer server(setup, answer);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int at = 0; at < 2; ++at) {
    clients.push_back(std::make_unique<RawClient>(server.url()));
    clients.back()->send(get("/stream"));
    REQUIRE(clients.back()->read_until("retry: 1000\n\n").ends_with("\n\n"));
  }
  RawClient third(server.url());
  const std::string refused = third.ask(get("/stream"));
  CHECK_EQ(status_of(refused), 503);
  CHECK_EQ(header_of(refused, "Retry-After"), "5");
  CHECK_EQ(status_of(third.ask(get("/"))), 200);
  CHECK_EQ(server.counts().refused.at("streams"), 1);
  CHECK_EQ(server.counts().streams, 2);
}

TEST_CASE("an address that has all streams loses its oldest to a newcomer from another address") {
  WebServer::Setup setup = local_setup();
  setup.bounds.spares_loopback = false;  // each address of this machine counts as a separate client
  setup.bounds.streams_max = 6;
  WebServer server(setup, answer);
  const auto opened = [&](const std::string& address) {
    auto client = std::make_unique<RawClient>(server.url(), address);
    client->send(get("/stream"));
    REQUIRE_EQ(status_of(client->read_until("\r\n\r\n")), 200);
    return client;
  };
  std::vector<std::unique_ptr<RawClient>> many;
  for (int at = 0; at < 6; ++at) many.push_back(opened("127.0.0.2"));
  const auto first = opened("127.0.0.3");
  const auto second = opened("127.0.0.4");
  for (std::size_t at = 0; at < 2; ++at) many[at]->read_all();  // they end
  wait_until(server, [](const auto& counts) { return counts.streams == 6; });
  CHECK_EQ(status_of(RawClient(server.url(), "127.0.0.2").ask(get("/stream"))), 503);
  server.publish("a", "meter", "1");
  for (RawClient* open : {many[2].get(), many[5].get(), first.get(), second.get()}) {
    CHECK_NE(open->read_until("data: 1\n\n").find("data: 1"), std::string::npos);
  }
}

TEST_CASE("streams of this machine count as one address, by whatever name") {
  WebServer::Setup setup = local_setup();
  setup.bounds.streams_max = 4;
  const WebServer server(setup, answer);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int at = 0; at < 4; ++at) {
    clients.push_back(
        std::make_unique<RawClient>(server.url(), "127.0.1." + std::to_string(at / 2 + 1)));
    clients.back()->send(get("/stream"));
    REQUIRE_EQ(status_of(clients.back()->read_until("\r\n\r\n")), 200);
  }
  CHECK_EQ(status_of(RawClient(server.url(), "127.0.2.1").ask(get("/stream"))), 503);
  CHECK_EQ(server.counts().streams, 4);
}

TEST_CASE("too many requests are told when to come again; signed-in people there are not delayed") {
  WebServer::Setup setup = local_setup();
  setup.bounds.spares_loopback = false;
  setup.bounds.requests_per_second = 1;
  setup.bounds.requests_burst = 3;
  setup.session_cookie = "linkmeter";
  WebServer server(setup, answer);
  server.know({{sha256("secret")}, {"127.0.0.1"}});
  std::string refused;
  for (int at = 0; at < 4; ++at) refused = RawClient(server.url()).ask(get("/"));
  CHECK_EQ(status_of(refused), 429);
  CHECK_EQ(header_of(refused, "Retry-After"), "1");
  CHECK_NE(body_of(refused).find("too_many_requests"), std::string::npos);
  const auto with = [&server](const std::string& cookie) {
    return status_of(RawClient(server.url()).ask(get("/", "Cookie: linkmeter=" + cookie + "\r\n")));
  };
  CHECK_EQ(with("secret"), 200);
  CHECK_EQ(with("forged"), 429);
  CHECK_EQ(status_of(RawClient(server.url(), "127.0.0.2").ask(get("/"))), 200);
  CHECK_EQ(server.counts().refused.at("requests"), 2);
  server.know({});
  CHECK_EQ(with("secret"), 429);
}

TEST_CASE(
    "too frequent connections are refused before a request; those of signed-in people are not") {
  WebServer::Setup setup = local_setup();
  setup.bounds.spares_loopback = false;
  setup.bounds.requests_per_second = 1;
  setup.bounds.requests_burst = 3;
  WebServer server(setup, answer);
  server.know({{}, {"127.0.0.3"}});
  std::vector<std::unique_ptr<RawClient>> clients;
  const auto connect = [&](const std::string& address) {
    clients.push_back(std::make_unique<RawClient>(server.url(), address));
  };
  for (int at = 0; at < 4; ++at) connect("127.0.0.1");
  CHECK_EQ(clients.back()->read_all(), "");
  CHECK_EQ(server.counts().refused.at("connections_in_haste"), 1);
  for (int at = 0; at < 5; ++at) connect("127.0.0.3");
  CHECK_EQ(status_of(clients.back()->ask(get("/"))), 200);
  CHECK_EQ(status_of(RawClient(server.url(), "127.0.0.2").ask(get("/"))), 200);
  CHECK_EQ(server.counts().refused.at("connections_in_haste"), 1);
}

TEST_CASE("signs never take the last streams of signed-in people") {
  WebServer::Setup setup = local_setup();
  setup.bounds.streams_max = 1;
  setup.bounds.streams_kept = 1;
  setup.session_cookie = "linkmeter";
  WebServer server(setup, answer);
  server.know({{sha256("secret")}, {}});
  RawClient sign(server.url()), other(server.url()), person(server.url());
  sign.send(get("/stream"));
  REQUIRE(sign.read_until("retry: 1000\n\n").ends_with("\n\n"));
  CHECK_EQ(status_of(other.ask(get("/stream"))), 503);
  person.send(get("/stream", "Cookie: linkmeter=secret\r\n"));
  CHECK(person.read_until("retry: 1000\n\n").ends_with("retry: 1000\n\n"));
  CHECK_EQ(server.counts().streams, 2);
}

TEST_CASE("an act without an answer is \"outcome unknown\" and is not begun any more") {
  WebServer::Setup setup = local_setup();
  setup.bounds.answer_within = milliseconds(50);
  std::atomic<std::uint64_t> ticket = 0;
  WebServer server(setup, [&ticket](const WebRequest&, RequestId asked) {
    ticket = asked.value;
    return Deferred{};
  });
  const std::string answered = RawClient(server.url()).ask(post("/", "{}"));
  CHECK_EQ(status_of(answered), 503);
  CHECK_NE(body_of(answered).find("outcome_unknown"), std::string::npos);
  CHECK(server.is_abandoned({ticket}));
  CHECK_FALSE(server.is_abandoned({ticket + 1}));
}

TEST_CASE("a response that is not read closes the connection") {
  WebServer::Setup setup = local_setup();
  setup.bounds.sending_max = milliseconds(150);
  const WebServer server(setup, [](const WebRequest& request, RequestId) -> WebReply {
    WebResponse response;
    if (request.path == "/big") response.body.assign(std::size_t{64} << 20U, 'x');
    return response;
  });
  RawClient client(server.url(), "127.0.0.1", 4'096);
  client.send(get("/big"));
  wait_until(server, [](const auto& counts) { return counts.cut.contains("reading"); });
}

}  // namespace linkmeter::web_bounds_test
