#include "controller/writer_services.h"

#include <string>

#include "controller/store/data_folder.h"
#include "controller/telemetry/metrics.h"

namespace linkmeter {

WriterServices::WriterServices(Core& core, OpenSockets& sockets, WorkerThreads& workers,
                               StaffAccess& people, Node* node, JournalFiles* files,
                               const HealthMonitor& health, SystemdNotify& service_manager)
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

void WriterServices::add_to(EventLoop& loop, OpenSockets& sockets, StaffAccess& people,
                            KeyReplacement& keys) {
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

void WriterServices::add_node(Core& core, OpenSockets& sockets, StaffAccess& people, Node& node,
                              JournalFiles& files) {
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
        node.hand_over(to);
      });
}

}  // namespace linkmeter
