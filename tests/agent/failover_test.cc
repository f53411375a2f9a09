// A table and the controllers of its house, over real sockets: the nodes have keys of their own,
// and one journal.
#include <dlfcn.h>
#include <netdb.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "proto/host/credentials.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/uptime.h"
#include "table-agent/link/node_fault.h"
#include "table-agent/live_driver.h"
#include "table-agent/round/script_driver.h"
#include "table-agent/session.h"
#include "tests/support/device_bench.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/memory_panel_transport.h"

#include <doctest/doctest.h>

namespace linkmeter::failover_test {
namespace {

using namespace std::chrono_literals;

// A name server that does not answer before it is released, or for ten seconds.
class SlowNames {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    released_.wait_for(lock, 10s, [this] { return is_released_; });
    --waiting_;
  }
  // Returns how many questions waited.
  std::size_t release() {
    const std::lock_guard lock(mutex_);
    is_released_ = true;
    released_.notify_all();
    return waiting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  std::size_t waiting_ = 0;
  bool is_released_ = false;
};

constexpr std::string_view slow_name = "slow.invalid";
SlowNames slow_names;

}  // namespace
}  // namespace linkmeter::failover_test

// ZeroMQ calls this one instead of the C library's.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** result) {
  using namespace linkmeter::failover_test;
  if (name != nullptr && name == slow_name) {
    slow_names.wait();
    return EAI_AGAIN;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
  return next(name, service, hints, result);
}

namespace linkmeter::failover_test {
namespace {

using Cause = Lockout::Cause;

const TableId table("C4-01");
constexpr std::int64_t never_us = 3'600'000'000;

// The journal that all nodes of the house have, and who is its writer.
struct House {
  std::mutex mutex;
  std::vector<TableMessage> messages;
  std::string writer;              // the name of a node
  std::vector<NodeAddress> nodes;  // as every node names them
  // The writer stores this many messages, does not answer the last one, and ends; 0: it goes on.
  std::size_t ends_after = 0;
  // After that, a standby becomes the writer when it is asked for this time.
  int asked_before_takeover = 3;
  std::string forged;  // this node serves tables too, with another journal
  int forged_count = 0;
};

// A node that listens, takes tables if it is the writer, and sends them there if it is not.
class Node {
 public:
  Node(std::string name, House& house, const std::string& endpoint = "tcp://127.0.0.1:*")
      : name_(std::move(name)), house_(house) {
    router_.set(zmq::sockopt::linger, 0);
    router_.set(zmq::sockopt::curve_server, true);
    router_.set(zmq::sockopt::curve_secretkey, keys_.secret_key);
    router_.bind(endpoint);
    address_ = {name_, keys_.public_key, router_.get(zmq::sockopt::last_endpoint)};
    stop_.bind("inproc://stop");
    thread_ = std::thread([this] { serve(); });
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() {
    if (thread_.joinable()) {
      // A node that has ended does not take it.
      static_cast<void>(stop_.send(zmq::str_buffer("stop"), zmq::send_flags::dontwait));
      thread_.join();
    }
  }

  [[nodiscard]] const NodeAddress& address() const { return address_; }

 private:
  void serve() {
    zmq::socket_t stopped(context_, zmq::socket_type::pair);
    stopped.connect("inproc://stop");
    std::array<zmq::pollitem_t, 2> items{
        {{router_.handle(), 0, ZMQ_POLLIN, 0}, {stopped.handle(), 0, ZMQ_POLLIN, 0}}};
    bool goes_on = true;
    while (goes_on) {
      zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
      if ((items[1].revents & ZMQ_POLLIN) != 0) return;
      zmq::message_t peer, frame;
      static_cast<void>(router_.recv(peer));
      static_cast<void>(router_.recv(frame));
      const auto from = decode_from_table(frame.to_string_view());
      const std::lock_guard lock(house_.mutex);
      if (from) goes_on = answer(peer.to_string(), *from);
    }
    router_.close();  // as the end of a process does
  }

  // False: the node ends.
  bool answer(const std::string& peer, const FromTable& from) {
    const bool is_asked_last = house_.writer.empty() && --house_.asked_before_takeover == 0;
    if (is_asked_last) house_.writer = name_;
    const bool is_writer = house_.writer == name_;
    if (house_.forged == name_) return forge(peer, from);
    if (const auto* hello = std::get_if<Hello>(&from)) {
      Welcome welcome{table, MessageNumber(house_.messages.size()), head(),
                      is_writer ? Refusal::none : Refusal::not_the_writer};
      welcome.question = hello->question;
      welcome.nodes = house_.nodes;
      for (const NodeAddress& node : house_.nodes) {
        if (!is_writer && node.name == house_.writer) welcome.writer = node.endpoint;
      }
      send(peer, welcome);
    } else if (const auto* message = std::get_if<TableMessage>(&from); message && is_writer) {
      const std::uint64_t number = message->number.value();
      if (number > house_.messages.size() + 1) return true;
      if (number == house_.messages.size() + 1) house_.messages.push_back(*message);
      if (house_.messages.size() == house_.ends_after) {
        house_.writer.clear();
        house_.ends_after = 0;
        return false;
      }
      Acknowledgements acknowledgements{{{message->number, EntryNumber(1 + number)}}, head()};
      send(peer, acknowledgements);
    } else if (is_writer) {
      send(peer, HeartbeatAnswer{table, {}, false});
    }
    return true;
  }

  // Welcomes the table with the journal's first entry, and answers whatever it gets.
  bool forge(const std::string& peer, const FromTable& from) {
    ++house_.forged_count;
    Head older;
    older.entry = EntryNumber(1);
    send(peer, HeartbeatAnswer{table, {}, false});
    if (const auto* hello = std::get_if<Hello>(&from)) {
      Welcome welcome{table, MessageNumber(0), older};
      welcome.question = hello->question;
      send(peer, welcome);
      send(peer, HeartbeatAnswer{table, {}, false});
      send(peer, Acknowledgements{{{MessageNumber(1), EntryNumber(1)}}, older});
    }
    return true;
  }

  [[nodiscard]] Head head() const {
    Head head;
    head.entry = EntryNumber(1 + house_.messages.size());
    return head;
  }

  void send(const std::string& peer, const ToTable& reply) {
    router_.send(zmq::buffer(peer), zmq::send_flags::sndmore);
    router_.send(zmq::buffer(encode(reply)), zmq::send_flags::none);
  }

  const std::string name_;
  House& house_;
  const KeyPair keys_ = make_key_pair();
  NodeAddress address_;
  zmq::context_t context_{1};
  zmq::socket_t router_{context_, zmq::socket_type::router};
  zmq::socket_t stop_{context_, zmq::socket_type::pair};
  std::thread thread_;
};

Script script_of(int first, int last) {
  std::string text;
  for (int round = first; round <= last; ++round) {
    const std::string name = "r" + std::to_string(round);
    text += R"({"event":"lock","round":")" + name + R"(","wagers":[]})" + "\n";
    text += R"({"event":"close","round":")" + name + R"("})" + "\n";
  }
  auto parsed = parse_script("test.jsonl", text);
  REQUIRE(std::holds_alternative<Script>(parsed));
  return std::get<Script>(std::move(parsed));
}

// A table with credentials that one of the nodes made for it.
struct Table {
  std::string controller_key;
  std::int64_t silence_us = never_us;
  KeyPair keys = make_key_pair();
  MemoryOutbox outbox = {};
  std::vector<std::string> told = {};
  std::vector<Cause> causes = {};
  std::function<void(const std::string&)> on_line = [](const std::string&) {};

  // An agent starts, plays the rounds at the nodes of these endpoints, and ends.
  void play(const std::vector<std::string>& endpoints, int first, int last) {
    CHECK(refused_in(endpoints, first, last) == 0);
    CHECK(outbox.unacknowledged().empty());
  }
  // The same; returns how many messages were refused.
  std::uint64_t refused_in(const std::vector<std::string>& endpoints, int first, int last) {
    TableAgent agent(table, outbox);
    const Credentials credentials{"table", table.text(), keys, controller_key};
    Uplink uplink(
        PeerChoice(endpoints, silence_us), [&] { return std::optional(credentials); },
        agent.nodes());
    ScriptDriver driver(script_of(first, last), outbox.places(ScriptDriver::prefix));
    Session::Setup setup{agent, uplink, driver, -1, "", [this](const std::string& line) {
                           told.push_back(line);
                           on_line(line);
                         }};
    setup.lockout_changed = [this](const Lockout& lockout) { causes.push_back(lockout.cause); };
    return Session(setup).run();
  }
};

// The words about the controller on the dealer's panel, each change once, until the log says `end`.
std::vector<std::string> words_until(Table& at, const std::vector<std::string>& endpoints,
                                     const std::string& end) {
  std::array<int, 2> stop{};
  REQUIRE(::pipe(stop.data()) == 0);
  const FileDescriptor stopped(stop[0]), stopping(stop[1]), woken(::eventfd(0, EFD_CLOEXEC));
  MemoryPanelTransport edge;
  edge.woken = woken.get();
  Panel panel(edge, "Demo Casino");
  TableOffers terms = device_table();
  LiveDriver play({terms, nullptr, &panel, at.outbox.place(LiveDriver::name),
                   at.outbox.unacknowledged(), [] { return std::string("f00d0001"); },
                   [](const std::string&) {}});
  TableAgent agent(table, at.outbox);
  const Credentials credentials{"table", table.text(), at.keys, at.controller_key};
  Uplink uplink(
      PeerChoice(endpoints, at.silence_us), [&] { return std::optional(credentials); },
      agent.nodes());
  Session::Setup setup{agent, uplink, play, stopped.get(), "", [&](const std::string& line) {
                         if (line == end) REQUIRE(::write(stopping.get(), "x", 1) == 1);
                       }};
  setup.panel = &panel;
  setup.table = &terms;
  Session(setup).run();
  std::vector<std::string> words;
  for (const std::string& picture : edge.pictures) {
    const std::string key = R"("controller":")";
    const std::size_t from = picture.find(key);
    if (from == std::string::npos) continue;
    const std::size_t begin = from + key.size();
    std::string one = picture.substr(begin, picture.find('"', begin) - begin);
    if (words.empty() || words.back() != one) words.push_back(std::move(one));
  }
  return words;
}

// Every message of the rounds from the first on is there once, and in order.
void check_journal(const House& house, int rounds) {
  REQUIRE(house.messages.size() == 2 * static_cast<std::size_t>(rounds));
  for (std::size_t at = 0; at < house.messages.size(); ++at) {
    CHECK(house.messages[at].number == MessageNumber(at + 1));
    const RoundId round("r" + std::to_string(at / 2 + 1));
    if (at % 2 == 0) {
      CHECK(std::get<LockRound>(house.messages[at].command).round == round);
    } else {
      CHECK(std::get<CloseRound>(house.messages[at].command).round == round);
    }
  }
}

std::string connected_line(const Node& node) {
  return "connected to " + node.address().endpoint + ", node " + node.address().name;
}

// A place where nobody listens.
const std::string nobody = "ipc:///nonexistent/nobody";

}  // namespace

// The credentials have the first node's key only; its refusal brings the key of the second.
TEST_CASE("a standby sends the table to the writer, whose key it names") {
  House house{.writer = "b"};
  const Node a("a", house), b("b", house);
  house.nodes = {a.address(), b.address()};
  Table at{a.address().key};
  at.play({a.address().endpoint}, 1, 3);
  check_journal(house, 3);
  CHECK(at.told == std::vector{connected_line(b)});
  CHECK(at.causes == std::vector{Cause::no_controller, Cause::none});
}

// Nothing but the end of the connection can make this table move: it waits an hour for an answer.
TEST_CASE("when the writer's process ends the table is at the next node, without a lock") {
  House house{.writer = "a", .ends_after = 21};
  const Node a("a", house), b("b", house);
  house.nodes = {a.address(), b.address()};
  Table at{a.address().key};
  at.play({a.address().endpoint}, 1, 40);
  check_journal(house, 40);
  CHECK(at.told == std::vector{connected_line(a), connected_line(b)});
  CHECK(at.causes == std::vector{Cause::no_controller, Cause::none});
}

TEST_CASE("after a restart the table finds a node that only its outbox names") {
  House house{.writer = "b"};
  auto a = std::make_unique<Node>("a", house);
  const Node b("b", house);
  house.nodes = {a->address(), b.address()};
  Table at{a->address().key};
  at.play({a->address().endpoint}, 1, 1);
  a.reset();
  at.told.clear();
  at.play({nobody}, 2, 2);
  check_journal(house, 2);
  CHECK(at.told == std::vector{connected_line(b)});
}

TEST_CASE("a node with another key than the known one is skipped") {
  House house{.writer = "c"};
  const Node b("b", house), c("c", house);
  house.nodes = {b.address(), c.address()};
  Table at{c.address().key};
  at.play({nobody, b.address().endpoint, c.address().endpoint}, 1, 2);
  check_journal(house, 2);
  CHECK(at.told == std::vector{connected_line(c)});
}

// It still has the first node's key and address, and the journal of the day when it was stolen.
TEST_CASE("a forged node among others is passed over, and the table goes on with the writer") {
  House house{.writer = "b"};
  const Node a("a", house), b("b", house);
  house.nodes = {a.address(), b.address()};
  Table at{a.address().key};
  at.play({a.address().endpoint}, 1, 2);
  at.told.clear();
  house.forged = "a";
  at.play({a.address().endpoint}, 3, 4);
  check_journal(house, 4);
  CHECK(house.forged_count > 0);
  REQUIRE(at.told.size() == 2);
  CHECK(at.told[0] ==
        "passes over controller a and asks the others: table C4-01: the controller has lost what "
        "it acknowledged: its journal ends at entry 1, this table has seen entry 5");
  CHECK(at.told[1] == connected_line(b));
}

TEST_CASE("the dealer's panel says what becomes of the connection") {
  House house{.writer = "b"};
  const Node a("a", house), b("b", house);
  house.nodes = {a.address(), b.address()};
  Table at{a.address().key};
  at.play({a.address().endpoint}, 1, 2);
  SUBCASE("a node that lacks what the table has seen") {
    house.forged = "a";
    auto words = words_until(at, {a.address().endpoint}, connected_line(b));
    std::erase(words, "controller a answers");  // if its frames came one by one
    CHECK(words == std::vector<std::string>{
                       "looking for a controller",
                       "controller a lacks rounds of this table; looking for another one",
                       "controller b"});
  }
  SUBCASE("a standby, while there is no writer") {
    house.writer.clear();
    CHECK(words_until(at, {a.address().endpoint}, connected_line(a)) ==
          std::vector<std::string>{"looking for a controller",
                                   "controller a answers, but does not serve tables now",
                                   "controller a"});
  }
  SUBCASE("a revoked node in the table's key file") {
    house.nodes = {b.address()};
    at.play({b.address().endpoint}, 3, 3);
    CHECK(words_until(at, {a.address().endpoint}, connected_line(b)) ==
          std::vector<std::string>{
              "looking for a controller; the one in this table's key file is revoked",
              "controller b"});
  }
}

// The thief of a key named only himself.
TEST_CASE("new credentials free a table that a stolen key has captured") {
  House house{.writer = "b"}, other{.writer = "thief"};
  const Node a("a", house), b("b", house), thief("thief", other);
  house.nodes = {a.address(), b.address()};
  Table at{a.address().key};
  const std::string old = mark_of({"table", "C4-01", make_key_pair(), make_key_pair().public_key});
  KnownNodes(at.outbox).replace({thief.address()}, {old, thief.address().key});
  at.play({a.address().endpoint}, 1, 2);
  check_journal(house, 2);
  CHECK(other.messages.empty());
  CHECK(at.told == std::vector{connected_line(b)});
  CHECK(KnownNodes(at.outbox).list() == house.nodes);
}

TEST_CASE("a table that is welcome looks for new credentials, and turns to their controller") {
  MemoryOutbox outbox;
  KnownNodes known(outbox);
  const auto made = [](const KeyPair& controller) {
    return Credentials{"table", table.text(), make_key_pair(), controller.public_key};
  };
  const KeyPair a = make_key_pair(), b = make_key_pair(), thief = make_key_pair();
  const std::string place_of_b = "ipc:///nonexistent/b";
  Credentials present = made(a);
  known.replace({{"thief", thief.public_key, nobody}}, {mark_of(present), thief.public_key});
  int looks = 0;
  const auto source = [&] {
    ++looks;
    return std::optional(present);
  };
  Uplink uplink(PeerChoice({nobody}, 100'000), source, known);
  const std::int64_t start_us = uptime().count();
  const auto after_ms = [&](std::int64_t milliseconds) {
    return Timestamp::from_microseconds(start_us + milliseconds * 1'000);
  };
  CHECK(uplink.controller().key == thief.public_key);
  for (std::int64_t now = 0; now < 10'000; now += 50) (void)uplink.update(after_ms(now), true);
  CHECK(looks <= 1 + 5);
  CHECK(uplink.controller().key == thief.public_key);

  present = made(a);
  CHECK(uplink.update(after_ms(12'000), true));
  CHECK(uplink.controller() == NodeAddress{"", a.public_key, nobody});
  CHECK(uplink.link() == KnownNodes::Link{mark_of(present), a.public_key});
  // It is a standby.
  known.hear({{"a", a.public_key, nobody}, {"b", b.public_key, place_of_b}}, uplink.link());
  uplink.know(known);
  uplink.on_refused(place_of_b, after_ms(12'100));
  CHECK(uplink.update(after_ms(12'200), false));
  CHECK(uplink.controller() == NodeAddress{"b", b.public_key, place_of_b});
}

TEST_CASE("a forged node is a fault if the table knows no other one") {
  House house{.writer = "a"};
  const Node a("a", house);
  Table at{a.address().key};
  at.play({a.address().endpoint}, 1, 2);
  house.forged = "a";
  CHECK_THROWS_AS(at.refused_in({a.address().endpoint}, 3, 4), NodeFault);
}

TEST_CASE("the first node's key is out when the house has revoked it, and new credentials are in") {
  House house{.writer = "b"};
  const Node a("a", house), b("b", house);
  house.nodes = {a.address(), b.address()};
  Table at{a.address().key};
  at.play({a.address().endpoint}, 1, 1);
  house.nodes = {b.address()};
  at.play({b.address().endpoint}, 2, 2);  // the writer's list lacks a
  house.forged = "a";
  at.play({a.address().endpoint}, 3, 3);
  CHECK(house.forged_count == 0);
  check_journal(house, 3);
  // People have brought credentials of a controller that no list names.
  house.forged.clear();
  house.writer = "a";
  house.nodes.clear();
  at.keys = make_key_pair();
  at.play({a.address().endpoint}, 4, 4);
  check_journal(house, 4);
}

// Its name server does not answer: the table is served by another node meanwhile.
TEST_CASE("a host name that nobody resolves delays no other node") {
  House house{.writer = "b"};
  const Node b("b", house);
  house.nodes = {b.address()};
  Table at{b.address().key, 200'000};
  std::size_t busy = 0;
  at.on_line = [&](const std::string& line) {
    if (line == connected_line(b)) busy = slow_names.release();
  };
  at.play({"tcp://" + std::string(slow_name) + ":1", b.address().endpoint}, 1, 2);
  CHECK(busy == 1);
  check_journal(house, 2);
  CHECK(at.told == std::vector{connected_line(b)});
}

TEST_CASE("a node that never answers is left, as is an address that no network has") {
  House house{.writer = "b"};
  const Node b("b", house);
  house.nodes = {b.address()};
  zmq::context_t context;
  zmq::socket_t mute(context, zmq::socket_type::stream);  // takes connections, and says nothing
  mute.set(zmq::sockopt::linger, 0);
  mute.bind("tcp://127.0.0.1:*");
  Table at{b.address().key, 200'000};
  at.play({mute.get(zmq::sockopt::last_endpoint), "tcp://no host!:1", b.address().endpoint}, 1, 2);
  check_journal(house, 2);
  CHECK(at.told == std::vector{connected_line(b)});
}

}  // namespace linkmeter::failover_test
