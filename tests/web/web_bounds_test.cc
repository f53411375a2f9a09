// What one client may take of the server, and what becomes of one who takes his time.
#include <sys/socket.h>

#include <memory>
#include <vector>

#include "meters/edge/web_server.h"
#include "tests/web/raw_client.h"

#include <doctest/doctest.h>

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

WebReply answer(const WebRequest& request, WebTicket) {
  if (request.path == "/stream") return WebStream{{"a"}};
  return WebResponse{};
}

// Asks until the server has noticed what it was told.
template <class Condition>
void wait_until(const WebServer& server, const Condition& condition) {
  RawClient client(server.url());
  for (int asked = 0; !condition(server.counts()); ++asked) {
    REQUIRE_LT(asked, 100'000);
    client.ask(get("/"));
  }
}

}  // namespace

TEST_CASE("headers that do not come in time cost the connection, however slowly they drip") {
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

TEST_CASE("a body that does not come in time costs the connection") {
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

TEST_CASE("a connection that asks nothing more is closed") {
  WebServer::Setup setup = local_setup();
  setup.bounds.idle_max = milliseconds(100);
  const WebServer server(setup, answer);
  RawClient client(server.url());
  CHECK_EQ(status_of(client.ask(get("/"))), 200);
  CHECK_EQ(client.read_all(), "");
  CHECK_EQ(server.counts().cut.at("next request"), 1);
}

TEST_CASE("a stream is not cut for being quiet") {
  WebServer::Setup setup = local_setup();
  setup.bounds.headers_within = milliseconds(100);
  setup.bounds.request_within = milliseconds(150);
  setup.bounds.idle_max = milliseconds(100);
  setup.bounds.heartbeat = milliseconds(50);
  const WebServer server(setup, answer);
  RawClient client(server.url());
  client.send(get("/stream"));
  // A second of beats, several times as long as anything else may take.
  for (int beats = 0; beats < 10; ++beats) {
    REQUIRE(client.read_until(":\n\n").ends_with(":\n\n"));
  }
}

TEST_CASE("connections are limited in all; one that ends makes room") {
  WebServer::Setup setup = local_setup();
  setup.bounds.connections_max = 5;
  const WebServer server(setup, answer);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int at = 0; at < 5; ++at) {
    clients.push_back(std::make_unique<RawClient>(server.url()));
    REQUIRE_EQ(status_of(clients.back()->ask(get("/"))), 200);
  }
  RawClient sixth(server.url());
  sixth.send(get("/"));
  CHECK_EQ(sixth.read_all(), "");
  CHECK_EQ(server.counts().refused.at("connections"), 1);
  CHECK_EQ(status_of(clients[3]->ask(get("/"))), 200);  // the others go on
  clients[0].reset();
  bool has_room = false;
  for (int tried = 0; tried < 10'000 && !has_room; ++tried) {
    RawClient client(server.url());
    has_room = status_of(client.ask(get("/"))) == 200;
  }
  CHECK(has_room);
}

TEST_CASE("connections of one address are limited, but not of this machine") {
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

TEST_CASE("streams are limited apart; who comes too late is told to come again") {
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

TEST_CASE("a response that nobody reads costs the connection") {
  WebServer::Setup setup = local_setup();
  setup.bounds.sending_max = milliseconds(150);
  const WebServer server(setup, [](const WebRequest& request, WebTicket) -> WebReply {
    WebResponse response;
    if (request.path == "/big") response.body.assign(std::size_t{64} << 20U, 'x');
    return response;
  });
  RawClient client(server.url(), "127.0.0.1", 4'096);
  client.send(get("/big"));
  wait_until(server, [](const auto& counts) { return counts.cut.contains("reading"); });
}

}  // namespace linkmeter
