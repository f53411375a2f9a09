#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "controller/telemetry/turn_log.h"
#include "meters/values/limits.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "tests/support/curve_identity.h"
#include "tests/support/raw_table.h"
#include "tests/support/real_floor.h"
#include "tests/support/scoped_directory.h"

// A real controller, and tables that misbehave. Whatever they send, they get a named refusal or
// lose their connection. No entry is written, and a well-behaved table plays on.
namespace linkmeter::hostile_test {
namespace {

const std::filesystem::path programs = std::filesystem::path(LINKMETER_BINARY_DIR) / "bin";
const std::filesystem::path demo_floor =
    std::filesystem::path(LINKMETER_SOURCE_DIR) / "config" / "demo" / "floor.toml";

std::string lock_bytes(const std::string& table, std::uint64_t number, const std::string& round) {
  LockRound lock;
  lock.round = RoundId(round);
  lock.wagers = {{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)},
                 {Seat(5), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
  lock.chips = 2;
  return encode(TableMessage{TableId(table), MessageNumber(number), Digest{},
                             Timestamp::from_microseconds(1), lock});
}

// The one acknowledgement; which frame it answers is not checked here.
Acknowledgement only(const ToTable& reply) {
  const auto* answer = std::get_if<Acknowledgements>(&reply);
  REQUIRE(answer != nullptr);
  REQUIRE(answer->list.size() == 1);
  Acknowledgement one = answer->list.front();
  one.mark = 0;
  return one;
}

// The next `count` acknowledgements, however many one message contains.
std::vector<Acknowledgement> answers(RawTable& table, std::size_t count) {
  std::vector<Acknowledgement> all;
  while (all.size() < count) {
    const ToTable reply = table.receive();
    const auto* some = std::get_if<Acknowledgements>(&reply);
    REQUIRE(some != nullptr);
    all.insert(all.end(), some->list.begin(), some->list.end());
  }
  CHECK(all.size() == count);
  for (Acknowledgement& one : all) one.mark = 0;
  return all;
}

// A floor on which C4-01 has played one round. At the end it checks that nothing has changed,
// whatever happened, and that C4-01 plays on.
class HostileFloor {
 public:
  HostileFloor() {
    REQUIRE(run_program(programs / "linkmeter",
                        {"init", "--floor", demo_floor.string(), "--data", data()})
                .code == 0);
    controller_.emplace(
        RunningController::Start{programs / "linkmeter-controller", demo_floor, data(), log(), {}});
    honest_.emplace(context_, controller_->endpoint(), credentials("C4-01"));
    const Acknowledgement first = say_honestly(first_lock());
    REQUIRE(first.refusal == Refusal::none);
    REQUIRE(first.entry == EntryNumber(3));  // after the floor's opening and the self-check
    before_ = picture();
    memory_before_bytes_ = controller_->memory_peak_bytes();
  }

  void check_unharmed(std::uint64_t memory_bytes_max = 50'000'000) {
    CHECK(picture() == before_);
    const Acknowledgement next = say_honestly(lock_bytes("C4-01", 2, "r2"));
    CHECK(next == Acknowledgement{MessageNumber(2), EntryNumber(4), Refusal::none});
    CHECK(controller_->is_running());
    // However large a frame was, the controller never buffered it.
    CHECK(controller_->memory_peak_bytes() < memory_before_bytes_ + memory_bytes_max);
    // However many refusals there were, they do not fill the log: it has a limited number of lines
    // a second with a count of the others (turn_log.h), at most 160 bytes each.
    const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begun_;
    const auto lines = 40 + (static_cast<std::uint64_t>(lasted.count()) + 2) *
                                (TurnLog::refusals_per_second_max + 1);
    CHECK(std::filesystem::file_size(log()) < 160 * lines);
  }

  [[nodiscard]] static std::string first_lock() { return lock_bytes("C4-01", 1, "r1"); }
  // A peer with the key of that table.
  [[nodiscard]] RawTable peer(const std::string& table) {
    return RawTable(context_, controller_->endpoint(), credentials(table));
  }
  [[nodiscard]] RawTable& honest() { return *honest_; }
  // A subscriber with a viewer's key that may send what no viewer sends.
  [[nodiscard]] zmq::socket_t viewer() {
    zmq::socket_t socket = unconnected_viewer();
    socket.connect(controller_->feed_endpoint());
    return socket;
  }
  [[nodiscard]] zmq::socket_t unconnected_viewer() {
    zmq::socket_t socket(context_, zmq::socket_type::xsub);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::sndhwm, 0);
    identify(socket, read_credentials(directory_.path() / "data" / "credentials" / "viewers" /
                                      credentials_file_name("feed")));
    return socket;
  }
  // A sign with another key, which is a table's key.
  [[nodiscard]] zmq::socket_t honest_viewer() {
    zmq::socket_t socket(context_, zmq::socket_type::sub);
    socket.set(zmq::sockopt::linger, 0);
    identify(socket, credentials("C4-01"));
    socket.set(zmq::sockopt::subscribe, std::string_view("meter/C4-MEGA\0", 14));
    socket.connect(controller_->feed_endpoint());
    return socket;
  }
  [[nodiscard]] std::string feed_endpoint() const { return controller_->feed_endpoint(); }
  [[nodiscard]] bool has_logged(const std::string& words) const {
    std::ifstream file(log());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find(words) != std::string::npos;
  }

 private:
  [[nodiscard]] Credentials credentials(const std::string& table) const {
    return read_credentials(directory_.path() / "data" / "credentials" /
                            credentials_file_name(table));
  }
  [[nodiscard]] std::string data() const { return (directory_.path() / "data").string(); }
  [[nodiscard]] std::filesystem::path log() const { return directory_.path() / "log"; }
  // The journal's head and its digest, and a check that every balance follows from the entries.
  [[nodiscard]] std::string picture() const {
    const ProgramEnd end =
        run_program(programs / "linkmeter", {"audit", "--data", data(), "--json"});
    REQUIRE(end.code == 0);
    return end.output;
  }
  Acknowledgement say_honestly(const std::string& bytes) {
    honest_->send(encode(Hello{TableId("C4-01")}));
    const ToTable welcome = honest_->receive();
    REQUIRE(std::get_if<Welcome>(&welcome) != nullptr);
    CHECK(std::get<Welcome>(welcome).refusal == Refusal::none);
    honest_->send(bytes);
    return only(honest_->receive());
  }

  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  ScopedDirectory directory_;
  zmq::context_t context_;
  std::optional<RunningController> controller_;
  std::optional<RawTable> honest_;
  std::string before_;
  std::uint64_t memory_before_bytes_ = 0;
};

}  // namespace

TEST_CASE("a message cut at any byte is refused") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  const std::string whole = lock_bytes("C4-02", 1, "r1");
  for (std::size_t length = 0; length < whole.size(); ++length) table.send(whole.substr(0, length));
  for (const Acknowledgement& answer : answers(table, whole.size())) {
    CHECK(answer == Acknowledgement{{}, {}, Refusal::message_malformed});
  }
  floor.check_unharmed();
}

TEST_CASE("random bytes and an empty frame are refused") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  std::mt19937 random(20'260'101);
  constexpr std::size_t count = 2'000;
  for (std::size_t number = 0; number < count; ++number) {
    std::string bytes(number % 4 == 0 ? 0 : random() % 500, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    table.send(bytes);
  }
  for (const Acknowledgement& answer : answers(table, count)) {
    CHECK(answer == Acknowledgement{{}, {}, Refusal::message_malformed});
  }
  floor.check_unharmed();
}

TEST_CASE("names that are not text are refused and cannot forge a log line") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  std::string bytes = lock_bytes("C4-02", 1, "r0r0r0");
  bytes.replace(bytes.find("r0r0r0"), 6, "\xff\xfe\xfd\xfc\xfb\xfa");
  constexpr std::size_t count = 2'000;
  for (std::size_t number = 0; number < count; ++number) table.send(bytes);
  for (const Acknowledgement& answer : answers(table, count)) {
    CHECK(answer == Acknowledgement{{}, {}, Refusal::message_malformed});
  }
  floor.check_unharmed();
}

TEST_CASE("a message with damaged bytes, sent over another table's connection, never counts") {
  HostileFloor floor;
  RawTable stranger = floor.peer("BJ-01");  // its name differs in more than one bit
  const std::string whole = lock_bytes("C4-02", 1, "r1");
  std::size_t sent = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit, ++sent) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      stranger.send(damaged);
    }
  }
  // One of them may decode as a Hello: it gets a Welcome with a refusal.
  std::size_t answered = 0;
  while (answered < sent) {
    const ToTable reply = stranger.receive();
    if (const auto* welcome = std::get_if<Welcome>(&reply)) {
      CHECK(welcome->refusal != Refusal::none);
      ++answered;
      continue;
    }
    for (const Acknowledgement& answer : std::get<Acknowledgements>(reply).list) {
      CHECK(answer.entry == EntryNumber());
      CHECK(answer.refusal != Refusal::none);
      ++answered;
    }
  }
  floor.check_unharmed();
}

TEST_CASE("a frame of 100 MB closes its sender's connection and affects nobody else") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  table.send(std::string(100'000'000, 'x'));
  table.send(std::string(limits::message_bytes_max + 1, 'x'));
  // The same peer is accepted again after it reconnects and sends short frames.
  RawTable again = floor.peer("C4-03");
  again.send(encode(Hello{TableId("C4-03")}));
  const ToTable reply = again.receive();
  REQUIRE(std::get_if<Welcome>(&reply) != nullptr);
  CHECK(std::get<Welcome>(reply).refusal == Refusal::none);
  floor.check_unharmed();
}

TEST_CASE("the longest possible message of zeros is refused") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  table.send(std::string(limits::message_bytes_max, 'x'));
  CHECK(only(table.receive()).refusal == Refusal::message_malformed);
  floor.check_unharmed();
}

TEST_CASE("no table can send for another one") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  table.send(lock_bytes("C4-01", 2, "stolen"));
  CHECK(only(table.receive()) == Acknowledgement{MessageNumber(2), {}, Refusal::table_not_yours});
  table.send(encode(Hello{TableId("C4-01")}));
  const ToTable reply = table.receive();
  REQUIRE(std::get_if<Welcome>(&reply) != nullptr);
  CHECK(std::get<Welcome>(reply).refusal == Refusal::table_not_yours);
  CHECK(std::get<Welcome>(reply).last_number == MessageNumber());
  table.send(encode(Heartbeat{TableId("C4-01")}));
  CHECK(only(table.receive()) == Acknowledgement{{}, {}, Refusal::table_not_yours});
  // Also the message that was already sent, and one that would be its own.
  table.send(HostileFloor::first_lock());
  CHECK(only(table.receive()) == Acknowledgement{MessageNumber(1), {}, Refusal::table_not_yours});
  table.send(lock_bytes("C4-03", 1, "r1"));
  CHECK(only(table.receive()) == Acknowledgement{MessageNumber(1), {}, Refusal::table_not_yours});
  floor.check_unharmed();
}

TEST_CASE("a table that is not on the floor is refused") {
  HostileFloor floor;
  RawTable table = floor.peer("C4-02");
  for (const std::string& name : {std::string("C4-77"), std::string(255, 'x'),
                                  std::string("C4-01\nstart data=/"), std::string("\x01\xff", 2)}) {
    table.send(lock_bytes(name, 1, "r1"));
    const Acknowledgement answer = only(table.receive());
    // Bytes that are not UTF-8 text do not even decode as a message.
    CHECK(
        (answer.refusal == Refusal::table_unknown || answer.refusal == Refusal::message_malformed));
    CHECK(answer.entry == EntryNumber());
  }
  table.send(encode(Hello{TableId("C4-77")}));
  const ToTable reply = table.receive();
  REQUIRE(std::get_if<Welcome>(&reply) != nullptr);
  CHECK(std::get<Welcome>(reply).refusal == Refusal::table_unknown);
  floor.check_unharmed();
}

TEST_CASE("an answered message number cannot be used for other content") {
  HostileFloor floor;
  floor.honest().send(lock_bytes("C4-01", 1, "other"));
  CHECK(only(floor.honest().receive()) ==
        Acknowledgement{MessageNumber(1), {}, Refusal::message_number_reused});
  floor.check_unharmed();
}

TEST_CASE("a message that is sent 1,000 times counts once") {
  HostileFloor floor;
  for (int time = 0; time < 1'000; ++time) floor.honest().send(HostileFloor::first_lock());
  for (const Acknowledgement& answer : answers(floor.honest(), 1'000)) {
    CHECK(answer == Acknowledgement{MessageNumber(1), EntryNumber(3), Refusal::none});
  }
  floor.check_unharmed();
}

TEST_CASE("a message number out of order is refused") {
  HostileFloor floor;
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t number : {std::uint64_t{3}, std::uint64_t{1'000'000}, largest}) {
    floor.honest().send(lock_bytes("C4-01", number, "early"));
    CHECK(only(floor.honest().receive()) ==
          Acknowledgement{MessageNumber(number), {}, Refusal::message_out_of_order});
  }
  floor.honest().send(lock_bytes("C4-01", 0, "zero"));
  CHECK(only(floor.honest().receive()).refusal == Refusal::message_malformed);
  floor.check_unharmed();
}

// The address sanitizer keeps up to 256 MB of freed memory.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::uint64_t flood_bytes_max = 700'000'000;
#else
constexpr std::uint64_t flood_bytes_max = 100'000'000;
#endif
#else
constexpr std::uint64_t flood_bytes_max = 100'000'000;
#endif

TEST_CASE("a viewer that floods the feed with unknown topics costs neither memory nor time") {
  HostileFloor floor;
  zmq::socket_t hostile = floor.viewer();
  // ZeroMQ uses more than 10 kB for each of them, which are 400 bytes long.
  for (int number = 0; number < 20'000; ++number) {
    std::string topic = "\1meter/" + std::to_string(number);
    topic.resize(400, 'x');
    hostile.send(zmq::buffer(topic), zmq::send_flags::none);
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!floor.has_logged("refused a connection to the feed") &&
         std::chrono::steady_clock::now() < until) {
    floor.honest().send(encode(Heartbeat{TableId("C4-01")}));
    const auto asked = std::chrono::steady_clock::now();
    CHECK(std::holds_alternative<HeartbeatAnswer>(floor.honest().receive()));
    // The time that a table waits before it locks (L5).
    CHECK(std::chrono::steady_clock::now() - asked < std::chrono::seconds(2));
  }
  CHECK(floor.has_logged("refused a connection to the feed"));
  floor.check_unharmed(flood_bytes_max);
}

// The longest time without an update since the beginning.
class Silence {
 public:
  void take(zmq::socket_t& viewer) {
    zmq::message_t update;
    while (viewer.recv(update, zmq::recv_flags::dontwait)) note();
  }
  void note() {
    const Clock::time_point now = Clock::now();
    longest_ = std::max(longest_, now - std::exchange(last_, now));
  }
  [[nodiscard]] std::chrono::duration<double> longest() {
    return std::max(longest_, Clock::now() - last_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  Clock::duration longest_{};
};

// Connections that subscribe before they connect send all topics at once, and again at each
// reconnect.
TEST_CASE("one key with many flooding connections does not block viewers with other keys") {
  HostileFloor floor;
  zmq::socket_t sign = floor.honest_viewer();
  zmq::message_t update;
  REQUIRE(sign.recv(update).has_value());
  std::vector<zmq::socket_t> hostile;
  for (int number = 0; number < 16; ++number) {
    zmq::socket_t& socket = hostile.emplace_back(floor.unconnected_viewer());
    for (int topic = 0; topic < 250; ++topic) {
      std::string bytes = "\1meter/" + std::to_string(number) + "/" + std::to_string(topic) + "/";
      bytes.resize(440, 'x');
      socket.send(zmq::buffer(bytes), zmq::send_flags::none);
    }
  }
  Silence silence;
  for (zmq::socket_t& socket : hostile) {
    for (int connection = 0; connection < 8; ++connection) socket.connect(floor.feed_endpoint());
  }
  const auto begun = std::chrono::steady_clock::now();
  std::optional<zmq::socket_t> newcomer;
  bool newcomer_heard = false;
  while (std::chrono::steady_clock::now() < begun + std::chrono::seconds(6)) {
    if (!newcomer && std::chrono::steady_clock::now() > begun + std::chrono::seconds(1)) {
      newcomer = floor.honest_viewer();
    }
    if (newcomer && newcomer->recv(update, zmq::recv_flags::dontwait)) newcomer_heard = true;
    silence.take(sign);
    floor.honest().send(encode(Heartbeat{TableId("C4-01")}));
    const auto asked = std::chrono::steady_clock::now();
    CHECK(std::holds_alternative<HeartbeatAnswer>(floor.honest().receive()));
    CHECK(std::chrono::steady_clock::now() - asked < std::chrono::seconds(2));
    // Otherwise this test floods as well.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(silence.longest().count() < 3.0);  // after 3 s the amount is too old to be shown
  CHECK(newcomer_heard);
  hostile.clear();
  floor.check_unharmed(flood_bytes_max);
}

}  // namespace linkmeter::hostile_test
