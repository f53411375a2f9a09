// Server-sent events: the latest first, every newer one in order, and a slow reader skips some.
#include <doctest/doctest.h>
#include <atomic>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "proto/http/server.h"
#include "tests/web/raw_client.h"

namespace linkmeter::web_stream_test {
namespace {

// Every path is a topic, and "/a,b" are two; a POST is an ordinary request.
WebReply streams(const WebRequest& request, RequestId) {
  if (request.method == "POST") return WebResponse{};
  WebStream stream;
  std::string topics = request.path.substr(1);
  for (std::size_t end = 0; end != std::string::npos;) {
    end = topics.find(',');
    stream.topics.push_back(topics.substr(0, end));
    if (end != std::string::npos) topics = topics.substr(end + 1);
  }
  return stream;
}

// Waits for the beginning of a stream: its headers, and the retry time for a browser.
void open_stream(RawClient& client, const std::string& path) {
  client.send(get(path));
  const std::string head = client.read_until("retry: 1000\n\n");
  REQUIRE_EQ(status_of(head), 200);
  REQUIRE_EQ(header_of(head, "Content-Type"), "text/event-stream");
  REQUIRE_EQ(header_of(head, "Cache-Control"), "no-store");
}

// The number after "data: ".
int next_number(RawClient& client) {
  const std::string event = client.read_until("\n\n");
  const std::size_t data = event.find("data: ");
  REQUIRE_NE(data, std::string::npos);
  return std::stoi(event.substr(data + 6));
}

}  // namespace

TEST_CASE("a reader gets the latest event at once, then everything newer") {
  WebServer server(local_setup(), streams);
  server.publish("a", "meter", "1", 11);
  server.publish("a", "meter", "2", 12);
  RawClient client(server.url());
  open_stream(client, "/a");
  CHECK_NE(client.read_until("\n\n").find("id: 12\nevent: meter\ndata: 2\n\n"), std::string::npos);
  server.publish("b", "meter", "7", 13);  // not this client's topic
  server.publish("a", "meter", "3", 0);
  const std::string event = client.read_until("\n\n");
  CHECK_NE(event.find("event: meter\ndata: 3\n\n"), std::string::npos);
  CHECK_EQ(event.find("id:"), std::string::npos);
}

TEST_CASE("many readers of several topics get each in order and never an older one") {
  WebServer server(local_setup(), streams);
  constexpr int readers = 20, last = 500;
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int reader = 0; reader < readers; ++reader) {
    clients.push_back(std::make_unique<RawClient>(server.url()));
    open_stream(*clients.back(), reader % 2 == 0 ? "/a,b" : "/b,a");
  }
  std::thread publisher([&server] {
    for (int number = 1; number <= last; ++number) {
      server.publish("a", "meter", std::to_string(number));
      server.publish("b", "meter", std::to_string(number + 1'000'000));
    }
  });
  for (const auto& client : clients) {
    int a = 0, b = 1'000'000;
    while (a < last || b < 1'000'000 + last) {
      int& before = [&]() -> int& {
        const int number = next_number(*client);
        int& of = number < 1'000'000 ? a : b;
        CHECK_GT(number, of);
        of = number;
        return of;
      }();
      static_cast<void>(before);
    }
  }
  publisher.join();
}

TEST_CASE("a slow reader costs the server one event and skips to the latest") {
  WebServer server(local_setup(), streams);
  const std::string padding(8'000, 'x');
  RawClient slow(server.url(), "127.0.0.1", 4'096), quick(server.url());
  open_stream(slow, "/a");
  open_stream(quick, "/a");
  constexpr int last = 3'000;  // 24 MB: far more than two sockets can buffer
  for (int number = 1; number <= last; ++number) {
    server.publish("a", "meter", std::to_string(number) + " " + padding);
    if (number % 10 == 0) {
      // A client that keeps up gets this event before the next one.
      while (next_number(quick) < number) continue;
    }
  }
  int events = 0, number = 0;
  while (number < last) {
    const int next = next_number(slow);
    REQUIRE_GT(next, number);
    number = next;
    ++events;
  }
  CHECK_LT(events, last / 2);
}

TEST_CASE("an event's age is computed when it is sent") {
  WebServer server(local_setup(), streams);
  const std::string data =
      "{\"age_ms\":" + std::string(web_age_mark) + ",\"of\":" + std::string(web_age_mark) + "}";
  const auto before = std::chrono::steady_clock::now();
  server.publish("a", "meter", data);
  // Time passes: as many requests as take 30 ms.
  RawClient other(server.url());
  while (std::chrono::steady_clock::now() < before + std::chrono::milliseconds(30)) {
    other.ask(post("/", ""));
  }
  RawClient client(server.url());
  open_stream(client, "/a");
  const std::string event = client.read_until("\n\n");
  const auto after = std::chrono::steady_clock::now();
  const std::size_t at = event.find("{\"age_ms\":");
  REQUIRE_NE(at, std::string::npos);
  const int age = std::stoi(event.substr(at + 10));
  CHECK_GE(age, 29);
  CHECK_LE(age, std::chrono::ceil<std::chrono::milliseconds>(after - before).count() + 1);
  CHECK_NE(event.find(",\"of\":" + std::to_string(age) + "}"), std::string::npos);
}

TEST_CASE("an idle stream sends heartbeats, and a reader that left is removed") {
  WebServer::Setup setup = local_setup();
  setup.bounds.heartbeat = std::chrono::milliseconds(20);
  WebServer server(setup, streams);
  RawClient stays(server.url());
  open_stream(stays, "/a");
  {
    RawClient goes(server.url());
    open_stream(goes, "/a");
    CHECK_EQ(server.counts().streams, 2);
    goes.reset();
  }
  for (int beats = 0; beats < 5 || server.counts().streams > 1; ++beats) {
    REQUIRE_NE(stays.read_until(":\n\n").find(":\n\n"), std::string::npos);
    REQUIRE_LT(beats, 500);
  }
  CHECK_EQ(server.counts().connections, 1);
  server.publish("a", "meter", "5");
  CHECK_NE(stays.read_until("data: 5\n\n").find("data: 5"), std::string::npos);
}

TEST_CASE("ending a topic's streams leaves others open") {
  WebServer server(local_setup(), streams);
  RawClient ended(server.url()), stays(server.url());
  open_stream(ended, "/a,session");
  open_stream(stays, "/a");
  server.end_streams("session");
  CHECK_NE(ended.read_until("0\r\n\r\n").find("0\r\n\r\n"), std::string::npos);  // the last chunk
  server.publish("a", "meter", "1");
  CHECK_EQ(next_number(stays), 1);
  CHECK_EQ(server.counts().streams, 1);
}

TEST_CASE("a stream whose topic is ended before it has begun does not begin") {
  std::atomic<WebServer*> running = nullptr;
  std::promise<RequestId> asked;
  RequestId first;
  WebServer server(local_setup(), [&](const WebRequest& request, RequestId ticket) -> WebReply {
    if (request.path == "/stream") {
      first = ticket;
      asked.set_value(ticket);
      return Deferred{};
    }
    // On the server's own thread: it handles both calls together.
    running.load()->answer(first, WebStream{{"floor", "session/1"}});
    running.load()->end_streams("session/1");
    return WebResponse{};
  });
  running = &server;
  RawClient reader(server.url()), other(server.url());
  reader.send(get("/stream"));
  asked.get_future().wait();
  other.send(get("/end"));
  CHECK_EQ(status_of(other.read_until("\r\n\r\n")), 200);
  CHECK_EQ(status_of(reader.read_until("\r\n\r\n")), 401);
}

TEST_CASE("a stream that is accepted later begins then") {
  std::promise<RequestId> asked;
  WebServer server(local_setup(), [&](const WebRequest&, RequestId ticket) -> WebReply {
    asked.set_value(ticket);
    return Deferred{};
  });
  RawClient reader(server.url());
  reader.send(get("/"));
  server.answer(asked.get_future().get(), WebStream{{"a"}});
  CHECK_EQ(status_of(reader.read_until("retry: 1000\n\n")), 200);
  server.publish("a", "meter", "1");
  CHECK_EQ(next_number(reader), 1);
}

TEST_CASE("HEAD of a stream returns its headers and opens no stream") {
  const WebServer server(local_setup(), streams);
  RawClient client(server.url());
  client.send("HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answer = client.read_all();
  CHECK_EQ(status_of(answer), 200);
  CHECK_EQ(header_of(answer, "Content-Type"), "text/event-stream");
  CHECK_EQ(body_of(answer), "");
  CHECK_EQ(server.counts().streams, 0);
}

TEST_CASE("a topic named twice is removed with its reader and sent to the next one") {
  WebServer server(local_setup(), streams);
  RawClient reader(server.url()), stays(server.url());
  open_stream(reader, "/b,b,session");
  open_stream(stays, "/a");
  server.end_streams("session");
  CHECK_NE(reader.read_until("0\r\n\r\n").find("0\r\n\r\n"), std::string::npos);
  server.publish("a", "meter", "1");
  CHECK_EQ(next_number(stays), 1);
  CHECK_EQ(server.counts().streams, 1);
  RawClient next(server.url());
  open_stream(next, "/b");
  server.publish("b", "meter", "2");
  CHECK_EQ(next_number(next), 2);
}

TEST_CASE("a server can stop while streams are open, read or not") {
  auto server = std::make_unique<WebServer>(local_setup(), streams);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int reader = 0; reader < 30; ++reader) {
    clients.push_back(std::make_unique<RawClient>(server->url(), "127.0.0.1", 4'096));
    open_stream(*clients.back(), "/a");
  }
  const std::string padding(16'000, 'x');
  for (int number = 0; number < 200; ++number) server->publish("a", "meter", "1 " + padding);
  server.reset();
  for (const auto& client : clients) client->read_all();  // they end
}

TEST_CASE("publishing and stopping race with readers who come and go") {
  for (int round = 0; round < 10; ++round) {
    WebServer server(local_setup(), streams);
    std::thread publisher([&server] {
      for (int number = 0; number < 300; ++number) server.publish("a", "meter", "1");
    });
    for (int reader = 0; reader < 10; ++reader) {
      RawClient client(server.url());
      client.send(get("/a"));
      if (reader % 2 == 0) client.read_until("data");
      if (reader % 3 == 0) client.reset();
    }
    publisher.join();
  }
}

}  // namespace linkmeter::web_stream_test
