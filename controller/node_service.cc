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

std::vector<EntryClient::Source> entry_sources(const State& state, const ClusterWatch::Seen& seen,
                                               const std::string& own, EntryNumber has) {
  std::vector<EntryClient::Source> sources;
  for (const auto& [name, record] : seen.nodes) {
    if (name == own || record.entries.empty() || record.head.entry < has) continue;
    const Enrolment* enrolled = state.enrolments().find(EnrolmentKind::node, name);
    if (enrolled != nullptr) sources.push_back({name, record.entries, enrolled->key});
  }
  return sources;
}

bool is_enrolled_node(const State& state, const std::string& name, const std::string& key) {
  const Enrolment* enrolled = state.enrolments().find(EnrolmentKind::node, name);
  return enrolled != nullptr && enrolled->key == key;
}

NodeService::NodeService(Controller& controller, const Journal& journal, Cluster& cluster,
                         NodeRecord record, std::string key, JournalFiles& files)
    : controller_(controller),
      journal_(journal),
      cluster_(cluster),
      record_(std::move(record)),
      key_(std::move(key)),
      files_(files) {}

// Every turn is durable between two turns, so the head is.
void NodeService::serve(Moment /*now*/) {
  news_ = cluster_.take();
  if (!is_enrolled_node(controller_.state(), record_.node, key_)) {
    static_cast<void>(cluster_.lease().leave(""));
    throw RoleLost("this node was revoked, and is no longer the writer");
  }
  controller_.set_nodes(house_nodes(controller_.state(), news_.seen));
  files_.set_sources(entry_sources(controller_.state(), news_.seen, record_.node));
  record_.head = journal_.head();
  cluster_.lease().set_record(record_);
}

ClusterStatus NodeService::status() const {
  NodeRecord own = record_;
  own.head = journal_.head();
  const State& state = controller_.state();
  return cluster_status(news_, own, state.enrolments(), state.writer(), files_.missing());
}

}  // namespace linkmeter
