// The loop of a standby on a modelled etcd: it becomes the writer, or two managers let it leave the
// cluster; with a fault it does neither. And what they decide about: cluster_leaving.h.
#include "controller/standby_loop.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <ctime>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/accounting/day/reports.h"
#include "controller/auth/pin.h"
#include "controller/integrity/startup.h"
#include "controller/sockets/control_endpoint.h"
#include "controller/store/hash_chain.h"
#include "controller/store/own_node.h"
#include "proto/codec/head_text.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/host/fault.h"
#include "tests/support/gate.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/model_etcd.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/stop_signal.h"

namespace linkmeter::standby_loop_test {
namespace {

using std::chrono::seconds;
constexpr const char* pin = "246813";

// Requests of people, as the test makes them.
class People final : public PinRequestSource {
 public:
  std::deque<PinRequest> waiting;
  std::optional<PinRequest> next() override {
    if (waiting.empty()) return std::nullopt;
    PinRequest first = std::move(waiting.front());
    waiting.pop_front();
    return first;
  }
  [[nodiscard]] bool is_waiting() const override { return !waiting.empty(); }
};

// Acts after each round, and keeps what was refused.
class Observer final : public Service {
 public:
  std::function<void()> each_round = [] {};
  std::vector<Refusal> refused;
  std::size_t turns = 0;
  void on_turn(const CommittedTurn& done) override {
    ++turns;
    for (const Controller::Refused& one : done.turn.refused) refused.push_back(one.refusal);
  }
  void serve(Moment /*now*/) override { each_round(); }
};

// Node b of a house with the nodes a and b; a was the writer and is gone.
struct World {
  StopSignal stop;
  ScopedDirectory folder;
  MixedFloor floor;
  MemoryJournal journal;
  Clock clock{{.not_before = Timestamp::from_microseconds(9'000'000)}};
  std::optional<Controller> controller;
  ModelCluster model;
  ModelEtcd etcd{model};
  ClusterKeys keys{Digest{}, OriginProof("the secret of this house")};
  const KeyPair own = make_key_pair();
  Gate gate;
  ControlEndpoint endpoint{folder.path()};
  TableSocket tables{gate.context(), gate.admission(), "tcp://127.0.0.1:*"};
  ControlSocket operators{gate.context(), gate.admission(), endpoint};
  People people;
  Authenticator authenticator{{&people}};
  SlipPrinter slips{folder.path(), journal, "America/New_York"};
  DayReportWorker reports{folder.path(), journal, report_maker()};
  CatchUp catch_up{"b", own};
  Observer observer;
  std::string obstacle;
  std::function<std::string()> find_obstacle = [this] { return obstacle; };
  std::optional<JournalFiles> files;
  std::optional<ClusterLeaving> leaving;
  std::optional<Cluster> cluster;
  std::optional<StandbyLoop> loop;

  explicit World(bool has_caught_up = true) {
    FloorOpened opened = std::get<FloorOpened>(floor.opening.fact);
    for (Person& person : opened.people) {
      if (person.badge == Badge("TGM-1") || person.badge == Badge("FM-1"))
        person.pin = hash_pin(pin);
    }
    opened.enrolments.push_back({EnrolmentKind::node, "a", key_of("node a")});
    opened.enrolments.push_back({EnrolmentKind::node, "b", own.public_key});
    const Entry opening = open_floor(std::move(opened), floor.opening.recorded_at);
    State state;
    state.apply(opening);
    journal.commit({encode(opening)}, rows_for(state, state.take_changes()));
    controller.emplace(journal, floor.file.rules, std::move(state));
    REQUIRE_EQ(controller->record_writer({"a", WriterReason::started, 0}, clock.now()),
               Refusal::none);
    controller->set_standby("");
    write_own_node(folder.path(), {"b", has_caught_up});
    const std::string head = keys.proof().seal(keys.head(), text(journal.head()));
    REQUIRE(etcd.commit({.conditions = {}, .puts = {{keys.head(), head}}})->is_done);
    files.emplace(JournalFiles::Parts{*controller, journal, slips, reports, report_maker(), own});
  }
  // `silence`: of etcd, before the node may leave.
  void begin(seconds silence = seconds(0)) {
    leaving.emplace(*controller, journal, operators, folder.path(), silence / 2);
    NodeRecord record;
    record.node = "b";
    cluster.emplace(etcd, keys, journal.head(), record, seconds(30));
    loop.emplace(StandbyLoop::Parts{*controller, journal, *cluster, clock, tables, operators,
                                    authenticator, catch_up, *files, record, own.public_key,
                                    *leaving, [this] { return find_obstacle(); }, [] {}});
    loop->add(observer);
  }
  std::optional<StandbyLoop::Won> run() { return loop->run(stop.signal()); }
  void asks(const std::string& badge, OperatorCommand act, const std::string& with = pin) {
    people.waiting.push_back({OperatorRequest{"peer", Badge(badge), false, std::move(act)}, with});
  }
  [[nodiscard]] LeaveCluster leave() const {
    return leave_of(read_own_node(folder.path()).value(), journal);
  }
  [[nodiscard]] Confirm confirm(const LeaveCluster& act) const {
    return {controller->state().last_proposal().next(), summary(act)};
  }
  // The journal grows, as by an entry of the last writer that comes late.
  void follow_one() {
    Entry entry;
    entry.number = journal.head().entry.next();
    entry.recorded_at = last_recorded(journal);
    entry.fact = ClockChanged{1};
    std::string bytes = encode(entry);
    const Digest hash = chain_hash(journal.head().hash, entry.number, bytes);
    static_cast<void>(controller->follow({{entry.number, hash, std::move(bytes)}}));
  }
};

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

// Directly, with verified PINs.
struct Leaver {
  World world;
  explicit Leaver(bool has_caught_up = true) : world(has_caught_up) {
    world.leaving.emplace(*world.controller, world.journal, world.operators, world.folder.path(),
                          seconds(3));
    silent();
  }
  void silent(bool holds_lease = false) { world.leaving->note_silence(seconds(6), holds_lease); }
  // Whether it was about leaving.
  bool takes(const std::string& badge, OperatorCommand act, bool is_good = true) {
    return world.leaving->take({"peer", Badge(badge), is_good, std::move(act)}, world.clock.now());
  }
  [[nodiscard]] bool has_left() const { return world.leaving->left().has_value(); }
};

}  // namespace

TEST_CASE("a standby takes over when no node holds the writer's key") {
  World world;
  world.begin();
  const auto won = world.run();
  REQUIRE(won.has_value());
  CHECK_FALSE(won->is_handover);
  CHECK_EQ(won->epoch, world.model.values({world.keys.writer()}).front().created);
}

TEST_CASE("a node with a fault does not try to become the writer") {
  World world;
  world.obstacle = "broken";
  world.begin();
  // It knows etcd, and several rounds pass.
  int rounds = 0;
  world.observer.each_round = [&] {
    const ClusterStatus status = world.loop->status();
    if (status.etcd_error.empty() && ++rounds > 20) ::raise(SIGTERM);
  };
  CHECK_FALSE(world.run().has_value());
  CHECK(world.model.values({world.keys.writer()}).empty());
  CHECK_EQ(world.loop->status().nodes.back().role, "faulty");
}

TEST_CASE("a node that finds its fault while it becomes the writer does not write") {
  World world;
  world.find_obstacle = [&]() -> std::string {
    return world.model.values({world.keys.writer()}).empty() ? "" : "broken";
  };
  world.begin();
  const Head before = world.journal.head();
  CHECK_EQ(fault_of([&] { static_cast<void>(world.run()); }),
           "this node cannot be the writer: broken");
  CHECK((world.journal.head() == before));
}

TEST_CASE("two managers let a node leave, and a node with a fault stays") {
  for (const std::string fault : {"", "broken"}) {
    CAPTURE(fault);
    World world;
    world.obstacle = fault;
    world.model.set_quorum(false);
    world.begin();
    const Head before = world.journal.head();
    const LeaveCluster leave = world.leave();
    world.asks("TGM-1", Propose{leave});
    world.asks("FM-1", world.confirm(leave));
    world.observer.each_round = [&] {
      if (world.observer.refused.size() == 2) ::raise(SIGTERM);
    };
    CHECK_FALSE(world.run().has_value());
    const bool stays = !fault.empty();
    CHECK_EQ(world.leaving->left().has_value(), !stays);
    CHECK_EQ(world.controller->is_standby(), stays);
    CHECK_EQ((world.journal.head() == before), stays);
    CHECK((world.observer.refused ==
           (stays ? std::vector<Refusal>{Refusal::not_the_writer, Refusal::not_the_writer}
                  : std::vector<Refusal>{})));
  }
}

TEST_CASE("as long as etcd answers, or this node's lease lives, nobody leaves") {
  World world;
  // Somebody else is the writer, so this node stays a standby.
  const EtcdLease lease = *world.etcd.grant_lease(seconds(60));
  NodeRecord other;
  other.node = "a";
  const std::string key = world.keys.writer();
  REQUIRE(world.etcd
              .commit({.conditions = {},
                       .puts = {{key, world.keys.proof().seal(key, encode(other)), lease}}})
              ->is_done);
  world.begin();  // silence of no time would do
  int rounds = 0;
  bool was_possible = false;
  world.observer.each_round = [&] {
    if (rounds == 0 && !world.cluster->lease().is_held()) return;
    // From then on etcd is silent, and the lease still lives for half a minute.
    world.model.set_quorum(false);
    was_possible |= world.leaving->is_possible();
    if (rounds++ == 0) world.asks("TGM-1", Propose{world.leave()});
    if (rounds > 5 && world.people.waiting.empty()) ::raise(SIGTERM);
  };
  const Head before = world.journal.head();
  CHECK_FALSE(world.run().has_value());
  CHECK_FALSE(was_possible);
  CHECK_FALSE(world.leaving->left().has_value());
  CHECK((world.journal.head() == before));
}

TEST_CASE("the confirmation of a leave is about the last entry that both persons read") {
  Leaver house;
  const LeaveCluster leave = house.world.leave();
  CHECK_FALSE(house.takes("FM-1", house.world.confirm(leave)));  // nothing is proposed
  LeaveCluster other = leave;
  other.head_at = other.head_at.after(1);
  CHECK(house.takes("TGM-1", Propose{other}));
  CHECK_FALSE(house.takes("FM-1", house.world.confirm(other)));
  CHECK(house.takes("TGM-1", Propose{leave}));
  const Confirm confirm = house.world.confirm(leave);
  house.world.follow_one();
  const Head moved = house.world.journal.head();
  CHECK(house.takes("FM-1", confirm));
  CHECK_FALSE(house.has_left());
  CHECK_FALSE(house.takes("FM-1", confirm));  // the proposal is gone, too
  CHECK((house.world.journal.head() == moved));
  CHECK(house.world.controller->is_standby());
  const LeaveCluster now = house.world.leave();
  CHECK_EQ(now.head, moved.entry);
  CHECK(house.takes("TGM-1", Propose{now}));
  CHECK(house.takes("FM-1", house.world.confirm(now)));
  CHECK(house.has_left());
}

TEST_CASE("an answer of etcd, or a lease that lives, ends the proposal to leave") {
  for (const bool is_answer : {true, false}) {
    Leaver house;
    const LeaveCluster leave = house.world.leave();
    const Confirm confirm = house.world.confirm(leave);
    CHECK(house.takes("TGM-1", Propose{leave}));
    if (is_answer) {
      house.world.leaving->note_silence(seconds(1), false);
    } else {
      house.silent(/*holds_lease=*/true);
    }
    CHECK_FALSE(house.world.leaving->is_possible());
    CHECK(house.takes("TGM-1", Propose{leave}));  // refused
    house.silent();
    CHECK_FALSE(house.takes("FM-1", confirm));
    CHECK_FALSE(house.has_left());
  }
}

TEST_CASE("a node that was made from a backup is marked as caught up when it has left") {
  Leaver house(/*has_caught_up=*/false);
  const LeaveCluster leave = house.world.leave();
  CHECK_FALSE(leave.has_caught_up);
  CHECK(house.takes("TGM-1", Propose{leave}));
  CHECK(house.takes("FM-1", house.world.confirm(leave)));
  CHECK(house.has_left());
  CHECK((read_own_node(house.world.folder.path()) == OwnNode{"b"}));
}

TEST_CASE("after too many wrong PINs nobody leaves before the next start") {
  Leaver house;
  const LeaveCluster leave = house.world.leave();
  for (int time = 0; time < ClusterLeaving::wrong_pins_max; ++time) {
    CHECK(house.takes("TGM-1", Propose{leave}, false));
  }
  CHECK(house.takes("TGM-1", Propose{leave}));
  CHECK_FALSE(house.takes("FM-1", house.world.confirm(leave)));
  CHECK_FALSE(house.has_left());
  CHECK_EQ(house.world.controller->state().people().at(Badge("TGM-1")).failures, 0);
}

}  // namespace linkmeter::standby_loop_test
