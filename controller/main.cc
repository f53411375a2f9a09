// linkmeter-controller: the single writer of one data folder. It checks everything, then serves the
// tables until it is stopped or a fault ends it; the next start recovers. This file builds the
// parts and connects them; event_loop.h runs them.
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_report_worker.h"
#include "controller/accounting/day/day_rollover_service.h"
#include "controller/accounting/day/reports.h"
#include "controller/auth/authenticator.h"
#include "controller/auth/login_origins.h"
#include "controller/auth/panel_logins.h"
#include "controller/auth/pin_key.h"
#include "controller/catch_up.h"
#include "controller/cluster/cluster.h"
#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/etcd_settings.h"
#include "controller/cluster/fenced_log.h"
#include "controller/cluster/grpc_etcd.h"
#include "controller/cluster/replicated_journal.h"
#include "controller/cluster_leaving.h"
#include "controller/cluster_replies.h"
#include "controller/event_loop.h"
#include "controller/integrity/clock_guard.h"
#include "controller/integrity/disk_space.h"
#include "controller/integrity/health_monitor.h"
#include "controller/integrity/journal_signer.h"
#include "controller/integrity/journal_upkeep.h"
#include "controller/integrity/key_replacement.h"
#include "controller/integrity/key_rotation.h"
#include "controller/integrity/restore_marker.h"
#include "controller/integrity/startup.h"
#include "controller/integrity/token_key.h"
#include "controller/journal_files.h"
#include "controller/node_service.h"
#include "controller/options.h"
#include "controller/slips/slip_printer.h"
#include "controller/sockets/admitted_keys.h"
#include "controller/sockets/control_socket.h"
#include "controller/sockets/entry_server.h"
#include "controller/sockets/meter_feed.h"
#include "controller/sockets/staff_requests.h"
#include "controller/sockets/staff_socket.h"
#include "controller/sockets/status_replies.h"
#include "controller/sockets/table_socket.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/standby_loop.h"
#include "controller/store/cluster_key.h"
#include "controller/store/data_folder.h"
#include "controller/store/journal_reader.h"
#include "controller/store/lmdb_journal.h"
#include "controller/store/own_node.h"
#include "controller/store/state_snapshot.h"
#include "controller/store/timed_journal.h"
#include "controller/telemetry/telemetry.h"
#include "controller/telemetry/turn_log.h"
#include "controller/time/calendar.h"
#include "controller/time/clock.h"
#include "controller/turn/agent_takeover.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "controller/web/pages_service.h"
#include "proto/codec/protobuf_log.h"
#include "proto/host/certificate.h"
#include "proto/host/command_line.h"
#include "proto/host/credentials.h"
#include "proto/host/executable.h"
#include "proto/host/fault.h"
#include "proto/host/local_registry.h"
#include "proto/host/shutdown_signal.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {
namespace {

constexpr int role_lost_code = 3;

// Checks the floor file and the journal. Throws Fault if a check fails.
// A standby journals nothing.
Started start(const Options& options, const std::variant<FloorFile, Violations>& floor,
              Journal& journal, const KeyRotation& rotation, Clock& clock) {
  StartSettings settings{options.floor,       options.data,        options.catalogue,
                         options.quick_check, options.check_first, program_version()};
  settings.is_standby = !options.cluster.etcd.empty();
  settings.creates_cluster = options.cluster.creates;
  settings.settle_keys = [&rotation, &clock](const State& state) {
    static_cast<void>(rotation.settle(state, clock.now(), /*is_start=*/true));
  };
  return checked_start(journal, settings, floor, clock);
}

// Journals what happened while the controller was down, before it serves.
void catch_up(Controller& controller, const Journal& journal, const std::filesystem::path& data,
              ClockGuard& clock_guard, DayRolloverService& days, Clock& clock) {
  const Timestamp now = clock_guard.trusted_now(clock).now;
  days.serve({}, now, clock.take_change());
  if (append_restored(controller, journal, data, now)) {
    spdlog::warn(
        "restored from a backup: tables are refused until two managers accept the restore");
  }
}

// The parts that decide and journal.
struct Core {
  const Options& options;
  const FloorFile& floor;
  Clock& clock;
  Metrics metrics;
  Journal& stored;  // for other threads: what is durable
  TimedJournal journal;
  const Credentials own = controller_credentials(options.data);
  const std::string operator_key = operator_credentials(options.data).keys.public_key;
  Controller controller;
  DayRolloverService days;
  ClockGuard clock_guard;

  Core(const Options& chosen, const FloorFile& house, Clock& time, Journal& durable, Journal& store,
       State state)
      : options(chosen),
        floor(house),
        clock(time),
        stored(durable),
        journal(store, [this](auto took) { metrics.note_commit(took); }),
        controller(journal, floor.rules, std::move(state), {own.keys.public_key, operator_key}),
        days(controller, journal, Calendar(floor.timezone, floor.gaming_day_start)),
        clock_guard(controller, clock.recorded(), floor.clock_step_max) {
    metrics.set_self_check({clock.now(), true});
  }
  [[nodiscard]] Moment now() const { return {clock.now(), clock.uptime()}; }
  [[nodiscard]] PinKeys pin_keys() const {
    return {pin_key(options.data, controller.state()), stored_pin_key(options.data)};
  }
};

// The sockets of tables, viewers and the owner of the data folder. The feed has its own ZeroMQ
// context, so that viewers do not slow the tables.
struct Sockets {
  const ControlEndpoint control_endpoint;
  zmq::context_t context, feed_context;
  ZapAuthenticator admission, feed_admission;
  AdmittedKeys admitted_keys;
  TableSocket tables;
  TablePresence presence;
  MeterFeed feed;
  ControlSocket operators;
  PanelLogins panels;

  Sockets(Core& core, const Endpoints& listening)
      : control_endpoint(core.options.data),
        admission(context, core.own.keys, core.operator_key),
        feed_admission(feed_context, core.own.keys, core.operator_key),
        admitted_keys(core.options.data, {&admission, &feed_admission},
                      core.controller.state().enrolments()),
        tables(context, admission, listening.controller),
        presence(core.floor.floor.tables.size(), core.floor.lost_after, core.now(),
                 last_message_times(core.controller.state(), core.journal)),
        feed(feed_context, feed_admission, listening.feed, core.controller.state(), presence),
        operators(context, admission, control_endpoint) {}
};

// The work on other threads.
struct Workers {
  SlipPrinter slip_printer;
  DayReportWorker day_reports;
  JournalSigner signer;

  explicit Workers(const Core& core)
      : slip_printer(core.options.data, core.stored, core.floor.timezone),
        day_reports(core.options.data, core.stored, report_maker()),
        signer(core.options.signer.empty() ? journal_key_path(core.options.data).string()
                                           : core.options.signer,
               std::chrono::seconds(core.options.sign_seconds)) {}
};

// nullptr: the controller serves no pages. If nobody requested an address and the default one is
// taken, the meters run without pages. Throws Fault if a requested address cannot be used.
std::unique_ptr<PagesService> open_pages(const Core& core, const Sockets& sockets,
                                         Workers& workers) {
  const auto [address, is_asked_for] = pages_address(core.options.web, core.floor.endpoints);
  if (address.is_none) return nullptr;
  WebServer::Setup setup{address};
  if (address.secure) {
    setup.certificate = pages_certificate(core.options);
    spdlog::info("certificate sha256={}", certificate_fingerprint(*setup.certificate));
  }
  const HttpApi::Subjects subjects{core.controller, core.stored, workers.slip_printer,
                                   workers.day_reports, core.days.calendar()};
  try {
    auto pages = std::make_unique<PagesService>(setup, subjects, sockets.presence,
                                                core.floor.notices, core.options.data / "signs");
    spdlog::info("pages at {}", pages->url());
    return pages;
  } catch (const Fault& fault) {
    if (is_asked_for) throw;
    spdlog::warn("no pages: {}; choose another address with --web, or none", fault.what());
    return nullptr;
  }
}

// The pages and the staff socket, each only if it is wanted, and the logins of all sockets.
struct People {
  std::unique_ptr<PagesService> pages;
  std::optional<StaffSocket> staff_socket;
  std::optional<StaffRequests> staff;
  LoginOrigins origins;
  std::optional<Authenticator> authenticator;

  People(Core& core, Sockets& sockets, Workers& workers)
      : pages(open_pages(core, sockets, workers)), origins(core.controller) {
    const std::filesystem::path& data = core.options.data;
    std::vector<PinRequestSource*> sources = {&sockets.operators, &sockets.panels};
    origins.add(data / "tables.homes", sockets.panels.tries(), core.now());
    if (pages) {
      pages->serve(core.now());  // so that the first request finds current values
      sources.push_back(&pages->api());
      origins.add(data / "pages.homes", pages->api().tries(), core.now());
    }
    if (!core.options.staff_socket.empty()) {
      staff_socket.emplace(core.options.staff_socket, core.options.staff_group);
      spdlog::info("staff socket={}", core.options.staff_socket.string());
      const auto snapshot = [&core] {
        return encode(snapshot_of(core.journal, core.own.keys.public_key));
      };
      staff.emplace(*staff_socket, snapshot, core.controller);
      sources.push_back(&*staff);
      origins.add(data / "staff.homes", staff->tries(), core.now());
    }
    authenticator.emplace(std::move(sources), core.pin_keys());
  }
};

// What the turn needs from outside: new keys, and what a person sees of a gaming day.
void add_data_sources(Core& core, const Sockets& sockets, Workers& workers, KeyRotation& rotation) {
  if (!core.options.signer.empty()) {
    rotation.set_token_key([&workers] { return workers.signer.public_der(); });
  }
  // A new key is made when it is proposed, and its public half is journaled.
  core.controller.set_key_maker([&rotation](const State& state, PersonMessage& message) {
    const std::string error = rotation.prepare(state, message);
    if (!error.empty()) spdlog::error("no new key: {}", error);
  });
  // Commands about a day are decided with its report and the amounts on the signs.
  core.controller.set_day_data_source([&](const State& state, PersonMessage& message) {
    workers.day_reports.fill(state, message);
    message.shown = &sockets.feed.shown();
  });
}

// Which parts read a replaced key again.
void add_key_users(KeyReplacement& keys, Core& core, Sockets& sockets, Workers& workers,
                   People& people) {
  keys.on_replaced(KeyKind::journal, [&] { workers.signer.read_again(); });
  keys.on_replaced(KeyKind::pin, [&] { people.authenticator->set_keys(core.pin_keys()); });
  keys.on_replaced(KeyKind::operator_tool, [&] {
    const std::string key = operator_credentials(core.options.data).keys.public_key;
    sockets.admitted_keys.admit_operator(key);
    core.controller.set_own_keys({controller_credentials(core.options.data).keys.public_key, key});
  });
}

// Publishes the addresses of this controller. `pages`: "": none. "ready" comes last: a program that
// waits for it may start agents at once, and they must find the controller.
void announce_ready(const Core& core, const Sockets& sockets, const std::string& pages) {
  const std::filesystem::path& data = core.options.data;
  const std::string tables = sockets.tables.endpoint();
  const std::string& feed = sockets.feed.endpoint();
  write_endpoints(data, tables, feed, pages);
  try {
    // For agents of the same user on this machine: they need no credentials carried to them.
    register_controller(tables, data);
  } catch (const Fault& fault) {
    spdlog::warn("agents on this machine need --credentials: {}", fault.what());
  }
  const EntryNumber entry = core.journal.head().entry;
  spdlog::info("start data={} entry={}", data.string(), entry.value());
  std::cout << "ready " << tables << " feed " << feed << " entry " << entry.value() << std::endl;
}

std::filesystem::path metrics_file(const Options& options) {
  return options.metrics.empty() ? options.data / "metrics.prom" : options.metrics;
}

void set_counts(Metrics& metrics, const Sockets& sockets, const People& people) {
  metrics.set_connections_refused(sockets.admitted_keys.refused_connections());
  metrics.set_connections_refused("wrong_frames", sockets.tables.dropped_count());
  if (people.staff) metrics.set_connections_refused("staff_excess", people.staff->refused_count());
  if (people.pages) metrics.set_web(people.pages->counts());
}

EtcdSettings etcd_settings(const ClusterOptions& options) {
  EtcdSettings settings;
  settings.endpoints = options.etcd;
  settings.ca_file = options.ca;
  settings.certificate = options.certificate;
  settings.key = options.key;
  settings.user = options.user;
  settings.password_file = options.password_file;
  // A renewal of the lease must come to an answer, or to another member, before the lease ends.
  settings.deadline = std::chrono::milliseconds(std::chrono::seconds(options.lease_seconds)) / 4;
  return settings;
}

// Throws Fault if the folder has no name for its controller, or another one than the options.
std::string node_name(const Options& options) {
  const auto own = read_own_node(options.data);
  if (!own) {
    throw Fault(options.data.string() + ": its controller has no name among the house's nodes " +
                "(linkmeter name-node --data DIR --node NAME)");
  }
  const std::string& asked = options.cluster.node;
  if (!asked.empty() && asked != own->name) {
    throw Fault(options.data.string() + ": it is node " + own->name + ", not " + asked);
  }
  return own->name;
}

Digest first_hash(const Journal& journal) {
  Digest hash{};
  journal.read(EntryNumber(1), [&hash](const StoredEntry& first) {
    hash = first.hash;
    return false;
  });
  return hash;
}

// Throws Fault if tables cannot know where this node listens.
void require_reachable(const std::string& listening, const ClusterOptions& options) {
  const bool is_any_address = listening.find("//0.0.0.0:") != std::string::npos ||
                              listening.find("//[::]:") != std::string::npos;
  if (is_any_address && options.announce.empty()) {
    throw Fault("this node listens at " + listening +
                ": say with --announce under which address tables reach it");
  }
}

// This controller as a node of a cluster.
struct Node {
  GrpcEtcd etcd;
  ClusterKeys keys;
  NodeRecord record;
  ReplicatedJournal journal;
  std::optional<Cluster> cluster;  // since the node's addresses are known
  std::optional<EntryServer> entries;
  CatchUp catch_up;

  Node(const Options& options, Journal& store, ReplicatedJournal::Waiting waiting)
      : etcd(etcd_settings(options.cluster)),
        keys(first_hash(store), OriginProof(cluster_key(options.data))),
        record{node_name(options), {}, {}, {}, {}, program_version(), store.head()},
        journal(store, etcd, keys, std::move(waiting)),
        catch_up(record.node, controller_credentials(options.data).keys) {}

  void join(const Core& core, const Sockets& sockets, const std::string& pages) {
    const ClusterOptions& options = core.options.cluster;
    if (options.creates) require_caught_up(core.options.data);
    require_reachable(sockets.tables.endpoint(), options);
    record.tables = options.announce.empty() ? sockets.tables.endpoint() : options.announce;
    record.feed = sockets.feed.endpoint();
    record.pages = pages;
    if (!options.entries.empty()) {
      entries.emplace(core.own.keys, options.entries, core.stored,
                      core.controller.state().enrolments(), journal_file_reader(core.options.data));
      record.entries = announced(entries->endpoint(), options);
    }
    cluster.emplace(etcd, keys, journal.head(), record,
                    std::chrono::seconds(core.options.cluster.lease_seconds));
    if (core.options.cluster.creates) create_cluster(core);
  }
  void create_cluster(const Core& core) {
    const auto& last = core.controller.state().writer();
    if (!last || last->reason != WriterReason::left) return cluster->create_head();
    cluster->create_head([&stored = core.stored](const Head& head) {
      const ReadingScope reads;
      const auto known = find_head(stored, head.entry);
      return known && known->hash == head.hash;
    });
  }
  // This node goes on alone: it uses etcd and the other nodes no longer.
  void leave() {
    cluster.reset();
    entries.reset();
  }
  // Throws RoleLost if this node may no longer be the writer.
  void require_role() {
    if (journal.is_writing() && !cluster->holds_role()) {
      throw RoleLost(
          "this node is no longer the writer: its lease in etcd was not renewed in time");
    }
  }
};

// Ends this writer, so that the other node can be it at once. Everything of this round is answered.
[[noreturn]] void hand_over(Node& node, const std::string& to) {
  node.journal.settle();
  // Without an answer of etcd the lease ends by itself.
  static_cast<void>(node.cluster->lease().leave(to));
  throw RoleLost("handed over to " + to);
}

// Why this node must not become the writer.
class Obstacle {
 public:
  Obstacle(const Core& core, HealthMonitor& health) : core_(core), health_(health) {}
  // "": it may.
  std::string operator()() {
    const std::string& fault = health_.watch_standby();
    if (!fault.empty()) return fault;
    const std::string& in_force = core_.controller.state().keys().of(KeyKind::pin);
    if (in_force == looked_at_ && key_mistake_.empty()) return "";
    looked_at_ = in_force;
    key_mistake_.clear();
    try {
      static_cast<void>(pin_key(core_.options.data, core_.controller.state()));
    } catch (const Fault& wrong) {
      key_mistake_ = wrong.what();
    }
    return key_mistake_;
  }

 private:
  const Core& core_;
  HealthMonitor& health_;
  std::string looked_at_, key_mistake_;
};

// This node decides from now on. Recorded time continues after the last writer's.
void begin_deciding(Core& core, People& people) {
  if (!people.authenticator->is_busy()) people.authenticator->set_keys(core.pin_keys());
  const State& state = core.controller.state();
  core.clock.begin(
      clock_terms(core.journal, state.clock(), state.last_check(), core.floor.clock_step_max));
  core.clock_guard.begin();
}

// The first entry of this writer.
void record_writer(Core& core, const Node& node, const StandbyLoop::Won& won) {
  const auto& before = core.controller.state().writer();
  WriterReason reason = WriterReason::expired;
  if (!before || before->reason == WriterReason::left) reason = WriterReason::started;
  if (won.is_handover) reason = WriterReason::handover;
  // etcd counts from 1 again if all of its members were made anew.
  const std::int64_t epoch = std::max(won.epoch, before ? before->epoch + 1 : 1);
  const Refusal refusal = core.controller.record_writer(
      {node.record.node, epoch, reason, won.without_writer.count()}, core.clock.now());
  if (refusal != Refusal::none) {
    throw Fault("this node cannot be the writer: " + std::string(name(refusal)));
  }
  spdlog::info("writer node={} epoch={}", node.record.node, epoch);
}

// How a node ceases to be a standby.
enum class AfterStandby : std::uint8_t { ends, writes, is_alone };

// Follows the writer until this node is it, or has left the cluster, or the stop signal comes.
AfterStandby follow(Core& core, Node& node, JournalFiles& files, Sockets& sockets, People& people,
                    HealthMonitor& health, SystemdNotify& service_manager,
                    const ShutdownSignal& stop) {
  core.controller.set_standby("");
  ClusterLeaving leaving(core.controller, core.journal, sockets.operators, core.options.data,
                         std::chrono::seconds(core.options.cluster.lease_seconds));
  StandbyLoop loop({core.controller, core.journal, *node.cluster, core.clock, sockets.tables,
                    sockets.operators, *people.authenticator, node.catch_up, files, node.record,
                    core.own.keys.public_key, leaving, Obstacle(core, health), [&] {
                      write_own_node(core.options.data, {node.record.node, true});
                    }});
  loop.add(sockets.admitted_keys);
  if (node.entries) loop.add(*node.entries);
  loop.add(sockets.feed);
  if (people.pages) loop.add(*people.pages);
  if (people.staff) loop.add(*people.staff);
  StatusReplies status_replies(core.controller, sockets.presence, sockets.operators,
                               people.staff ? &*people.staff : nullptr);
  loop.add(status_replies);
  ClusterReplies cluster_replies(
      sockets.operators, [&loop] { return loop.status(); },
      [&node](const std::string& to) { hand_over(node, to); });
  Telemetry telemetry(metrics_file(core.options), core.metrics, service_manager,
                      {core.controller, sockets.presence, core.journal,
                       journal_path(core.options.data) / "data.mdb", health, /*signing=*/nullptr});
  telemetry.add_source([&](Metrics& counts) {
    set_counts(counts, sockets, people);
    counts.set_cluster(loop.status());
  });
  telemetry.set_status([&loop] { return standby_text(loop.status()); });
  loop.add(telemetry);
  loop.add(files);
  loop.add(cluster_replies);
  sockets.feed.set_node(node.record.node);
  if (people.pages) {
    people.pages->set_cluster([&loop] { return cluster_members(loop.status()); });
  }
  const auto won = loop.run(stop);
  if (leaving.left()) {
    begin_deciding(core, people);
    return AfterStandby::is_alone;
  }
  if (!won) {
    node.cluster->allow_writing(false);
    static_cast<void>(node.cluster->lease().leave(""));
    return AfterStandby::ends;
  }
  node.journal.begin_writing(won->epoch);
  node.cluster->begin_writing();
  core.controller.set_standby(std::nullopt);
  begin_deciding(core, people);
  record_writer(core, node, *won);
  return AfterStandby::writes;
}

// What the writer does between turns.
struct WriterServices {
  SlipCopies slip_copies;
  DayReportService day_reports;
  JournalSigning signing;
  AgentTakeover takeover;
  StatusReplies status_replies;
  TurnLog log;
  JournalUpkeep upkeep;
  std::optional<NodeService> node_service;
  std::optional<ClusterReplies> cluster_replies;
  Telemetry telemetry;

  // `node`, `files`: nullptr without a cluster.
  WriterServices(Core& core, Sockets& sockets, Workers& workers, People& people, Node* node,
                 JournalFiles* files, const HealthMonitor& health, SystemdNotify& service_manager)
      : slip_copies(core.controller, workers.slip_printer),
        day_reports(core.controller, workers.day_reports),
        signing(core.controller, core.journal, workers.signer),
        takeover(core.controller, sockets.presence.lost_after(), core.clock.uptime()),
        status_replies(core.controller, sockets.presence, sockets.operators,
                       people.staff ? &*people.staff : nullptr),
        upkeep(core.journal),
        telemetry(metrics_file(core.options), core.metrics, service_manager,
                  {core.controller, sockets.presence, core.journal,
                   journal_path(core.options.data) / "data.mdb", health, &signing}) {
    telemetry.add_source([&](Metrics& counts) { set_counts(counts, sockets, people); });
    if (node == nullptr) {
      cluster_replies.emplace(sockets.operators);
    } else {
      add_node(core, sockets, people, *node, *files);
    }
  }

  // In the order of their calls: replies to people come first. The telemetry comes after all that a
  // turn does, because it measures it.
  void add_to(EventLoop& loop, Sockets& sockets, People& people, KeyReplacement& keys) {
    if (node_service) loop.add(*node_service);
    if (people.staff) loop.add(*people.staff);
    loop.add(sockets.admitted_keys);
    loop.add(slip_copies);
    loop.add(day_reports);
    loop.add(signing);
    loop.add(takeover);
    loop.add(status_replies);
    loop.add(sockets.feed);
    if (people.pages) loop.add(*people.pages);
    loop.add(log);
    loop.add(telemetry);
    loop.add(upkeep);
    loop.add(keys);
    loop.add(people.origins);
    loop.add(*cluster_replies);
  }

 private:
  void add_node(Core& core, Sockets& sockets, People& people, Node& node, JournalFiles& files) {
    node_service.emplace(core.controller, core.journal, *node.cluster, node.record,
                         core.own.keys.public_key, files);
    telemetry.add_source([&](Metrics& counts) { counts.set_cluster(node_service->status()); });
    if (people.pages) {
      people.pages->set_cluster([&] { return cluster_members(node_service->status()); });
    }
    cluster_replies.emplace(
        sockets.operators, [&] { return node_service->status(); },
        [&](const std::string& to) {
          people.origins.finish(core.now());
          hand_over(node, to);
        });
  }
};

// Builds the controller on a checked journal, and runs it until the stop signal.
void operate(Core& core, const Started& started, KeyRotation& rotation,
             SystemdNotify& service_manager, Node* node, const ShutdownSignal& stop) {
  const Options& options = core.options;
  const Endpoints listening = listening_endpoints(options, core.floor);
  const bool was_node = node != nullptr;
  const auto catch_up_now = [&] {
    catch_up(core.controller, core.journal, options.data, core.clock_guard, core.days, core.clock);
  };
  if (node == nullptr) catch_up_now();
  HealthMonitor health(
      core.controller, core.journal, core.clock,
      {options.data, options.margins, std::chrono::seconds(options.recount_seconds),
       [&] { service_manager.beat(core.clock.uptime()); }, started.is_proved, started.manifest});
  Sockets sockets(core, listening);
  Workers workers(core);
  add_data_sources(core, sockets, workers, rotation);
  People people(core, sockets, workers);
  const std::string pages = people.pages ? people.pages->url() : "";
  std::optional<JournalFiles> files;
  if (node != nullptr) {
    files.emplace(JournalFiles::Parts{core.controller, core.stored, workers.slip_printer,
                                      workers.day_reports, report_maker(), core.own.keys});
  }
  KeyReplacement keys(rotation, core.controller);
  add_key_users(keys, core, sockets, workers, people);
  if (node != nullptr) {
    node->join(core, sockets, pages);
    announce_ready(core, sockets, pages);
    service_manager.ready("standby");
    const auto after = follow(core, *node, *files, sockets, people, health, service_manager, stop);
    if (after == AfterStandby::ends) return;
    if (after == AfterStandby::is_alone) {
      node->leave();
      node = nullptr;
      if (people.pages) people.pages->set_cluster(nullptr);
      sockets.feed.set_node("");
      core.metrics.set_cluster({});
      core.controller.set_nodes({});
    }
    // What the start of this process and its audit have verified; follow() verified the others.
    const bool is_quick = started.is_quick && !health.verified_at();
    static_cast<void>(core.controller.record_check({}, started.manifest, program_version(),
                                                   core.clock.now(), Clock::is_synchronised(),
                                                   is_quick));
    catch_up_now();
  }
  WriterServices services(core, sockets, workers, people, node, files ? &*files : nullptr, health,
                          service_manager);
  EventLoop loop({core.controller, core.journal, core.clock, health, core.clock_guard, core.days,
                  sockets.feed.shown(), sockets.presence, sockets.tables, sockets.panels,
                  sockets.operators, *people.authenticator, keys, [&] {
                    if (node != nullptr) node->require_role();
                  }});
  if (node != nullptr && node->entries) loop.add(*node->entries);
  if (files) loop.add(*files);
  services.add_to(loop, sockets, people, keys);
  if (!was_node) announce_ready(core, sockets, pages);
  service_manager.ready("ready");
  loop.run(stop);
  people.origins.finish(core.now());
  if (node != nullptr) static_cast<void>(node->cluster->lease().leave(""));
  service_manager.stopping();
  spdlog::info("stop entry={} dropped={}", core.journal.head().entry.value(),
               sockets.tables.dropped_count());
}

int run(const Options& options) {
  const auto floor = read_floor(options.floor, options.catalogue);
  if (const auto* violations = std::get_if<Violations>(&floor)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
  }
  require_own_folder(options.data);
  SystemdNotify service_manager;
  await_disk_space(options.data, start_bytes_min, [&service_manager](const std::string& status) {
    spdlog::error("{}", status);
    service_manager.status(status);
  });
  const std::unique_ptr<Journal> store =
      LmdbJournal::open(journal_path(options.data), options.map_bytes);
  Clock clock({.not_before = last_recorded(*store)});
  KeyRotation rotation(options.data);
  Started started = start(options, floor, *store, rotation, clock);
  const ShutdownSignal stop;  // before any thread starts, so that none takes the signal
  std::unique_ptr<Node> node;
  if (!options.cluster.etcd.empty()) {
    node = std::make_unique<Node>(options, *store, [&] {
      service_manager.beat(clock.uptime());
      node->require_role();
    });
  }
  Core core(options, std::get<FloorFile>(floor), clock, *store,
            node ? static_cast<Journal&>(node->journal) : *store, std::move(started.state));
  operate(core, started, rotation, service_manager, node.get(), stop);
  return 0;
}

}  // namespace
}  // namespace linkmeter

int main(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == linkmeter::token_process_option) {
    linkmeter::run_token_process(arguments[2]);
  }
  // The reader of the log may go away; the controller continues.
  std::signal(SIGPIPE, SIG_IGN);
  linkmeter::Options options;
  CLI::App app("Linkmeter controller: keeps the meters of one floor", "linkmeter-controller");
  linkmeter::add_version(app);
  linkmeter::add_options(app, options);
  linkmeter::refuse_empty_values(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return linkmeter::print_usage_error(app, error);
  }
  try {
    linkmeter::silence_protobuf_log();  // the turn log reports rejections at a limited rate
    linkmeter::take_all_files();
    linkmeter::begin_log();
    return linkmeter::run(options);
  } catch (const linkmeter::RoleLost& lost) {
    std::cerr << "linkmeter-controller: " << lost.what() << '\n';
    return linkmeter::role_lost_code;
  } catch (const std::exception& fault) {
    std::cerr << "linkmeter-controller: " << fault.what() << '\n';
  }
  return 1;
}
