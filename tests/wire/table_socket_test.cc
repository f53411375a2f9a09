#include "controller/sockets/table_socket.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "tests/support/curve_identity.h"
#include "tests/support/gate.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::table_socket_test {
namespace {

constexpr std::chrono::seconds patience{20};

zmq::socket_t connected(zmq::context_t& context, const TableSocket& intake,
                        const Credentials& table, const std::string& name = "") {
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  socket.set(zmq::sockopt::linger, 0);
  if (!name.empty()) socket.set(zmq::sockopt::routing_id, name);
  identify(socket, table);
  socket.connect(intake.endpoint());
  return socket;
}

void send(zmq::socket_t& socket, const std::vector<std::string>& frames) {
  for (std::size_t at = 0; at < frames.size(); ++at) {
    const bool last = at + 1 == frames.size();
    socket.send(zmq::buffer(frames[at]), last ? zmq::send_flags::none : zmq::send_flags::sndmore);
  }
}

// Drains until `count` messages arrived, or patience ends.
std::vector<InboundMessage> drain(TableSocket& intake, std::size_t count) {
  std::vector<InboundMessage> all;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (all.size() < count && std::chrono::steady_clock::now() < until) {
    zmq::pollitem_t item{intake.socket().handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, std::chrono::milliseconds(100));
    for (InboundMessage& received : intake.drain(limits::turn_messages_max)) {
      all.push_back(std::move(received));
    }
  }
  return all;
}

// Junk, then a message that must come through on the same connection, so everything before it was
// handled.
std::vector<InboundMessage> drain_until_mark(zmq::socket_t& socket, TableSocket& intake) {
  send(socket, {"mark"});
  std::vector<InboundMessage> all;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    bool marked = false;
    for (InboundMessage& received : drain(intake, 1)) {
      marked = marked || received.bytes == "mark";
      all.push_back(std::move(received));
    }
    if (marked) return all;
  }
  FAIL("the mark never came");
  return all;
}

struct Listening {
  Gate gate;
  Credentials own = gate.table("C4-01"), other = gate.table("C4-02");
  TableSocket intake = at("tcp://127.0.0.1:*");

  [[nodiscard]] TableSocket at(const std::string& endpoint) {
    return TableSocket(gate.context(), gate.admission(), endpoint);
  }
  [[nodiscard]] zmq::socket_t connected(const Credentials& table) {
    return table_socket_test::connected(gate.context(), intake, table);
  }
  [[nodiscard]] zmq::socket_t connected() { return connected(own); }
};

}  // namespace

TEST_CASE("a message has its sender's key, and the answer goes back to its sender") {
  Listening here;
  zmq::socket_t one = here.connected(here.own), two = here.connected(here.other);
  send(one, {"from one"});
  send(two, {"from two"});
  for (const InboundMessage& received : drain(here.intake, 2)) {
    const bool is_first = received.key == here.own.keys.public_key;
    CHECK(is_first != (received.key == here.other.keys.public_key));
    CHECK(received.bytes == (is_first ? "from one" : "from two"));
    here.intake.reply({received.peer, is_first ? "to one" : "to two"});
  }
  for (zmq::socket_t* socket : {&one, &two}) {
    socket->set(zmq::sockopt::rcvtimeo, 20'000);
    zmq::message_t answer;
    REQUIRE(socket->recv(answer));
    CHECK_FALSE(answer.more());
    CHECK(answer.to_string() == (socket == &one ? "to one" : "to two"));
  }
}

TEST_CASE("the socket listens at its endpoint or reports why not") {
  Listening here;
  CHECK(here.intake.endpoint().starts_with("tcp://127.0.0.1:"));
  CHECK_FALSE(here.intake.endpoint().ends_with("*"));
  CHECK_THROWS_WITH_AS(
      here.at(here.intake.endpoint()),
      ("cannot listen at " + here.intake.endpoint() + ": Address already in use").c_str(), Fault);
  CHECK_THROWS_AS(here.at("nonsense"), Fault);
}

TEST_CASE("a path where another program listens, or a file is, is left alone") {
  const ScopedDirectory folder;
  const std::string path = folder.path() / "in";
  const std::string endpoint = "ipc://" + path;
  Listening here;
  {
    std::ofstream(path) << "a file";
    CHECK_THROWS_AS(here.at(endpoint), Fault);
    std::string left;
    std::ifstream(path) >> left >> left;
    CHECK(left == "file");
    std::filesystem::remove(path);
  }
  TableSocket first = here.at(endpoint);
  CHECK_THROWS_WITH_AS(here.at(endpoint),
                       ("cannot listen at " + endpoint + ": in use by another program").c_str(),
                       Fault);
  // The first socket is still the one that connections reach.
  zmq::socket_t table = connected(here.gate.context(), first, here.own);
  send(table, {"still here"});
  CHECK(drain(first, 1).front().bytes == "still here");
}

TEST_CASE("a socket file left by a dead program is replaced") {
  const ScopedDirectory folder;
  const std::string path = folder.path() / "in";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int dead = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  ::close(dead);
  REQUIRE(std::filesystem::exists(path));
  Listening here;
  CHECK(here.at("ipc://" + path).endpoint() == "ipc://" + path);
}

TEST_CASE("only messages of one frame are accepted") {
  Listening here;
  zmq::socket_t socket = here.connected();
  send(socket, {"", "body"});
  send(socket, {"one", "two"});
  send(socket, {"one", "two", "three"});
  send(socket, {"", "", ""});
  send(socket, std::vector<std::string>(500, "many"));
  send(socket, {"good"});
  send(socket, {""});
  const auto received = drain_until_mark(socket, here.intake);
  REQUIRE(received.size() == 3);
  CHECK(received[0].bytes == "good");
  CHECK(received[1].bytes.empty());
  CHECK(here.intake.dropped_count() == 5);
}

TEST_CASE("a frame of the maximum size is accepted; a longer one closes the connection") {
  Listening here;
  zmq::socket_t socket = here.connected();
  send(socket, {std::string(limits::message_bytes_max, 'x')});
  const auto received = drain_until_mark(socket, here.intake);
  REQUIRE(received.size() == 2);
  CHECK(received[0].bytes.size() == limits::message_bytes_max);

  for (const std::size_t size : {limits::message_bytes_max + 1, std::size_t{100'000'000}}) {
    zmq::socket_t hostile = here.connected(here.other);
    send(hostile, {std::string(size, 'x')});
    // ZeroMQ drops that connection and reconnects; later messages arrive.
    std::vector<InboundMessage> heard;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (heard.empty() && std::chrono::steady_clock::now() < until) {
      send(hostile, {"after"});
      heard = drain(here.intake, 1);
    }
    REQUIRE_FALSE(heard.empty());
    for (const InboundMessage& one : heard) CHECK(one.bytes == "after");
  }
  // The other table was not affected.
  CHECK(drain_until_mark(socket, here.intake).back().key == here.own.keys.public_key);
}

// ZeroMQ's old protocols accept almost any bytes as a message. They are disabled.
TEST_CASE("random bytes on the port are ignored and stop nobody") {
  Listening here;
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    zmq::socket_t raw(here.gate.context(), zmq::socket_type::stream);
    raw.set(zmq::sockopt::linger, 1'000);
    raw.connect(here.intake.endpoint());
    zmq::message_t connection, greeting;
    REQUIRE(raw.recv(connection));
    REQUIRE(raw.recv(greeting));
    std::string bytes(1 + random() % 2'000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    // Some look like the beginning of a greeting.
    if (round % 2 == 0 && bytes.size() > 12) {
      bytes.replace(0, 12, std::string("\xff\0\0\0\0\0\0\0\1\x7f\3\0", 12));
    }
    raw.send(connection, zmq::send_flags::sndmore);
    raw.send(zmq::buffer(bytes), zmq::send_flags::none);
    if (round % 10 == 0) {
      // A well-behaved peer still gets through in between.
      zmq::socket_t socket = here.connected();
      const auto received = drain_until_mark(socket, here.intake);
      REQUIRE(received.size() == 1);
      CHECK(received[0].key == here.own.keys.public_key);
    }
  }
  CHECK(here.intake.dropped_count() == 0);
}

TEST_CASE("random bytes in messages arrive unchanged") {
  Listening here;
  zmq::socket_t socket = here.connected();
  std::mt19937 random(11);
  std::vector<std::string> sent;
  for (int number = 0; number < 500; ++number) {
    std::string bytes(random() % 300, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    sent.push_back(bytes);
    send(socket, {bytes});
  }
  const auto received = drain_until_mark(socket, here.intake);
  REQUIRE(received.size() == sent.size() + 1);
  for (std::size_t at = 0; at < sent.size(); ++at) CHECK((received[at].bytes == sent[at]));
}

TEST_CASE("drain() takes at most the given number of messages, malformed ones included") {
  Listening here;
  zmq::socket_t socket = here.connected();
  for (int number = 0; number < 10; ++number) {
    send(socket, {"junk", "junk"});
    send(socket, {"good"});
  }
  const auto first = drain(here.intake, 1);
  REQUIRE_FALSE(first.empty());
  std::size_t good = first.size();
  while (good < 10) {
    const auto some = here.intake.drain(4);
    CHECK(some.size() <= 2);
    good += some.size();
  }
  CHECK(good == 10);
}

TEST_CASE("an answer to a closed connection is dropped and blocks nothing") {
  Listening here;
  for (int number = 0; number < 10'000; ++number) here.intake.reply({"NOBODY", "lost"});
  here.intake.reply({"", "lost"});
  zmq::socket_t socket = here.connected();
  CHECK(drain_until_mark(socket, here.intake).size() == 1);
}

TEST_CASE("a connection with another one's routing id takes nothing over") {
  Listening here;
  zmq::socket_t first = connected(here.gate.context(), here.intake, here.own, "NAME");
  const std::string peer = drain_until_mark(first, here.intake).front().peer;
  zmq::socket_t second = connected(here.gate.context(), here.intake, here.other, "NAME");
  send(second, {"from the second"});
  // A peer that connected later is heard, so this one was handled.
  while (here.gate.admission().counts().admitted < 2) {
  }
  zmq::socket_t third = here.connected();
  const auto heard = drain_until_mark(third, here.intake);
  CHECK(heard.size() == 1);
  here.intake.reply({peer, "to the first"});
  first.set(zmq::sockopt::rcvtimeo, 20'000);
  zmq::message_t answer;
  REQUIRE(first.recv(answer));
  CHECK(answer.to_string() == "to the first");
  CHECK_FALSE(second.recv(answer, zmq::recv_flags::dontwait).has_value());
}

}  // namespace linkmeter::table_socket_test
