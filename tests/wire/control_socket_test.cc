#include "controller/sockets/control_socket.h"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "controller/auth/pin.h"
#include "controller/cluster_replies.h"
#include "meters/values/limits.h"
#include "proto/codec/cluster_status.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/support/curve_identity.h"
#include "tests/support/gate.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/staff.h"

namespace linkmeter::control_socket_test {
namespace {

constexpr std::chrono::seconds patience{20};
constexpr Timestamp at_start = Timestamp::from_microseconds(0);

// A floor whose manager has this PIN; a removed person had it too.
State floor_with_pin(const std::string& pin) {
  FloorOpened opened = one_table_floor();
  opened.people = {person_of("TGM-1", Department::table_games, {Role::table_games_manager}),
                   person_of("OLD-1", Department::table_games, {Role::table_games_manager})};
  for (Person& person : opened.people) person.pin = hash_pin(pin);
  opened.people[1].removed = true;
  State state;
  state.apply(open_floor(opened, Timestamp::from_microseconds(1)));
  return state;
}

struct World {
  ScopedDirectory folder;
  ControlEndpoint endpoint{folder.path()};
  Gate gate;
  ControlSocket control{gate.context(), gate.admission(), endpoint};
  Authenticator pins{{&control}};
  State state = floor_with_pin("246813");

  zmq::socket_t connected() { return connected(gate.operators()); }
  zmq::socket_t connected(const Credentials& credentials) {
    zmq::socket_t socket(gate.context(), zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 0);
    identify(socket, credentials);
    socket.connect(endpoint.text());
    return socket;
  }
  zmq_pollitem_t awaited() {
    if (pins.is_busy()) return {nullptr, pins.descriptor(), ZMQ_POLLIN, 0};
    return control.awaited();
  }
  // Serves until a request can be decided.
  OperatorRequest taken() { return taken(state); }
  OperatorRequest taken(const State& now) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      if (auto request = pins.take(now, at_start)) return *request;
      zmq_pollitem_t item = awaited();
      zmq_poll(&item, 1, 100);
    }
    FAIL("no request came");
    return {};
  }
};

std::string asking(const std::string& badge, const std::string& pin,
                   OperatorCommand act = ChangePin{}, const std::string& new_pin = "135792") {
  return encode(ControlRequest{Badge(badge), pin, new_pin, std::move(act)});
}

void send(zmq::socket_t& socket, const std::string& bytes) {
  socket.send(zmq::buffer(bytes), zmq::send_flags::none);
}

}  // namespace

TEST_CASE("requests about the cluster need no PIN and are not a person's requests") {
  World world;
  zmq::socket_t socket = world.connected();
  send(socket, encode_cluster_request());
  send(socket, encode_handover_request("b"));
  std::vector<ControlSocket::ClusterRequest> asked;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (asked.size() < 2 && std::chrono::steady_clock::now() < until) {
    zmq_pollitem_t item = world.awaited();
    zmq_poll(&item, 1, 100);
    CHECK_FALSE(world.pins.take(world.state, at_start).has_value());
    for (const auto& one : world.control.take_cluster_requests()) asked.push_back(one);
  }
  REQUIRE_EQ(asked.size(), 2);
  CHECK_FALSE(asked[0].handover.has_value());
  CHECK(asked[1].handover == "b");
  // A controller that is not a node.
  send(socket, encode_cluster_request());
  send(socket, encode_handover_request("b"));
  ClusterReplies replies(world.control);
  std::vector<std::string> answers;
  while (answers.size() < 2 && std::chrono::steady_clock::now() < until) {
    zmq_pollitem_t item = world.awaited();
    zmq_poll(&item, 1, 10);
    CHECK_FALSE(world.pins.take(world.state, at_start).has_value());
    replies.serve({});
    zmq::message_t answer;
    if (socket.recv(answer, zmq::recv_flags::dontwait)) answers.push_back(answer.to_string());
  }
  REQUIRE_EQ(answers.size(), 2);
  CHECK(decode_cluster_status(answers[0]) == ClusterStatus());
  CHECK(decode_handover_reply(answers[1]) ==
        HandoverReply{"not_a_node", "this controller is not a node of a cluster"});
}

TEST_CASE("a status request needs no PIN and is not a person's request") {
  World world;
  zmq::socket_t socket = world.connected();
  send(socket, encode_status_request());
  std::vector<std::string> askers;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (askers.empty() && std::chrono::steady_clock::now() < until) {
    zmq_pollitem_t item = world.awaited();
    zmq_poll(&item, 1, 100);
    CHECK_FALSE(world.pins.take(world.state, at_start).has_value());
    askers = world.control.take_status_requests();
  }
  REQUIRE_EQ(askers.size(), 1);
  CHECK(world.control.take_status_requests().empty());
  const ControllerStatus status{Timestamp::from_microseconds(5), {}};
  world.control.reply({askers[0], encode(status)});
  zmq::message_t answer;
  REQUIRE(socket.recv(answer).has_value());
  CHECK((decode_status_reply(answer.to_string_view()) == status));
  // The next one is served as usual.
  send(socket, asking("TGM-1", "246813"));
  CHECK(world.taken().is_good);
}

TEST_CASE("a request comes with the result of its PIN, and its answer goes to its sender") {
  World world;
  zmq::socket_t socket = world.connected();
  send(socket, asking("TGM-1", "246813"));
  const OperatorRequest good = world.taken();
  CHECK(good.is_good);
  CHECK_EQ(good.badge, Badge("TGM-1"));
  CHECK(opens("135792", std::get<ChangePin>(good.act.value()).pin));
  world.control.reply({good.peer, "answer"});
  zmq::message_t answer;
  REQUIRE(socket.recv(answer).has_value());
  CHECK_EQ(answer.to_string(), "answer");
}

TEST_CASE("a wrong PIN, an unknown person's and a removed person's are not right") {
  World world;
  zmq::socket_t socket = world.connected();
  for (const auto& [badge, pin] : {std::pair("TGM-1", "246814"), std::pair("TGM-1", ""),
                                   std::pair("nobody", "246813"), std::pair("OLD-1", "246813")}) {
    send(socket, asking(badge, pin));
    const OperatorRequest request = world.taken();
    CHECK_FALSE(request.is_good);
    CHECK_EQ(request.badge, Badge(badge));
    // No new PIN is hashed for a person who did not prove his identity.
    CHECK_EQ(std::get<ChangePin>(request.act.value()).pin, "");
  }
}

TEST_CASE("the same new PIN comes with the previous hash") {
  World world;
  zmq::socket_t socket = world.connected();
  const std::string before = world.state.find_person(Badge("TGM-1"))->pin;
  send(socket, asking("TGM-1", "246813", ChangePin{}, "246813"));
  CHECK_EQ(std::get<ChangePin>(world.taken().act.value()).pin, before);
  send(socket, asking("TGM-1", "246813", Propose{ResetPin{Badge("FM-1"), ""}}, "246813"));
  const OperatorRequest reset = world.taken();
  CHECK_NE(std::get<ResetPin>(std::get<Propose>(reset.act.value()).act).pin, before);
}

TEST_CASE("an invalid new PIN is not hashed") {
  World world;
  zmq::socket_t socket = world.connected();
  send(socket, asking("TGM-1", "246813", ChangePin{}, "12"));
  const OperatorRequest request = world.taken();
  CHECK(request.is_good);
  CHECK_EQ(std::get<ChangePin>(request.act.value()).pin, "");
}

TEST_CASE("a PIN is compared with the hash that the person has when it is verified") {
  World world;
  zmq::socket_t socket = world.connected();
  send(socket, asking("TGM-1", "246813"));
  send(socket, asking("TGM-1", "246813"));
  send(socket, asking("TGM-1", "8642"));
  CHECK(world.taken().is_good);
  const State changed = floor_with_pin("8642");
  CHECK_FALSE(world.taken(changed).is_good);
  CHECK(world.taken(changed).is_good);
}

TEST_CASE("while a PIN is verified, take() returns nothing and does not wait") {
  World world;
  zmq::socket_t socket = world.connected();
  send(socket, asking("TGM-1", "246813"));
  const auto until = std::chrono::steady_clock::now() + patience;
  while (world.awaited().fd == 0 && std::chrono::steady_clock::now() < until) {
    // No PIN is verified yet: take() has no result to return.
    REQUIRE_FALSE(world.pins.take(world.state, at_start).has_value());
  }
  REQUIRE_NE(world.awaited().fd, 0);
  CHECK(world.taken().is_good);
}

TEST_CASE("hostile bytes are refused, and the next request is accepted") {
  World world;
  zmq::socket_t socket = world.connected();
  std::mt19937_64 random(7);
  for (int count = 0; count < 200; ++count) {
    std::string junk(random() % 200, '\0');
    for (char& byte : junk) byte = static_cast<char>(random());
    if (decode_control_request(junk)) continue;
    send(socket, junk);
    const OperatorRequest request = world.taken();
    CHECK_FALSE(request.act.has_value());
    CHECK_FALSE(request.is_good);
  }
  socket.send(zmq::str_buffer("one"), zmq::send_flags::sndmore);
  socket.send(zmq::str_buffer("two"), zmq::send_flags::none);
  zmq::socket_t large = world.connected();
  send(large, std::string(limits::control_request_bytes_max + 1, 'x'));
  send(socket, asking("TGM-1", "246813"));
  CHECK(world.taken().is_good);
}

TEST_CASE("a table's key cannot connect to the operator socket") {
  World world;
  zmq::socket_t table = world.connected(world.gate.table("C4-01"));
  send(table, asking("TGM-1", "246813"));
  zmq::socket_t socket = world.connected();
  const auto until = std::chrono::steady_clock::now() + patience;
  while (world.gate.admission().counts().key_unknown == 0 &&
         std::chrono::steady_clock::now() < until) {
    REQUIRE_FALSE(world.pins.take(world.state, at_start).has_value());
  }
  CHECK(world.gate.admission().counts().key_unknown == 1);
  send(socket, asking("nobody", "246813"));
  CHECK_EQ(world.taken().badge, Badge("nobody"));
}

// Leaves a socket file like a controller that was killed.
void leave_dead_socket(const std::string& endpoint) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  endpoint.copy(address.sun_path, sizeof(address.sun_path) - 1, std::string_view("ipc://").size());
  const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  ::close(dead);
}

TEST_CASE("only the owner may connect, however long the folder's name is") {
  const ScopedDirectory folder;
  const auto deep = folder.path() / std::string(100, 'a') / std::string(100, 'b');
  std::filesystem::create_directories(deep);
  const mode_t before = ::umask(0);
  {
    const ControlEndpoint endpoint(deep);
    leave_dead_socket(endpoint.text());
    Gate gate;
    const ControlSocket control(gate.context(), gate.admission(), endpoint);
    struct stat found {};
    REQUIRE_EQ(::lstat((deep / "control").c_str(), &found), 0);
    CHECK(S_ISSOCK(found.st_mode));
    CHECK_EQ(found.st_mode & 0777U, 0600U);
    CHECK_EQ(::umask(0), 0);  // the temporary umask was restored
  }
  ::umask(before);
}

}  // namespace linkmeter::control_socket_test
