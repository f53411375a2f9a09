#include "controller/sockets/zap_authenticator.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/table_socket.h"
#include "meters/values/limits.h"
#include "tests/support/curve_identity.h"
#include "tests/support/gate.h"
#include "tests/wire/relay.h"

// Who may connect: no peer without an enrolled key, and no peer in the place of another.
namespace linkmeter::zap_authenticator_test {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds patience{20'000};
constexpr milliseconds handshake_max{200};

// The first bytes of ZMTP 3.1 with this mechanism.
std::string greeting(const std::string& mechanism) {
  std::string bytes("\xff\0\0\0\0\0\0\0\1\x7f\3\1", 12);
  bytes += mechanism;
  bytes.resize(64);
  return bytes;
}

// A table socket behind an authenticator, one well-behaved table, and further peers of the test.
struct World {
  Gate gate;
  Credentials own = gate.table("C4-01"), other = gate.table("C4-02");
  TableSocket intake{gate.context(), gate.admission(), "tcp://127.0.0.1:*",
                     ZapAuthenticator::Domain::tables,
                     TableSocket::Bounds{limits::message_bytes_max, 1'000, handshake_max}};

  [[nodiscard]] ZapAuthenticator::Counts counts() { return gate.admission().counts(); }
  [[nodiscard]] zmq::socket_t dealer() {
    zmq::socket_t socket(gate.context(), zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 0);
    return socket;
  }
  [[nodiscard]] zmq::socket_t connected(const Credentials& credentials) {
    zmq::socket_t socket = dealer();
    identify(socket, credentials);
    socket.connect(intake.endpoint());
    return socket;
  }
  [[nodiscard]] std::vector<InboundMessage> drained() {
    return intake.drain(limits::turn_messages_max);
  }
  // Waits until the network threads have done something.
  void await(const std::function<bool(const ZapAuthenticator::Counts&)>& holds) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!holds(counts()) && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    REQUIRE(holds(counts()));
  }
  // Sends over that socket and waits for the message. Any other message is an error.
  void check_heard(zmq::socket_t& socket, const Credentials& whose) {
    socket.send(zmq::str_buffer("honest"), zmq::send_flags::none);
    std::vector<InboundMessage> all;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (all.empty() && std::chrono::steady_clock::now() < until) {
      zmq::pollitem_t item{intake.socket().handle(), 0, ZMQ_POLLIN, 0};
      zmq::poll(&item, 1, milliseconds(50));
      all = drained();
    }
    REQUIRE(all.size() == 1);
    CHECK(all.front().bytes == "honest");
    CHECK(all.front().key == whose.keys.public_key);
  }
  // The honest table is heard, and no other peer was.
  void check_unharmed() {
    zmq::socket_t honest = connected(own);
    check_heard(honest, own);
  }
};

// A table behind a relay that changes one byte of what it sends: one message, and then others,
// until one arrives or the connection ends.
class Changed {
 public:
  static constexpr std::chrono::seconds stall_max{2};

  Changed(World& world, std::size_t at, std::size_t number)
      : key_(world.own.keys.public_key),
        at_(at),
        first_("wager " + std::to_string(number)),
        later_("later " + std::to_string(number)),
        relay_(world.intake.endpoint(), at),
        table_(world.dealer()) {
    table_.set(zmq::sockopt::reconnect_ivl, -1);
    identify(table_, world.own);
    table_.connect(relay_.endpoint());
    table_.send(zmq::buffer(first_), zmq::send_flags::none);
  }

  void go_on(const std::vector<InboundMessage>& heard) {
    hear(heard);
    if (is_over()) return;
    relay_.pump(milliseconds(1));
    if (relay_.said().size() > at_) {
      table_.send(zmq::buffer(later_), zmq::send_flags::dontwait);
      if (!is_over_at_) is_over_at_ = std::chrono::steady_clock::now() + stall_max;
    }
  }
  void hear(const std::vector<InboundMessage>& heard) {
    for (const InboundMessage& one : heard) {
      // Only tables of this test are connected, so the messages must be theirs.
      CHECK(one.bytes.size() == first_.size());
      CHECK((one.bytes.starts_with("wager 1") || one.bytes.starts_with("later 1")));
      CHECK(one.key == key_);
      is_first_heard_ = is_first_heard_ || one.bytes == first_;
      is_heard_ = is_heard_ || is_first_heard_ || one.bytes == later_;
    }
  }
  // ZeroMQ ends the connection, or keeps it and reads nothing more from it.
  [[nodiscard]] bool is_over() const {
    return is_heard_ || relay_.has_ended() ||
           (is_over_at_ && std::chrono::steady_clock::now() >= *is_over_at_);
  }
  [[nodiscard]] bool is_first_heard() const { return is_first_heard_; }
  [[nodiscard]] std::size_t changed_at() const { return at_; }
  [[nodiscard]] std::size_t said_bytes() const { return relay_.said().size(); }

 private:
  const std::string key_;
  const std::size_t at_;
  const std::string first_, later_;
  Relay relay_;
  zmq::socket_t table_;
  bool is_first_heard_ = false, is_heard_ = false;
  std::optional<std::chrono::steady_clock::time_point> is_over_at_;  // once the byte went through
};

}  // namespace

TEST_CASE("an unknown key is refused, counted and logged") {
  World world;
  const Credentials stranger = world.gate.stranger();
  zmq::socket_t socket = world.connected(stranger);
  socket.send(zmq::str_buffer("let me in"), zmq::send_flags::none);
  world.await([](const auto& counts) { return counts.disconnected == 1; });
  CHECK(world.counts() ==
        ZapAuthenticator::Counts{.connected = 1, .key_unknown = 1, .disconnected = 1});
  const std::vector<std::string> news = world.gate.admission().take_log_lines();
  REQUIRE(news.size() == 1);
  CHECK(news[0] ==
        "key " + stranger.keys.public_key + " from 127.0.0.1 is not enrolled for tables");
  world.check_unharmed();
}

TEST_CASE("a viewer's key and the operator's key cannot connect to the tables' socket") {
  World world;
  zmq::socket_t viewer = world.connected(world.gate.viewer("feed"));
  zmq::socket_t operators = world.connected(world.gate.operators());
  world.await([](const auto& counts) { return counts.key_unknown == 2; });
  CHECK(world.counts().admitted == 0);
  world.check_unharmed();
}

TEST_CASE("a node's key connects to the nodes' socket only, and no other key does") {
  Gate gate;
  const Credentials node = gate.enrolled(EnrolmentKind::node, "b");
  const auto bound = [&gate](zmq::socket_type type, ZapAuthenticator::Domain door) {
    zmq::socket_t socket(gate.context(), type);
    socket.set(zmq::sockopt::linger, 0);
    gate.admission().secure_socket(socket, door);
    socket.bind("tcp://127.0.0.1:*");
    return socket;
  };
  const zmq::socket_t journal = bound(zmq::socket_type::router, ZapAuthenticator::Domain::nodes);
  const zmq::socket_t tables = bound(zmq::socket_type::router, ZapAuthenticator::Domain::tables);
  const zmq::socket_t feed = bound(zmq::socket_type::xpub, ZapAuthenticator::Domain::feed);
  const auto connect = [&gate](const zmq::socket_t& to, zmq::socket_type type,
                               const Credentials& whose) {
    zmq::socket_t socket(gate.context(), type);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::reconnect_ivl, -1);
    identify(socket, whose);
    socket.connect(to.get(zmq::sockopt::last_endpoint));
    return socket;
  };
  const auto await = [&gate](const ZapAuthenticator::Counts& expected) {
    const auto until = std::chrono::steady_clock::now() + patience;
    const auto is_there = [&] {
      const ZapAuthenticator::Counts counts = gate.admission().counts();
      return counts.admitted == expected.admitted && counts.key_unknown == expected.key_unknown;
    };
    while (!is_there() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    CHECK(is_there());
  };
  const zmq::socket_t reads = connect(journal, zmq::socket_type::dealer, node);
  await({.admitted = 1});
  const zmq::socket_t watches = connect(feed, zmq::socket_type::sub, node);
  const zmq::socket_t speaks = connect(tables, zmq::socket_type::dealer, node);
  const zmq::socket_t table = connect(journal, zmq::socket_type::dealer, gate.table("C4-01"));
  const zmq::socket_t viewer = connect(journal, zmq::socket_type::dealer, gate.viewer("feed"));
  const zmq::socket_t operators = connect(journal, zmq::socket_type::dealer, gate.operators());
  await({.admitted = 1, .key_unknown = 5});
}

TEST_CASE("a client with another controller's public key is refused") {
  World world;
  Credentials wrong = world.own;
  wrong.controller_key = make_key_pair().public_key;
  zmq::socket_t socket = world.connected(wrong);
  world.await([](const auto& counts) { return counts.handshake_failed >= 1; });
  CHECK(world.counts().admitted == 0);
  world.check_unharmed();
}

TEST_CASE("a client without a key is refused") {
  World world;
  zmq::socket_t socket = world.dealer();
  socket.set(zmq::sockopt::reconnect_ivl, -1);
  socket.connect(world.intake.endpoint());
  world.await([](const auto& counts) { return counts.disconnected == 1; });
  CHECK(world.counts() ==
        ZapAuthenticator::Counts{.connected = 1, .without_key = 1, .disconnected = 1});
  Wire plain(world.intake.endpoint());
  plain.send(greeting("PLAIN"));
  CHECK(plain.ends_within(patience));
  world.await([](const auto& counts) { return counts.without_key == 2; });
  world.check_unharmed();
}

TEST_CASE("a client with another protocol is disconnected") {
  World world;
  Wire wire(world.intake.endpoint());
  wire.send("GET / HTTP/1.0\r\n\r\n");
  CHECK(wire.ends_within(patience));
  world.await([](const auto& counts) { return counts.disconnected == 1; });
  CHECK(world.counts() == ZapAuthenticator::Counts{.connected = 1, .disconnected = 1});
  world.check_unharmed();
}

TEST_CASE("a half-open connection is closed") {
  World world;
  for (const std::string& said : {std::string(), greeting("CURVE").substr(0, 10), greeting("CURVE"),
                                  greeting("CURVE") + "\4\xc8"}) {
    const ZapAuthenticator::Counts before = world.counts();
    Wire wire(world.intake.endpoint());
    wire.send(said);
    CHECK(wire.ends_within(patience));
    world.await([&](const auto& counts) { return counts.disconnected > before.disconnected; });
    CHECK(world.counts().handshake_expired == before.handshake_expired + 1);
  }
  CHECK(world.counts().admitted == 0);
  world.check_unharmed();
}

TEST_CASE("a frame of 10 MB from an unknown client is not awaited") {
  World world;
  Wire wire(world.intake.endpoint());
  const std::string length{"\0\0\0\0\0\x98\x96\x80", 8};
  wire.send(greeting("CURVE") + "\6" + length + std::string(100'000, 'x'));
  CHECK(wire.ends_within(patience));
  world.await([](const auto& counts) { return counts.disconnected == 1; });
  CHECK(world.counts().admitted == 0);
  world.check_unharmed();
}

TEST_CASE("a table's frame of 10 MB closes its connection and no other") {
  World world;
  zmq::socket_t honest = world.connected(world.own), table = world.connected(world.other);
  world.check_heard(honest, world.own);
  table.send(zmq::buffer(std::string(10'000'000, 'x')), zmq::send_flags::none);
  world.await([](const auto& counts) { return counts.disconnected == 1; });
  world.await([](const auto& counts) { return counts.admitted == 3; });  // it reconnects
  CHECK(world.counts().connected == 3);
  world.check_heard(honest, world.own);
  world.check_heard(table, world.other);
}

// Messages over an existing connection still arrive with its key; the turn refuses them.
TEST_CASE("a revoked key cannot connect again") {
  World world;
  zmq::socket_t standing = world.connected(world.other);
  world.check_heard(standing, world.other);
  world.gate.revoke(world.other);
  world.check_heard(standing, world.other);
  zmq::socket_t again = world.connected(world.other);
  world.await([](const auto& counts) { return counts.key_unknown == 1; });
  CHECK(world.counts().admitted == 1);
  world.check_unharmed();
}

TEST_CASE("a revoked viewer gets nothing more, and the others reconnect") {
  Gate gate;
  const Credentials own = gate.viewer("own"), revoked = gate.viewer("revoked");
  zmq::socket_t feed(gate.context(), zmq::socket_type::xpub);
  feed.set(zmq::sockopt::linger, 0);
  gate.admission().secure_socket(feed, ZapAuthenticator::Domain::feed);
  feed.bind("tcp://127.0.0.1:*");
  const auto viewer = [&](const Credentials& whose) {
    zmq::socket_t socket(gate.context(), zmq::socket_type::sub);
    socket.set(zmq::sockopt::linger, 0);
    identify(socket, whose);
    socket.set(zmq::sockopt::subscribe, "");
    socket.connect(feed.get(zmq::sockopt::last_endpoint));
    return socket;
  };
  zmq::socket_t sees = viewer(own), saw = viewer(revoked);
  // Sends "word" until that viewer receives it, or the time is over.
  const auto hears = [&](zmq::socket_t& socket, const std::string& word) {
    const auto until = std::chrono::steady_clock::now() + patience;
    zmq::message_t heard;
    while (std::chrono::steady_clock::now() < until) {
      feed.send(zmq::buffer(word), zmq::send_flags::none);
      zmq::pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
      zmq::poll(&item, 1, milliseconds(20));
      while (socket.recv(heard, zmq::recv_flags::dontwait)) {
        if (heard.to_string_view() == word) return true;
      }
    }
    return false;
  };
  REQUIRE(hears(sees, "before"));
  REQUIRE(hears(saw, "before"));
  gate.revoke(revoked);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (gate.admission().counts().key_unknown == 0 && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  REQUIRE(gate.admission().counts().key_unknown > 0);  // it reconnected and was rejected
  CHECK(hears(sees, "after"));
  zmq::message_t heard;
  while (saw.recv(heard, zmq::recv_flags::dontwait)) CHECK(heard.to_string_view() == "before");
}

TEST_CASE("bytes changed in transit are never accepted as a message") {
  World world;
  // The length of a table's stream up to its first message, and that message.
  constexpr std::size_t greeting_bytes = 64, step = 5;
  const std::string first = "wager 1000";
  const std::size_t frame_bytes = 2 + first.size() + std::size_t{curve_bytes};
  Changed whole(world, Relay::nothing, 1'000);
  while (!whole.is_over()) whole.go_on(world.drained());
  REQUIRE(whole.is_first_heard());
  REQUIRE(whole.said_bytes() > greeting_bytes + frame_bytes);
  const std::size_t frame = whole.said_bytes() - frame_bytes;

  std::vector<std::unique_ptr<Changed>> all;
  for (std::size_t at = 0; at < frame + frame_bytes; at += at < frame ? step : 1) {
    all.push_back(std::make_unique<Changed>(world, at, 1'001 + all.size()));
  }
  const auto is_over = [](const auto& one) { return one->is_over(); };
  auto until = std::chrono::steady_clock::now() + patience;
  while (!std::all_of(all.begin(), all.end(), is_over)) {
    REQUIRE(std::chrono::steady_clock::now() < until);
    const std::vector<InboundMessage> heard = world.drained();
    for (const auto& one : all) one->go_on(heard);
  }
  // The honest table is heard. On a busy machine, a peer that was given up may be heard until then,
  // too.
  zmq::socket_t honest = world.connected(world.own);
  honest.send(zmq::str_buffer("honest"), zmq::send_flags::none);
  const auto is_honest = [&world](const InboundMessage& one) {
    return one.bytes == "honest" && one.key == world.own.keys.public_key;
  };
  until = std::chrono::steady_clock::now() + patience;
  for (bool is_heard = false; !is_heard;) {
    REQUIRE(std::chrono::steady_clock::now() < until);
    std::vector<InboundMessage> heard = world.drained();
    is_heard = std::erase_if(heard, is_honest) > 0;
    for (const auto& one : all) one->hear(heard);
  }
  for (const auto& one : all) {
    CAPTURE(one->changed_at());
    if (one->changed_at() >= frame) CHECK_FALSE(one->is_first_heard());
  }
}

TEST_CASE("a recorded conversation cannot be replayed") {
  World world;
  Relay relay(world.intake.endpoint());
  zmq::socket_t table = world.dealer();
  identify(table, world.own);
  table.connect(relay.endpoint());
  table.send(zmq::str_buffer("one wager"), zmq::send_flags::none);
  std::vector<InboundMessage> heard;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (heard.empty() && std::chrono::steady_clock::now() < until) {
    relay.pump();
    heard = world.drained();
  }
  REQUIRE(heard.size() == 1);
  // A message may arrive before the network thread has reported that its sender was admitted.
  world.await([](const auto& counts) { return counts.admitted == 1; });
  const ZapAuthenticator::Counts before = world.counts();

  Wire thief(world.intake.endpoint());
  thief.send(relay.said());
  CHECK(thief.ends_within(patience));
  world.await([&](const auto& counts) { return counts.disconnected > before.disconnected; });
  CHECK(world.counts().admitted == before.admitted);
  CHECK(world.counts().handshake_failed == before.handshake_failed + 1);
  // The bytes that follow the handshake, sent into the peer's own open connection.
  world.check_unharmed();
}

TEST_CASE("many refused connections give only a few log lines") {
  World world;
  std::vector<zmq::socket_t> crowd;
  for (int number = 0; number < 100; ++number) {
    crowd.push_back(world.connected(world.gate.stranger()));
  }
  world.await([](const auto& counts) { return counts.key_unknown == 100; });
  CHECK(world.gate.admission().take_log_lines().size() <= 40);  // seconds may pass meanwhile
  world.check_unharmed();
}

}  // namespace linkmeter::zap_authenticator_test
