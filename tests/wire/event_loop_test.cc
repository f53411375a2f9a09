// The order of one round of the controller's event loop: days end before the turn, replies are sent
// before the services learn of it, and a stop signal ends the loop after the round.
#include "controller/event_loop.h"

#include <doctest/doctest.h>
#include <signal.h>

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
#include "tests/support/acting_house.h"
#include "tests/support/curve_identity.h"
#include "tests/support/gate.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"

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

// The stop signal, blocked from before any thread, and not left to later tests.
class OwnSignal {
 public:
  OwnSignal() = default;
  OwnSignal(const OwnSignal&) = delete;
  OwnSignal& operator=(const OwnSignal&) = delete;
  ~OwnSignal() {
    sigset_t signals{};
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    const timespec none{};
    while (::sigtimedwait(&signals, nullptr, &none) > 0) {
    }
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
  [[nodiscard]] const ShutdownSignal& signal() const { return signal_; }

 private:
  ShutdownSignal signal_;
};

// All parts of a loop, over a journal in memory whose floor was opened two days ago.
struct World {
  OwnSignal stop;
  ScopedDirectory folder;
  ActingHouse floor{two_days_ago()};
  MemoryJournal journal;
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

  World() {
    journal.commit({encode(floor.opening)}, rows_for(floor.state, floor.state.take_changes()));
    controller.emplace(journal, floor.file.rules, std::move(floor.state));
    clock_guard.emplace(*controller, clock.recorded(), RecordedTime::step_default);
    days.emplace(*controller, journal, Calendar("America/New_York", "06:00"));
    health.emplace(*controller, journal, clock,
                   HealthMonitor::Terms{folder.path(), DiskReserve{0, 1}});
    keys.emplace(rotation, *controller);
    loop.emplace(EventLoop::Parts{*controller, clock, *health, *clock_guard, *days, shown, presence,
                                  tables, panels, operators, authenticator, *keys});
    loop->add(first);
    loop->add(second);
  }
  zmq::socket_t table() {
    zmq::socket_t socket(gate.context(), zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::rcvtimeo, 20'000);
    identify(socket, gate.table("C4-01"));
    socket.connect(tables.endpoint());
    return socket;
  }
};

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

}  // namespace linkmeter::event_loop_test
