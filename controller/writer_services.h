// WriterServices: what a writer does between turns (controller/turn/service.h).
#pragma once

#include <optional>

#include "controller/accounting/day/day_report_worker.h"
#include "controller/cluster_replies.h"
#include "controller/core.h"
#include "controller/event_loop.h"
#include "controller/integrity/health_monitor.h"
#include "controller/integrity/journal_signer.h"
#include "controller/integrity/journal_upkeep.h"
#include "controller/integrity/key_replacement.h"
#include "controller/journal_files.h"
#include "controller/node.h"
#include "controller/node_service.h"
#include "controller/open_sockets.h"
#include "controller/slips/slip_printer.h"
#include "controller/sockets/status_replies.h"
#include "controller/staff_access.h"
#include "controller/telemetry/telemetry.h"
#include "controller/telemetry/turn_log.h"
#include "controller/turn/agent_takeover.h"
#include "controller/worker_threads.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {

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

  // All must outlive this. `node`, `files`: nullptr without a cluster.
  WriterServices(Core& core, OpenSockets& sockets, WorkerThreads& workers, StaffAccess& people,
                 Node* node, JournalFiles* files, const HealthMonitor& health,
                 SystemdNotify& service_manager);

  // In the order of their calls: replies to people come first. The telemetry comes after all that a
  // turn does, because it measures it.
  void add_to(EventLoop& loop, OpenSockets& sockets, StaffAccess& people, KeyReplacement& keys);

 private:
  void add_node(Core& core, OpenSockets& sockets, StaffAccess& people, Node& node,
                JournalFiles& files);
};

}  // namespace linkmeter
