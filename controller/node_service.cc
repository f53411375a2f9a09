#include "controller/node_service.h"

#include <utility>

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

NodeService::NodeService(Controller& controller, const Journal& journal, Cluster& cluster,
                         NodeRecord record)
    : controller_(controller), journal_(journal), cluster_(cluster), record_(std::move(record)) {}

// Every turn is durable between two turns, so the head is.
void NodeService::serve(Moment /*now*/) {
  news_ = cluster_.take();
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
