// The order of one round of the controller's event loop: days end before the turn, replies are sent
// when it is durable and before the services learn of it, and a stop signal ends the loop after the
// round.
#include "controller/event_loop.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "controller/integrity/key_rotation.h"
#include "controller/sockets/control_endpoint.h"
#include "controller/time/calendar.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/wakeup.h"
#include "tests/support/acting_house.h"
#include "tests/support/curve_identity.h"
#include "tests/support/gate.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/stop_signal.h"

namespace linkmeter::event_loop_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

Timestamp two_days_ago() {
  const auto then = std::chrono::system_clock::now() - std::chrono::hours(48);
  return Timestamp::from_microseconds(
      std::chrono::duration_cast<microseconds>(then.time_since_epoch()).count());
}

// Records its calls, and may act on them.
class Recorder final : public Service {
 public:
  Recorder(std::string name, std::vector<std::string>& calls)
      : name_(std::move(name)), calls_(calls) {}

  [[nodiscard]] std::optional<microseconds> due(microseconds /*uptime*/) const override {
    return due_at;
  }
  void on_turn(const CommittedTurn& done) override {
    calls_.push_back(name_ + ": turn of " + std::to_string(done.messages) + "+" +
                     std::to_string(done.requests));
    if (turned) turned(done);
  }
  void on_tables_changed(const std::vector<TablePresence::Change>& /*changes*/,
                         const State& /*state*/) override {
    calls_.push_back(name_ + ": tables changed");
  }
  void serve(Moment now) override {
    calls_.push_back(name_ + ": serve");
    if (served) served(now);
  }

  std::optional<microseconds> due_at;
  std::function<void(const CommittedTurn&)> turned;
  std::function<void(Moment)> served;

 private:
  std::string name_;
  std::vector<std::string>& calls_;
};

// A journal in memory that is durable when the test says so.
class HeldJournal final : public Journal {
 public:
  void hold() { holds_ = true; }
  // The first commit that waits is durable now; or all of them.
  void release_one() {
    if (!waiting_.empty()) waiting_.erase(waiting_.begin());
    advanced_.signal();
  }
  void release() {
    waiting_.clear();
    advanced_.signal();
  }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  std::size_t settles = 0;
  std::function<void()> submitted = [] {};

  [[nodiscard]] Head head() const override { return journal_.head(); }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override {
    submit(entries, rows);
    settle();
  }
  void submit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override {
    const EntryNumber before = head().entry;
    journal_.commit(entries, rows);
    if (!holds_) return;
    waiting_.push_back(before);
    submitted();
  }
  [[nodiscard]] EntryNumber durable() override {
    advanced_.clear();
    return waiting_.empty() ? head().entry : waiting_.front();
  }
  void settle() override {
    ++settles;
    waiting_.clear();
  }
  [[nodiscard]] std::optional<int> descriptor() const override { return advanced_.descriptor(); }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    journal_.read(from, visit);
  }
  [[nodiscard]] std::vector<Row> rows() const override { return journal_.rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return journal_.row(key);
  }
  [[nodiscard]] Stored stored() const override { return journal_.stored(); }
  [[nodiscard]] JournalSpace room() const override { return journal_.room(); }
  void maintain() override {}
  void snapshot_to(const std::filesystem::path& folder) const override {
    journal_.snapshot_to(folder);
  }

 private:
  MemoryJournal journal_;
  Wakeup advanced_;
  std::vector<EntryNumber> waiting_;  // the entry before each commit that is not durable
  bool holds_ = false;
};

// All parts of a loop, over a journal in memory whose floor was opened two days ago.
struct World {
  StopSignal stop;
  ScopedDirectory folder;
  ActingHouse floor{two_days_ago()};
  HeldJournal journal;
  Clock clock{{.not_before = floor.now}};
  std::optional<Controller> controller;
  std::optional<ClockGuard> clock_guard;
  std::optional<DayRolloverService> days;
  std::optional<HealthMonitor> health;
  ControlEndpoint endpoint{folder.path()};
  Gate gate;
  TableSocket tables{gate.context(), gate.admission(), "tcp://127.0.0.1:*"};
  ControlSocket operators{gate.context(), gate.admission(), endpoint};
  TablePresence presence{floor.file.floor.tables.size(), std::chrono::seconds(5),
                         Moment{floor.now, {}}};
  PanelLogins panels;
  Authenticator authenticator{{&operators, &panels}};
  KeyRotation rotation{folder.path()};
  std::optional<KeyReplacement> keys;
  ShownAmounts shown;
  std::optional<EventLoop> loop;
  std::vector<std::string> calls;
  Recorder first{"first", calls}, second{"second", calls};

  const Credentials first_table = gate.table("C4-01"), second_table = gate.table("C4-02");
  // In each round, and before each turn is answered.
  std::function<void()> each_round = [] {};

  World() {
    std::vector<Enrolment> keys_of_tables;
    for (const Credentials& one : {first_table, second_table}) {
      keys_of_tables.push_back({EnrolmentKind::table, one.name, one.keys.public_key});
    }
    floor.opening =
        open_floor(FloorOpened{floor.file.floor, floor.file.text, floor.file.catalogue_texts,
                               acting_staff(), keys_of_tables},
                   floor.now);
    floor.state = State();
    floor.state.apply(floor.opening);
    journal.commit({encode(floor.opening)}, rows_for(floor.state, floor.state.take_changes()));
    controller.emplace(journal, floor.file.rules, std::move(floor.state));
    clock_guard.emplace(*controller, clock.recorded(), RecordedTime::step_default);
    days.emplace(*controller, journal, Calendar("America/New_York", "06:00"));
    health.emplace(*controller, journal, clock,
                   HealthMonitor::Terms{folder.path(), DiskReserve{0, 1}});
    keys.emplace(rotation, *controller);
    loop.emplace(EventLoop::Parts{*controller, journal, clock, *health, *clock_guard, *days, shown,
                                  presence, tables, panels, operators, authenticator, *keys,
                                  [this] { each_round(); }});
    loop->add(first);
    loop->add(second);
  }
  zmq::socket_t table() { return table(first_table); }
  zmq::socket_t table(const Credentials& credentials) {
    zmq::socket_t socket(gate.context(), zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::rcvtimeo, 20'000);
    identify(socket, credentials);
    socket.connect(tables.endpoint());
    return socket;
  }
};

// A round of one chip, which becomes an entry.
void play(zmq::socket_t& socket, const Credentials& table, std::uint64_t number) {
  TableMessage message;
  message.table = TableId(table.name);
  message.number = MessageNumber(number);
  message.command = lock_of("r" + std::to_string(number), {five_card(1)});
  socket.send(zmq::buffer(encode(message)), zmq::send_flags::none);
}

bool has_reply(zmq::socket_t& socket) {
  zmq::message_t reply;
  return socket.recv(reply, zmq::recv_flags::dontwait).has_value();
}

}  // namespace

TEST_CASE("a turn runs after the ended days and before the services, in their order") {
  World world;
  zmq::socket_t table = world.table();
  std::size_t days_ended = 0;
  bool is_answered = false;
  world.first.turned = [&](const CommittedTurn& done) {
    days_ended = done.state.days().size();
    zmq::message_t reply;
    is_answered = table.recv(reply).has_value();
    world.calls.clear();
    world.calls.emplace_back("first: turn");
    ::raise(SIGTERM);
  };
  table.send(zmq::str_buffer("no message"));
  world.loop->run(world.stop.signal());
  CHECK(is_answered);
  CHECK_GE(days_ended, 1);
  // The round of the turn, and the one that finds the signal.
  CHECK_EQ(world.calls,
           std::vector<std::string>{"first: turn", "second: turn of 1+0", "first: serve",
                                    "second: serve", "first: serve", "second: serve"});
}

TEST_CASE("the loop sleeps until a service is due") {
  World world;
  std::size_t rounds = 0;
  world.first.due_at = world.clock.uptime() + milliseconds(200);
  world.first.served = [&](Moment now) {
    ++rounds;
    if (now.uptime >= world.first.due_at) ::raise(SIGTERM);
  };
  world.loop->run(world.stop.signal());
  CHECK_GE(world.clock.uptime(), *world.first.due_at);
  CHECK_LE(rounds, 5);  // the first one ends days; a wait may end a little early
}

TEST_CASE("nothing is answered or shown before the turn is durable") {
  World world;
  zmq::socket_t table = world.table();
  world.journal.hold();
  std::size_t rounds = 0, calls = 0;
  bool was_answered = false, is_answered = false;
  world.each_round = [&] {
    if (world.journal.waiting() == 0) return;
    if (++rounds == 1) calls = world.calls.size();
    was_answered = was_answered || has_reply(table) || world.calls.size() != calls;
    constexpr std::size_t some = 5;
    if (rounds == some) world.journal.release();
  };
  world.first.turned = [&](const CommittedTurn& done) {
    if (done.messages == 0) return;
    zmq::message_t reply;
    is_answered = table.recv(reply).has_value();
    ::raise(SIGTERM);
  };
  play(table, world.first_table, 1);
  world.loop->run(world.stop.signal());
  CHECK_GE(rounds, 5);
  CHECK_FALSE(was_answered);
  CHECK(is_answered);
}

TEST_CASE("one more turn is taken meanwhile, and services wait until nothing is open") {
  World world;
  zmq::socket_t first = world.table(), second = world.table(world.second_table);
  world.journal.hold();
  std::uint64_t first_number = 0, second_number = 0;
  std::size_t rounds = 0, most = 0, calls = 0, turns_shown = 0;
  bool was_ahead = false, was_shown = false;
  // The second table plays while a turn waits. Its message may come too late to be taken ahead:
  // then both try again.
  world.journal.submitted = [&] {
    if (!was_ahead) play(second, world.second_table, ++second_number);
    calls = world.calls.size();
  };
  world.each_round = [&] {
    most = std::max(most, world.journal.waiting());
    if (world.journal.waiting() == 0) return;
    ++rounds;
    if (world.journal.waiting() == 2) {
      was_ahead = true;
      world.journal.release_one();
      return;
    }
    was_shown = was_shown || (was_ahead && world.calls.size() != calls);
    constexpr std::size_t some = 5;
    if (rounds % some == 0) world.journal.release();
  };
  world.first.turned = [&](const CommittedTurn& done) {
    if (done.messages == 0) return;
    if (!was_ahead) play(first, world.first_table, ++first_number);
    if (was_ahead && ++turns_shown == 2) ::raise(SIGTERM);
  };
  play(first, world.first_table, ++first_number);
  world.loop->run(world.stop.signal());
  CHECK_EQ(most, 2);
  CHECK_FALSE(was_shown);
  zmq::message_t reply;
  CHECK(first.recv(reply));
  CHECK(second.recv(reply));
}

TEST_CASE("a stop signal waits until the turn is durable, and it is answered") {
  World world;
  zmq::socket_t table = world.table();
  world.journal.hold();
  bool is_stopping = false;
  world.each_round = [&] {
    if (world.journal.waiting() > 0 && !std::exchange(is_stopping, true)) ::raise(SIGTERM);
  };
  play(table, world.first_table, 1);
  const std::size_t before = world.journal.settles;
  world.loop->run(world.stop.signal());
  CHECK(is_stopping);
  CHECK_GT(world.journal.settles, before);
  zmq::message_t reply;
  CHECK(table.recv(reply));
}

TEST_CASE("services are served although a message waits in every round") {
  World world;
  zmq::socket_t table = world.table();
  world.journal.hold();
  std::uint64_t number = 1;
  std::size_t rounds = 0, served = 0;
  world.journal.submitted = [&] { play(table, world.first_table, ++number); };
  world.each_round = [&] {
    std::vector<zmq::pollitem_t> arrived{{world.tables.socket().handle(), 0, ZMQ_POLLIN, 0}};
    zmq::poll(arrived, std::chrono::seconds(20));
    world.journal.release();
    constexpr std::size_t rounds_max = 50;
    if (++rounds == rounds_max) ::raise(SIGTERM);
  };
  world.first.served = [&](Moment) { ++served; };
  play(table, world.first_table, number);
  world.loop->run(world.stop.signal());
  CHECK_GE(served, 10);
}

TEST_CASE("a controller that may answer no more, after the turn, does not answer it") {
  World world;
  zmq::socket_t table = world.table();
  world.journal.hold();
  bool has_lost_its_role = false;
  world.journal.submitted = [&] {
    has_lost_its_role = true;
    world.journal.release();
  };
  world.each_round = [&] {
    if (has_lost_its_role) throw Fault("no longer the writer");
  };
  play(table, world.first_table, 1);
  CHECK_THROWS_WITH_AS(world.loop->run(world.stop.signal()), "no longer the writer", Fault);
  std::vector<zmq::pollitem_t> items{{table.handle(), 0, ZMQ_POLLIN, 0}};
  zmq::poll(items, milliseconds(50));
  CHECK_FALSE(has_reply(table));
  // Rounds before the message may have served the services; none of them was told of its turn.
  CHECK(std::none_of(world.calls.begin(), world.calls.end(), [](const std::string& call) {
    return call.find("turn") != std::string::npos;
  }));
}

}  // namespace linkmeter::event_loop_test
