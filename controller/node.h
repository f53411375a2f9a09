// Node: connects this controller to its cluster (controller/cluster/README.md): etcd, the
// replicated journal, the other nodes. It starts as a standby and may become the writer within its
// process. A writer never becomes a standby again: its process ends with exit code 3, and the
// service manager starts it as a standby.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "controller/catch_up.h"
#include "controller/cluster/cluster.h"
#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/grpc_etcd.h"
#include "controller/cluster/replicated_journal.h"
#include "controller/core.h"
#include "controller/integrity/health_monitor.h"
#include "controller/journal_files.h"
#include "controller/open_sockets.h"
#include "controller/options.h"
#include "controller/sockets/entry_server.h"
#include "controller/staff_access.h"
#include "controller/standby_loop.h"
#include "controller/store/journal.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/shutdown_signal.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {

// Why follow() returned: the stop signal came, this node is the writer, or it left the cluster.
enum class AfterStandby : std::uint8_t { ends, writes, is_alone };

struct Node {
  GrpcEtcd etcd;
  ClusterKeys keys;
  NodeRecord record;
  ReplicatedJournal journal;
  std::optional<Cluster> cluster;  // since the node's addresses are known
  std::optional<EntryServer> entries;
  CatchUp catch_up;

  // `store` must outlive this. `waiting`: called while a commit waits for etcd. Throws Fault if the
  // folder's controller has no name, or not the one of the options.
  Node(const Options& options, Journal& store, ReplicatedJournal::Waiting waiting);

  // Starts the entry server and the threads of Cluster, which store the endpoints in etcd. Throws
  // Fault if tables could not reach this node: it listens at all addresses, without --announce.
  void join(const Core& core, const OpenSockets& sockets, const std::string& pages);

  // Throws RoleLost if this node may no longer be the writer.
  void require_role();

  // This node goes on alone: it uses etcd and the other nodes no longer, and shows none.
  void leave(Core& core, JournalFiles& files, OpenSockets& sockets, StaffAccess& people);

  // Ends this writer, so that node `to` can take the role at once. REQUIRES: every request of this
  // round has its answer.
  [[noreturn]] void hand_over(const std::string& to);

  // Runs the loop of a standby. Returns when this node is the writer, and has journaled that; when
  // it has left the cluster; or when the stop signal came.
  [[nodiscard]] AfterStandby follow(Core& core, JournalFiles& files, OpenSockets& sockets,
                                    StaffAccess& people, HealthMonitor& health,
                                    SystemdNotify& service_manager, const ShutdownSignal& stop);

 private:
  void create_cluster(const Core& core);
  // The first entry of this writer.
  void record_writer(Core& core, const StandbyLoop::Won& won) const;
};

}  // namespace linkmeter
