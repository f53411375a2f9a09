#include "controller/node.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <utility>

#include "controller/cluster/etcd_settings.h"
#include "controller/cluster/fenced_log.h"
#include "controller/cluster/origin_proof.h"
#include "controller/cluster_leaving.h"
#include "controller/cluster_replies.h"
#include "controller/integrity/startup.h"
#include "controller/sockets/status_replies.h"
#include "controller/store/cluster_key.h"
#include "controller/store/data_folder.h"
#include "controller/store/journal_reader.h"
#include "controller/store/own_node.h"
#include "controller/telemetry/telemetry.h"
#include "controller/time/clock.h"
#include "controller/writing_obstacle.h"
#include "proto/host/command_line.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

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

// This node decides from now on. Recorded time continues after the last writer's. Throws Fault if
// its PIN key is not the one in force.
void begin_deciding(Core& core, StaffAccess& people) {
  people.authenticator->set_keys(core.pin_keys());
  const State& state = core.controller.state();
  core.clock.begin(
      clock_terms(core.journal, state.clock(), state.last_check(), core.floor.clock_step_max));
  core.clock_guard.begin();
}

}  // namespace

Node::Node(const Options& options, Journal& store, ReplicatedJournal::Waiting waiting)
    : etcd(etcd_settings(options.cluster)),
      keys(first_hash(store), OriginProof(cluster_key(options.data))),
      record{node_name(options), {}, {}, {}, {}, program_version(), store.head()},
      journal(store, etcd, keys, std::move(waiting)),
      catch_up(record.node, controller_credentials(options.data).keys) {}

void Node::join(const Core& core, const OpenSockets& sockets, const std::string& pages) {
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

void Node::create_cluster(const Core& core) {
  const auto& last = core.controller.state().writer();
  // From then on another node can go on with this journal, so this one must not write alone.
  const auto mark = [data = core.options.data, own = joined(record.node, last)] {
    write_own_node(data, own);
  };
  if (!last || last->reason != WriterReason::left) return cluster->create_head({mark});
  cluster->create_head({mark, [&stored = core.stored](const Head& head) {
                          const ReadingScope reads;
                          const auto known = find_head(stored, head.entry);
                          return known && known->hash == head.hash;
                        }});
}

void Node::leave(Core& core, JournalFiles& files, OpenSockets& sockets, StaffAccess& people) {
  cluster.reset();
  entries.reset();
  files.set_sources({});
  if (people.pages) people.pages->set_cluster(nullptr);
  sockets.feed.set_node("");
  core.metrics.set_cluster({});
  core.controller.set_nodes({});
}

void Node::require_role() {
  if (journal.is_writing() && !cluster->holds_role()) {
    throw RoleLost("this node is no longer the writer: its lease in etcd was not renewed in time");
  }
}

void Node::hand_over(const std::string& to) {
  journal.settle();
  // Without an answer of etcd the lease ends by itself.
  static_cast<void>(cluster->lease().leave(to, journal.head()));
  throw RoleLost("handed over to " + to);
}

void Node::record_writer(Core& core, const StandbyLoop::Won& won) const {
  const auto& before = core.controller.state().writer();
  WriterReason reason = WriterReason::expired;
  if (!before || before->reason == WriterReason::left) reason = WriterReason::started;
  if (won.is_handover) reason = WriterReason::handover;
  const Refusal refusal = core.controller.record_writer(
      {record.node, reason, won.without_writer.count()}, core.clock.now());
  if (refusal != Refusal::none) {
    throw Fault("this node cannot be the writer: " + std::string(name(refusal)));
  }
  spdlog::info("writer node={} epoch={}", record.node, core.controller.state().writer()->epoch);
}

AfterStandby Node::follow(Core& core, JournalFiles& files, OpenSockets& sockets,
                          StaffAccess& people, HealthMonitor& health,
                          SystemdNotify& service_manager, const ShutdownSignal& stop) {
  core.controller.set_standby("");
  ClusterLeaving leaving(core.controller, core.journal, sockets.operators, core.options.data,
                         std::chrono::seconds(core.options.cluster.lease_seconds));
  StandbyLoop loop(
      {core.controller, core.journal, *cluster, core.clock, sockets.tables, sockets.operators,
       *people.authenticator, catch_up, files, record, core.own.keys.public_key, leaving,
       WritingObstacle(health, [&] { people.authenticator->set_keys(core.pin_keys()); }), [&] {
         const OwnNode own = joined(record.node, core.controller.state().writer());
         if (read_own_node(core.options.data) != own) {
           write_own_node(core.options.data, own);
         }
       }});
  loop.add(sockets.admitted_keys);
  if (entries) loop.add(*entries);
  loop.add(sockets.feed);
  if (people.pages) loop.add(*people.pages);
  if (people.staff) loop.add(*people.staff);
  StatusReplies status_replies(core.controller, sockets.presence, sockets.operators,
                               people.staff ? &*people.staff : nullptr);
  loop.add(status_replies);
  ClusterReplies cluster_replies(
      sockets.operators, [&loop] { return loop.status(); },
      [this](const std::string& to) { hand_over(to); });
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
  sockets.feed.set_node(record.node);
  if (people.pages) {
    people.pages->set_cluster([&loop] { return cluster_members(loop.status()); });
  }
  const auto won = loop.run(stop);
  if (leaving.left()) {
    begin_deciding(core, people);
    return AfterStandby::is_alone;
  }
  if (!won) {
    cluster->allow_writing(false);
    static_cast<void>(cluster->lease().leave(""));
    return AfterStandby::ends;
  }
  journal.begin_writing(won->epoch);
  cluster->begin_writing();
  core.controller.set_standby(std::nullopt);
  begin_deciding(core, people);
  record_writer(core, *won);
  return AfterStandby::writes;
}

}  // namespace linkmeter
