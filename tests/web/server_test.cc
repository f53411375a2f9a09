// Requests and their responses: valid requests, and every kind of invalid one.
#include "proto/http/server.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "proto/host/fault.h"
#include "tests/support/capture_binding.h"
#include "tests/web/raw_client.h"

namespace linkmeter::server_test {
namespace {

// Answers with the request itself.
WebReply echo(const WebRequest& request, RequestId) {
  WebResponse response;
  response.type = "text/plain";
  response.body = request.method + "|" + request.path + "|";
  for (const auto& [name, value] : request.query) response.body += name + "=" + value + ";";
  response.body += "|" + request.body + "|" + request.peer;
  if (request.path == "/throws") throw std::runtime_error("secret words");
  return response;
}

using namespace std::string_literals;

const std::vector<std::pair<std::string, int>> wrong = {
    {"GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /a%0ab HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET http://evil/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\n\r\n", 400},  // no Host
    {"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 405},
    {"DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", 405},
    {"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405},
    {"OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", 405},
    {"get / HTTP/1.1\r\nHost: a\r\n\r\n", 405},
    {"POST / HTTP/1.1\r\nHost: a\r\n\r\n", 411},
    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 411},
    {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\na", 400},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n", 413},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n", 413},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\nExpect: 100-continue\r\n\r\n",
     413},
    {"GET /" + std::string(3'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n", 414},
    {"GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(9'000, 'a') + "\r\n\r\n", 431},
    {"GET / HTTP/1.1\r\nHost: a\r\nX: a\x01"
     "b\r\n\r\n",
     400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX: a\x7f\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX\x01: a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX-A : a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX A: a\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n"s, 400},
    {"GET / HTTP/1.1\r\nHost: a\r\nX-A: a\0\r\n\r\n"s, 400},
    {"GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n"s, 400},
};

}  // namespace

TEST_CASE("a request reaches the handler decoded, and its answer goes back") {
  const WebServer server(local_setup(), echo);
  CHECK(server.url().starts_with("http://127.0.0.1:"));
  CHECK_NE(port_of(server.url()), 0);
  RawClient client(server.url());
  CHECK_EQ(body_of(client.ask(get("/sign/C4%2DMEGA?link=A&link=B+C&turn"))),
           "GET|/sign/C4-MEGA|link=A;link=B C;turn=;||127.0.0.1");
  // The connection stays open.
  CHECK_EQ(body_of(client.ask(post("/api/x", "{\"a\":1}"))), "POST|/api/x||{\"a\":1}|127.0.0.1");
  const std::string big(65'536, 'b');
  CHECK_EQ(body_of(client.ask(post("/", big))), "POST|/||" + big + "|127.0.0.1");
  const auto counts = server.counts();
  CHECK_EQ(counts.connections, 1);
  CHECK_EQ(counts.responses.at(200), 3);
}

TEST_CASE("a Host with a space before its colon, and a zero byte in a name, are refused too") {
  const WebServer server(local_setup(), echo);
  for (const std::string& asked :
       {"GET / HTTP/1.1\r\nHost : a\r\n\r\n"s, "GET / HTTP/1.1\r\nHost: a\r\nX\0A: a\r\n\r\n"s}) {
    RawClient client(server.url());
    client.send(asked);
    CHECK_EQ(status_of(client.read_all()), 400);  // by libmicrohttpd itself
  }
}

TEST_CASE("header lines NAME: VALUE of any length are accepted, with or without a space") {
  const WebServer server(local_setup(), echo);
  RawClient client(server.url());
  for (std::size_t length = 0; length < 8'000; length += 487) {
    CAPTURE(length);
    const std::string value(length, 'v');
    const std::string head = "GET /path?a=b HTTP/1.1\r\nHost:a\r\nX-A: b c, d\r\nEmpty:\r\nX-V: ";
    CHECK_EQ(status_of(client.ask(head + value + "\r\n\r\n")), 200);
  }
}

TEST_CASE("HEAD is answered as GET, without the body") {
  const WebServer server(local_setup(), echo);
  RawClient client(server.url());
  client.send("HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answer = client.read_all();
  CHECK_EQ(status_of(answer), 200);
  CHECK_EQ(header_of(answer, "Content-Length"), std::to_string(sizeof "GET|/x|||127.0.0.1" - 1));
  CHECK_EQ(body_of(answer), "");
}

TEST_CASE("every response has the headers that bind a browser, refusals too") {
  const WebServer server(local_setup(), echo);
  for (const std::string& asked : {get("/"), get("/a%zz"), post("/throws", "")}) {
    RawClient client(server.url());
    const std::string answer = client.ask(asked);
    CHECK(header_of(answer, "Content-Security-Policy").starts_with("default-src 'none'; script"));
    CHECK_EQ(header_of(answer, "X-Content-Type-Options"), "nosniff");
    CHECK_EQ(header_of(answer, "Referrer-Policy"), "no-referrer");
    CHECK_EQ(header_of(answer, "Cache-Control"), "no-store");
    CHECK_EQ(header_of(answer, "Cross-Origin-Opener-Policy"), "same-origin");
    CHECK_EQ(header_of(answer, "Strict-Transport-Security"), "");  // plain HTTP
    CHECK_EQ(header_of(answer, "Server"), "");
  }
}

TEST_CASE("a header set by the handler is sent as it is") {
  const WebServer server(local_setup(), [](const WebRequest&, RequestId) -> WebReply {
    WebResponse response;
    response.headers = {
        {"cache-control", "no-cache"}, {"ETag", "\"1\""}, {"X", "a\r\nSet-Cookie: b"}};
    return response;
  });
  RawClient client(server.url());
  const std::string answer = client.ask(get("/"));
  CHECK_EQ(header_of(answer, "Cache-Control"), "no-cache");
  CHECK_EQ(header_of(answer, "ETag"), "\"1\"");
  CHECK_EQ(header_of(answer, "Set-Cookie"), "");  // a header cannot be injected
}

TEST_CASE("headers that may repeat are joined, and may contain a tab or nothing") {
  const WebServer server(local_setup(), [](const WebRequest& request, RequestId) -> WebReply {
    WebResponse response;
    response.body = request.header("x") + "|" + request.header("y") + "|";
    for (const auto& [name, value] : request.cookies) response.body += name + "=" + value + ";";
    return response;
  });
  RawClient client(server.url());
  CHECK_EQ(body_of(client.ask(get("/",
                                  "X: one\r\nX: a\tb\r\nY:\r\nCookie: a=1\r\n"
                                  "Cookie: b=2; c=3\r\n"))),
           "one, a\tb||a=1;b=2;c=3;");
}

TEST_CASE("a 304 response has no content type") {
  const WebServer server(local_setup(), [](const WebRequest& request, RequestId) -> WebReply {
    WebResponse response;
    response.status = request.path == "/same" ? 304 : 200;
    return response;
  });
  RawClient client(server.url());
  const std::string same = client.ask(get("/same")), other = client.ask(get("/other"));
  CHECK_EQ(status_of(same), 304);
  CHECK_EQ(header_of(same, "Content-Type"), "");
  CHECK_EQ(status_of(other), 200);
  CHECK_NE(header_of(other, "Content-Type"), "");
}

TEST_CASE("every malformed request is refused by name, and the server continues") {
  const WebServer server(local_setup(), echo);
  for (const auto& [asked, status] : wrong) {
    CAPTURE_BINDING(asked.substr(0, 80));
    RawClient client(server.url());
    const std::string answer = client.ask(asked);
    CHECK_EQ(status_of(answer), status);
    const bool is_ours = asked.find("Host") != std::string::npos &&
                         asked.find("-1\r") == std::string::npos &&
                         // Otherwise libmicrohttpd's own text.
                         asked.find("1x\r") == std::string::npos;
    if (is_ours) CHECK(body_of(answer).starts_with("{\"error\":\""));
  }
  RawClient client(server.url());
  CHECK_EQ(status_of(client.ask(get("/"))), 200);
}

TEST_CASE("bytes that are not HTTP close their sender's connection and affect nobody else") {
  WebServer::Setup setup = local_setup();
  // For some of these it waits for more bytes.
  setup.bounds.headers_within = std::chrono::milliseconds(100);
  const WebServer server(setup, echo);
  const std::vector<std::string> junk = {
      std::string("\x16\x03\x01\x02\x00\x01\x00", 7),  // a TLS handshake
      std::string(100'000, 'a'),
      std::string(64, '\0'),
      "\r\n\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\n" + std::string(80'000, 'h')};
  for (const std::string& bytes : junk) {
    RawClient client(server.url());
    client.send(bytes);
    ::shutdown(client.socket(), SHUT_WR);
    const int status = status_of(client.read_all());
    CHECK((status == 0 || status >= 400));
  }
  RawClient client(server.url());
  CHECK_EQ(status_of(client.ask(get("/"))), 200);
}

TEST_CASE("a body of a gigabyte is refused before it is read") {
  const WebServer server(local_setup(), echo);
  RawClient client(server.url());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n");
  const std::string answer = client.read_response();
  CHECK_EQ(status_of(answer), 413);
  CHECK_EQ(header_of(answer, "Connection"), "close");
  // The server stops reading it, however long it is.
  const std::string block(std::size_t{1} << 20U, 'x');
  int sent = 0;
  while (sent < 64 && client.send(block)) ++sent;
  CHECK_LT(sent, 64);
}

TEST_CASE("a failing handler gives a 500 without details") {
  const WebServer server(local_setup(), echo);
  RawClient client(server.url());
  const std::string answer = client.ask(get("/throws"));
  CHECK_EQ(status_of(answer), 500);
  CHECK_EQ(answer.find("secret"), std::string::npos);
}

TEST_CASE("a late answer reaches its own request, in any order") {
  std::mutex asked_mutex;
  std::vector<std::pair<std::string, RequestId>> asked;
  std::promise<void> all_asked;
  WebServer server(local_setup(), [&](const WebRequest& request, RequestId ticket) -> WebReply {
    const std::lock_guard held(asked_mutex);
    asked.emplace_back(request.path, ticket);
    if (asked.size() == 3) all_asked.set_value();
    return Deferred{};
  });
  RawClient one(server.url()), two(server.url()), three(server.url());
  one.send(get("/one"));
  two.send(get("/two"));
  three.send(get("/three"));
  all_asked.get_future().wait();
  three.reset();  // the client did not wait
  for (auto at = asked.rbegin(); at != asked.rend(); ++at) {
    server.answer(at->second, WebResponse{200, "text/plain", "for " + at->first});
  }
  server.answer(RequestId{999}, {});   // belongs to no request
  server.answer(asked[0].second, {});  // already answered
  CHECK_EQ(body_of(one.read_response()), "for /one");
  CHECK_EQ(body_of(two.read_response()), "for /two");
}

TEST_CASE("a request that is never answered gets a 503") {
  WebServer::Setup setup = local_setup();
  // The deadline is checked in between.
  setup.bounds.answer_within = std::chrono::milliseconds(150);
  const WebServer server(setup, [](const WebRequest&, RequestId) { return Deferred{}; });
  RawClient client(server.url());
  CHECK_EQ(status_of(client.ask(get("/"))), 503);
}

TEST_CASE("a server can stop while a request waits for its answer") {
  std::promise<void> is_asked;
  auto server = std::make_unique<WebServer>(local_setup(), [&](const WebRequest&, RequestId) {
    is_asked.set_value();
    return Deferred{};
  });
  RawClient client(server->url());
  client.send(get("/"));
  is_asked.get_future().wait();
  server.reset();
  const int status = status_of(client.read_all());
  CHECK((status == 503 || status == 0));
}

TEST_CASE("an address in use is reported") {
  const WebServer server(local_setup(), echo);
  WebServer::Setup same = local_setup();
  same.address.port = port_of(server.url());
  CHECK_THROWS_WITH_AS(WebServer(same, echo), doctest::Contains("Address already in use"), Fault);
  WebServer::Setup nowhere = local_setup();
  nowhere.address.secure = true;
  CHECK_THROWS_WITH_AS(WebServer(nowhere, echo), doctest::Contains("certificate"), Fault);
}

}  // namespace linkmeter::server_test
