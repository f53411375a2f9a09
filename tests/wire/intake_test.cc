#include "controller/intake.h"

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

#include "meters/edge/fault.h"
#include "meters/limits.h"
#include "tests/support/scoped_directory.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter {
namespace {

constexpr std::chrono::seconds patience{20};

zmq::socket_t connected(zmq::context_t& context, const Intake& intake, const std::string& name) {
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  socket.set(zmq::sockopt::linger, 0);
  if (!name.empty()) socket.set(zmq::sockopt::routing_id, name);
  socket.connect(intake.endpoint());
  return socket;
}

void send(zmq::socket_t& socket, const std::vector<std::string>& frames) {
  for (std::size_t at = 0; at < frames.size(); ++at) {
    const bool last = at + 1 == frames.size();
    socket.send(zmq::buffer(frames[at]), last ? zmq::send_flags::none : zmq::send_flags::sndmore);
  }
}

// Drains until `count` messages came, or patience ends.
std::vector<Received> drain(Intake& intake, std::size_t count) {
  std::vector<Received> all;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (all.size() < count && std::chrono::steady_clock::now() < until) {
    zmq::pollitem_t item{intake.socket().handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, std::chrono::milliseconds(100));
    for (Received& received : intake.drain(limits::turn_messages_max)) {
      all.push_back(std::move(received));
    }
  }
  return all;
}

// Junk, then a message that must come through on the same connection: all before it was handled.
std::vector<Received> drain_until_mark(zmq::socket_t& socket, Intake& intake) {
  send(socket, {"mark"});
  std::vector<Received> all;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    bool marked = false;
    for (Received& received : drain(intake, 1)) {
      marked = marked || received.bytes == "mark";
      all.push_back(std::move(received));
    }
    if (marked) return all;
  }
  FAIL("the mark never came");
  return all;
}

struct Listening {
  zmq::context_t context;
  Intake intake{context, "tcp://127.0.0.1:*"};
};

}  // namespace

TEST_CASE("a message comes with its sender's name, and the answer goes back there") {
  Listening here;
  zmq::socket_t one = connected(here.context, here.intake, "C4-01");
  zmq::socket_t two = connected(here.context, here.intake, "C4-02");
  send(one, {"from one"});
  send(two, {"from two"});
  for (const Received& received : drain(here.intake, 2)) {
    CHECK(received.bytes == (received.peer == "C4-01" ? "from one" : "from two"));
    here.intake.reply({received.peer, "to " + received.peer});
  }
  for (zmq::socket_t* socket : {&one, &two}) {
    socket->set(zmq::sockopt::rcvtimeo, 20'000);
    zmq::message_t answer;
    REQUIRE(socket->recv(answer));
    CHECK_FALSE(answer.more());
    CHECK(answer.to_string() == (socket == &one ? "to C4-01" : "to C4-02"));
  }
}

TEST_CASE("it listens where it says, and says if it cannot") {
  Listening here;
  CHECK(here.intake.endpoint().starts_with("tcp://127.0.0.1:"));
  CHECK_FALSE(here.intake.endpoint().ends_with("*"));
  CHECK_THROWS_AS(Intake(here.context, here.intake.endpoint()), Fault);
  CHECK_THROWS_AS(Intake(here.context, "nonsense"), Fault);
}

TEST_CASE("a path where another program listens, or a file is, is left alone") {
  const ScopedDirectory folder;
  const std::string path = folder.path() / "in";
  const std::string endpoint = "ipc://" + path;
  zmq::context_t context;
  {
    std::ofstream(path) << "a file";
    CHECK_THROWS_AS(Intake(context, endpoint), Fault);
    std::string left;
    std::ifstream(path) >> left >> left;
    CHECK(left == "file");
    std::filesystem::remove(path);
  }
  Intake first(context, endpoint);
  CHECK_THROWS_WITH_AS(Intake(context, endpoint),
                       ("cannot listen at " + endpoint + ": in use by another program").c_str(),
                       Fault);
  // The first one is still the one that is reached.
  zmq::socket_t table = connected(context, first, "C4-01");
  send(table, {"still here"});
  CHECK(drain(first, 1).front().bytes == "still here");
}

TEST_CASE("what a dead program left at a path is in nobody's way") {
  const ScopedDirectory folder;
  const std::string path = folder.path() / "in";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int dead = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  REQUIRE(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  ::close(dead);
  REQUIRE(std::filesystem::exists(path));
  zmq::context_t context;
  CHECK(Intake(context, "ipc://" + path).endpoint() == "ipc://" + path);
}

TEST_CASE("only messages of one frame get through") {
  Listening here;
  zmq::socket_t socket = connected(here.context, here.intake, "C4-01");
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

TEST_CASE("a frame of the greatest size gets through; a longer one costs the connection") {
  Listening here;
  zmq::socket_t socket = connected(here.context, here.intake, "C4-01");
  send(socket, {std::string(limits::message_bytes_max, 'x')});
  const auto received = drain_until_mark(socket, here.intake);
  REQUIRE(received.size() == 2);
  CHECK(received[0].bytes.size() == limits::message_bytes_max);

  for (const std::size_t size : {limits::message_bytes_max + 1, std::size_t{100'000'000}}) {
    zmq::socket_t hostile = connected(here.context, here.intake, "HOSTILE");
    send(hostile, {std::string(size, 'x')});
    // ZeroMQ drops that connection and connects again; what is sent then is heard.
    std::vector<Received> heard;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (heard.empty() && std::chrono::steady_clock::now() < until) {
      send(hostile, {"after"});
      heard = drain(here.intake, 1);
    }
    REQUIRE_FALSE(heard.empty());
    for (const Received& one : heard) CHECK(one.bytes == "after");
  }
  // The other table was not touched by that.
  CHECK(drain_until_mark(socket, here.intake).back().peer == "C4-01");
}

// ZeroMQ's old protocols take almost any bytes for a message. They are switched off.
TEST_CASE("random bytes on the port get nothing through and stop nobody") {
  Listening here;
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    zmq::socket_t raw(here.context, zmq::socket_type::stream);
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
      // A peer of good manners still gets in between.
      zmq::socket_t socket = connected(here.context, here.intake, "C4-01");
      const auto received = drain_until_mark(socket, here.intake);
      REQUIRE(received.size() == 1);
      CHECK(received[0].peer == "C4-01");
    }
  }
  CHECK(here.intake.dropped_count() == 0);
}

TEST_CASE("random bytes in messages come through as they are") {
  Listening here;
  zmq::socket_t socket = connected(here.context, here.intake, "C4-01");
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

TEST_CASE("a drain takes no more than it is told, junk included, and leaves the rest") {
  Listening here;
  zmq::socket_t socket = connected(here.context, here.intake, "C4-01");
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

TEST_CASE("an answer to nobody is lost and blocks nothing") {
  Listening here;
  for (int number = 0; number < 10'000; ++number) here.intake.reply({"NOBODY", "lost"});
  here.intake.reply({"", "lost"});
  zmq::socket_t socket = connected(here.context, here.intake, "C4-01");
  CHECK(drain_until_mark(socket, here.intake).size() == 1);
}

TEST_CASE("a table that connects again takes its name over") {
  Listening here;
  zmq::socket_t old = connected(here.context, here.intake, "C4-01");
  drain_until_mark(old, here.intake);
  zmq::socket_t again = connected(here.context, here.intake, "C4-01");
  drain_until_mark(again, here.intake);
  here.intake.reply({"C4-01", "to the new one"});
  again.set(zmq::sockopt::rcvtimeo, 20'000);
  zmq::message_t answer;
  REQUIRE(again.recv(answer));
  CHECK(answer.to_string() == "to the new one");
}

}  // namespace linkmeter
