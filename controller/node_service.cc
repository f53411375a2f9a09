#include "controller/node_service.h"

#include <utility>

#include "controller/cluster/fenced_log.h"
#include "proto/host/endpoint.h"

namespace linkmeter {

std::vector<NodeAddress> house_nodes(const State& state, const ClusterWatch::Seen& seen) {
  std::vector<NodeAddress> nodes;
  for (const auto& [name, enrolment] : state.enrolments().all()) {
    if (enrolment.kind != EnrolmentKind::node) continue;
    const auto running = seen.nodes.find(enrolment.name);
    nodes.push_back(
        {enrolment.name, enrolment.key, running == seen.nodes.end() ? "" : running->second.tables});
  }
  return nodes;
}

bool is_enrolled_node(const State& state, const std::string& name, const std::string& key) {
  const Enrolment* enrolled = state.enrolments().find(EnrolmentKind::node, name);
  return enrolled != nullptr && enrolled->key == key;
}

NodeService::NodeService(Controller& controller, const Journal& journal, Cluster& cluster,
                         NodeRecord record, std::string key)
    : controller_(controller),
      journal_(journal),
      cluster_(cluster),
      record_(std::move(record)),
      key_(std::move(key)) {}

// Every turn is durable between two turns, so the head is.
void NodeService::serve(Moment /*now*/) {
  news_ = cluster_.take();
  if (!is_enrolled_node(controller_.state(), record_.node, key_)) {
    static_cast<void>(cluster_.lease().leave(""));
    throw RoleLost("this node was revoked, and is no longer the writer");
  }
  controller_.set_nodes(house_nodes(controller_.state(), news_.seen));
  record_.head = journal_.head();
  cluster_.lease().set_record(record_);
}

ClusterStatus NodeService::status() const {
  NodeRecord own = record_;
  own.head = journal_.head();
  return cluster_status(news_, own, controller_.state().enrolments());
}

}  // namespace linkmeter
