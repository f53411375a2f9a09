#include "table-agent/session.h"

#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "meters/values/limits.h"
#include "proto/host/credentials.h"
#include "table-agent/round/script_driver.h"
#include "tests/support/memory_outbox.h"

#include <doctest/doctest.h>

namespace linkmeter::session_test {
namespace {

const TableId table("C4-01");
const KeyPair controller_keys = make_key_pair();

// The table's credentials, for any controller at the other end.
std::optional<Credentials> credentials() {
  static const KeyPair own = make_key_pair();
  return Credentials{"table", table.text(), own, controller_keys.public_key};
}

// The smallest controller: it has its own key and accepts every client's. It sends a Welcome, and
// answers every message once it has `answers_from` of them. It refuses locks of round "bad" and
// blocks those of "miscounted". After a lock of round "last" it is silent until the second hello.
class Counter {
 public:
  explicit Counter(std::size_t answers_from = 1, const std::string& endpoint = "tcp://127.0.0.1:*")
      : answers_from_(answers_from) {
    router_.set(zmq::sockopt::linger, 0);
    router_.set(zmq::sockopt::curve_server, true);
    router_.set(zmq::sockopt::curve_secretkey, controller_keys.secret_key);
    router_.bind(endpoint);
    endpoint_ = router_.get(zmq::sockopt::last_endpoint);
    stop_.bind("inproc://stop");
    thread_ = std::thread([this] { serve(); });
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() { join(); }

  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  // Ends the thread and returns the messages that it received, in order.
  const std::vector<TableMessage>& join() {
    if (thread_.joinable()) {
      stop_.send(zmq::str_buffer("stop"), zmq::send_flags::none);
      thread_.join();
    }
    return messages_;
  }

 private:
  void serve() {
    zmq::socket_t stopped(context_, zmq::socket_type::pair);
    stopped.connect("inproc://stop");
    std::array<zmq::pollitem_t, 2> items{
        {{router_.handle(), 0, ZMQ_POLLIN, 0}, {stopped.handle(), 0, ZMQ_POLLIN, 0}}};
    while (true) {
      zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
      if ((items[1].revents & ZMQ_POLLIN) != 0) return;
      zmq::message_t peer, frame;
      static_cast<void>(router_.recv(peer));
      static_cast<void>(router_.recv(frame));
      const auto from = decode_from_table(frame.to_string_view());
      if (from) answer(peer.to_string(), *from);
    }
  }

  void answer(const std::string& peer, const FromTable& from) {
    Head head;
    const bool is_hello = std::holds_alternative<Hello>(from);
    if (silent_hellos_ > 0 && is_hello) --silent_hellos_;
    if (silent_hellos_ > 0) return;
    if (is_hello) {
      head.entry = EntryNumber(1 + answered_);
      Welcome welcome{table, MessageNumber(answered_), head, Refusal::none};
      welcome.question = std::get<Hello>(from).question;
      send(peer, welcome);
      return;
    }
    if (std::holds_alternative<Heartbeat>(from)) {
      send(peer, HeartbeatAnswer{table, {}, false});
      return;
    }
    const auto& submitted = std::get<TableMessage>(from);
    if (submitted.number.value() != messages_.size() + 1) return;  // a resend from a slow machine
    messages_.push_back(submitted);
    if (messages_.size() < answers_from_) return;
    Acknowledgements acknowledgements;
    for (; answered_ < messages_.size(); ++answered_) {
      const TableMessage& message = messages_[answered_];
      const auto* lock = std::get_if<LockRound>(&message.command);
      const bool is_bad = lock != nullptr && lock->round == RoundId("bad");
      acknowledgements.list.push_back({message.number, EntryNumber(2 + answered_),
                                       is_bad ? Refusal::seat_unknown : Refusal::none});
      if (lock != nullptr && lock->round == RoundId("miscounted")) {
        acknowledgements.list.back().chips_expected = 2;
      }
    }
    const auto* lock = std::get_if<LockRound>(&submitted.command);
    if (lock != nullptr && lock->round == RoundId("last")) silent_hellos_ = 2;
    acknowledgements.head.entry = EntryNumber(1 + answered_);
    send(peer, acknowledgements);
  }

  void send(const std::string& peer, const ToTable& reply) {
    router_.send(zmq::buffer(peer), zmq::send_flags::sndmore);
    router_.send(zmq::buffer(encode(reply)), zmq::send_flags::none);
  }

  zmq::context_t context_{1};
  zmq::socket_t router_{context_, zmq::socket_type::router};
  zmq::socket_t stop_{context_, zmq::socket_type::pair};
  std::string endpoint_;
  std::size_t answers_from_;
  std::vector<TableMessage> messages_;
  std::size_t answered_ = 0;
  std::size_t silent_hellos_ = 0;
  std::thread thread_;
};

Script script_of(const std::string& text) {
  auto parsed = parse_script("test.jsonl", text);
  REQUIRE(std::holds_alternative<Script>(parsed));
  return std::get<Script>(std::move(parsed));
}

// Submits nothing, and is never over.
class IdleDriver final : public RoundDriver {
 public:
  std::optional<Step> next() override { return std::nullopt; }
  [[nodiscard]] bool is_over() const override { return false; }
};

struct Table {
  MemoryOutbox outbox;
  TableAgent agent;
  std::vector<std::string> told;
  std::array<int, 2> stop{};

  explicit Table(const TableAgent::Intervals& intervals = {}) : agent(table, outbox, intervals) {
    REQUIRE(::pipe(stop.data()) == 0);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() {
    ::close(stop[0]);
    ::close(stop[1]);
  }
  Session::Setup setup(Uplink& uplink, RoundDriver& play, const std::string& endpoint) {
    return {agent,   uplink,   play,
            stop[0], endpoint, [this](const std::string& line) { told.push_back(line); }};
  }
};

// Submits nothing; its position is the last answer.
class Listener final : public RoundDriver {
 public:
  std::optional<Step> next() override { return std::nullopt; }
  std::optional<Position> on_reply(const std::vector<Answered>& answered) override {
    return Position{"listener", std::to_string(answered.back().number.value())};
  }
};

constexpr const char* two_rounds = R"({"event":"lock","round":"bad","wagers":[]}
{"event":"wait","ms":1}
{"event":"lock","round":"r2","wagers":[]}
{"event":"close","round":"r2"}
)";

}  // namespace

TEST_CASE("a script is sent in order, and the session ends when all of it is answered") {
  Counter counter;
  Table at;
  ScriptDriver play(script_of(two_rounds), {});
  Uplink uplink(counter.endpoint(), credentials);
  Session session(at.setup(uplink, play, counter.endpoint()));
  CHECK(session.run() == 1);
  CHECK_FALSE(session.was_stopped());
  CHECK(at.outbox.unacknowledged().empty());

  const auto& submitted = counter.join();
  REQUIRE(submitted.size() == 3);
  CHECK(std::get<LockRound>(submitted[0].command).round == RoundId("bad"));
  CHECK(std::get<LockRound>(submitted[1].command).round == RoundId("r2"));
  CHECK(std::get<CloseRound>(submitted[2].command).round == RoundId("r2"));

  REQUIRE(at.told.size() == 2);
  CHECK(at.told[0] == "connected to " + counter.endpoint());
  CHECK(at.told[1].find(":1: message 1 (lock bad) refused: seat_unknown (") != std::string::npos);

  ScriptDriver again(script_of(two_rounds), at.outbox.places(ScriptDriver::prefix));
  CHECK(again.resumed_after() == again.event_count());
}

TEST_CASE("a refused or miscounted event is logged with its line and the wager at fault") {
  Counter counter;
  Table at;
  ScriptDriver play(
      script_of(
          R"({"event":"lock","round":"bad","wagers":[{"seat":9,"wager":"a/b","amount":"5.00"}]}

{"event":"lock","round":"miscounted","wagers":[],"chips":1}
)"),
      {});
  Uplink uplink(counter.endpoint(), credentials);
  Session session(at.setup(uplink, play, counter.endpoint()));
  CHECK(session.run() == 1);
  REQUIRE(at.told.size() == 3);
  const std::string_view refused = at.told[1];
  CHECK(refused.find(":1: message 1 (lock bad: seat 9, a/b $5.00) refused: seat_unknown (") !=
        std::string_view::npos);
  const std::string_view blocked = at.told[2];
  CHECK(
      blocked.ends_with(":3: lock miscounted: 1 chip counted, 2 expected; the round is blocked "
                        "until resolve or void"));
}

TEST_CASE("with a full window the session waits for answers, and loses nothing") {
  // Nothing is answered before the window is full.
  Counter counter(limits::messages_open_max);
  std::string text;
  for (std::size_t round = 0; round < limits::messages_open_max; ++round) {
    text += R"({"event":"close","round":"r"})"
            "\n";
  }
  Table at;
  ScriptDriver play(script_of(text), {});
  Uplink uplink(counter.endpoint(), credentials);
  Session session(at.setup(uplink, play, counter.endpoint()));
  CHECK(session.run() == 0);
  CHECK(at.agent.last_number().value() == limits::messages_open_max);
  CHECK(at.agent.all_acknowledged());
}

TEST_CASE("without a driver the stored messages are delivered; a stop ends the wait") {
  Counter counter;
  Table at;
  at.agent.submit(CloseRound{RoundId("r1"), Badge()}, {"script/a", "x"}, Timestamp());
  REQUIRE(::write(at.stop[1], "x", 1) == 1);  // stopped at once: it still drains the outbox
  Uplink uplink(counter.endpoint(), credentials);
  IdleDriver idle;
  Session session(at.setup(uplink, idle, counter.endpoint()));
  CHECK(session.run() == 0);
  CHECK(session.was_stopped());
  CHECK(at.agent.all_acknowledged());
  CHECK(counter.join().size() == 1);
}

TEST_CASE("an answer that arrives during the stop still moves the driver's position") {
  Counter counter;
  Table at;
  at.agent.submit(CloseRound{RoundId("r1"), Badge()}, {"listener", "0"}, Timestamp());
  REQUIRE(::write(at.stop[1], "x", 1) == 1);
  Listener play;
  Uplink uplink(counter.endpoint(), credentials);
  Session session(at.setup(uplink, play, counter.endpoint()));
  CHECK(session.run() == 0);
  CHECK(at.outbox.place("listener") == "1");
}

TEST_CASE("a table without a controller submits nothing new and can be stopped") {
  Table at;
  ScriptDriver play(script_of(two_rounds), {});
  const std::string nobody = "ipc:///nonexistent/nobody";
  Uplink uplink(nobody, credentials);
  CHECK_FALSE(uplink.send("hello"));
  REQUIRE(::write(at.stop[1], "x", 1) == 1);
  Session session(at.setup(uplink, play, nobody));
  CHECK(session.run() == 0);
  CHECK(at.outbox.last_number() == MessageNumber(0));
  CHECK(at.told.empty());
}

TEST_CASE("a stop logs how many messages are kept for the next run") {
  for (const std::size_t kept : {std::size_t{1}, std::size_t{3}}) {
    Counter counter(/*answers_from=*/100);
    Table at;
    at.agent.submit(std::vector<TableCommand>(kept, CloseRound{RoundId("r1"), Badge()}),
                    {"script/a", "x"}, Timestamp());
    Uplink uplink(counter.endpoint(), credentials);
    IdleDriver idle;
    Session::Setup setup = at.setup(uplink, idle, counter.endpoint());
    // Stopped as soon as it is connected, and a second time, so that it does not drain the outbox.
    setup.log = [&at](const std::string& line) {
      if (at.told.empty()) REQUIRE(::write(at.stop[1], "x", 1) == 1);
      at.told.push_back(line);
    };
    REQUIRE(::write(at.stop[1], "x", 1) == 1);
    Session session(setup);
    CHECK(session.run() == 0);
    CHECK(session.was_stopped());
    CHECK(at.outbox.unacknowledged().size() == kept);
    REQUIRE(at.told.size() == 2);
    CHECK(at.told[0] == "connected to " + counter.endpoint());
    CHECK(at.told[1] == (kept == 1 ? "1 message is kept for the next run"
                                   : "3 messages are kept for the next run"));
  }
}

TEST_CASE("a table that loses its controller locks, ends its round, catches up and unlocks") {
  Counter counter;
  Table at({.lost_after_us = 200'000});
  // The wait is longer than lost_after, and ends before the hello that the controller answers.
  ScriptDriver play(script_of(R"({"event":"lock","round":"last","wagers":[]}
{"event":"wait","ms":300}
{"event":"close","round":"last"}
{"event":"lock","round":"r2","wagers":[]}
)"),
                    {});
  Uplink uplink(counter.endpoint(), credentials);
  Session::Setup setup = at.setup(uplink, play, counter.endpoint());
  using Cause = Lockout::Cause;
  std::vector<Cause> causes;
  std::vector<MessageNumber> submitted;  // by then
  setup.lockout_changed = [&](const Lockout& lockout) {
    causes.push_back(lockout.cause);
    submitted.push_back(at.agent.last_number());
  };
  Session session(setup);
  CHECK(session.run() == 0);
  CHECK(causes == std::vector{Cause::no_controller, Cause::none, Cause::no_controller,
                              Cause::catching_up, Cause::none});
  // The close was submitted during the loss; the next lock only after the table was open again.
  CHECK(submitted == std::vector{MessageNumber(0), MessageNumber(0), MessageNumber(1),
                                 MessageNumber(2), MessageNumber(2)});
  const auto& messages = counter.join();
  REQUIRE(messages.size() == 3);
  CHECK(std::get<CloseRound>(messages[1].command).round == RoundId("last"));
  CHECK(std::get<LockRound>(messages[2].command).round == RoundId("r2"));
  REQUIRE(at.told.size() == 4);
  CHECK(at.told[1] ==
        "progressive locked: no message from the controller for 0.2 s; the game itself goes on");
  CHECK(at.told[2] == "the controller is back; earlier messages are delivered first");
  CHECK(at.told[3].starts_with("progressive open again after "));
}

TEST_CASE("without credentials or a controller, the log says once that the table is locked") {
  Table at({.lost_after_us = 50'000});
  bool has_key = false;
  Uplink uplink("ipc:///none", [&] { return has_key ? credentials() : std::nullopt; });
  IdleDriver idle;
  Session::Setup setup = at.setup(uplink, idle, "ipc:///none");
  setup.log = [&](const std::string& line) {
    at.told.push_back(line);
    if (std::exchange(has_key, true)) REQUIRE(::write(at.stop[1], "x", 1) == 1);
  };
  CHECK(Session(setup).run() == 0);
  REQUIRE_EQ(at.told.size(), 2);
  CHECK(at.told[0] == "without credentials there is no connection; the progressive is locked");
  CHECK(at.told[1].starts_with("no controller at ipc:///none that knows this table's key"));
}

TEST_CASE("a table connects as soon as its credentials arrive") {
  Counter counter;
  Table at;
  ScriptDriver play(script_of(two_rounds), {});
  int looks = 0;
  Uplink uplink(counter.endpoint(),
                [&looks] { return ++looks < 3 ? std::nullopt : credentials(); });
  CHECK_FALSE(uplink.send("hello"));
  Session session(at.setup(uplink, play, counter.endpoint()));
  CHECK(session.run() == 1);
  CHECK(looks >= 3);
}

// ZeroMQ itself would never try again.
TEST_CASE("a table connects again after another program answered it") {
  std::string endpoint;
  std::optional<Uplink> uplink;
  {
    // It sends the greeting of a server without keys, and waits until the table has disconnected.
    zmq::context_t context;
    zmq::socket_t impostor(context, zmq::socket_type::stream);
    impostor.set(zmq::sockopt::linger, 0);
    impostor.set(zmq::sockopt::rcvtimeo, 20'000);
    impostor.bind("tcp://127.0.0.1:*");
    endpoint = impostor.get(zmq::sockopt::last_endpoint);
    uplink.emplace(endpoint, credentials);
    zmq::message_t peer, bytes;
    REQUIRE(impostor.recv(peer).has_value());
    REQUIRE(impostor.recv(bytes).has_value());
    std::string greeting(64, '\0');
    greeting.replace(0, 16, std::string("\xff\0\0\0\0\0\0\0\1\x7f\3\1NULL", 16));
    impostor.send(peer, zmq::send_flags::sndmore);
    impostor.send(zmq::buffer(greeting), zmq::send_flags::none);
    // ZeroMQ reports an end, like a beginning, with an empty frame.
    while (!bytes.empty() || peer.empty()) {
      REQUIRE(impostor.recv(peer).has_value());
      REQUIRE(impostor.recv(bytes).has_value());
    }
  }
  Counter counter(1, endpoint);
  Table at;
  ScriptDriver play(script_of(two_rounds), {});
  Session session(at.setup(*uplink, play, endpoint));
  CHECK(session.run() == 1);
  CHECK(counter.join().size() == 3);
}

}  // namespace linkmeter::session_test
