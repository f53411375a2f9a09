// NodeService: the cluster's work of a writer between two turns. It publishes the writer's head in
// etcd, and passes the running nodes to Controller, for the tables, and to JournalFiles.
#pragma once

#include <optional>
#include <vector>

#include "controller/cluster/cluster.h"
#include "controller/cluster_replies.h"
#include "controller/journal_files.h"
#include "controller/sockets/entry_client.h"
#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// All enrolled nodes, as tables must know them; without an endpoint if they do not run.
std::vector<NodeAddress> house_nodes(const State& state, const ClusterWatch::Seen& seen);

// The other nodes that run, are enrolled, give entries and files, and have the entries up to this.
std::vector<EntryClient::Source> entry_sources(const State& state, const ClusterWatch::Seen& seen,
                                               const std::string& own, EntryNumber has = {});

// Whether the house has enrolled this name with this key.
bool is_enrolled_node(const State& state, const std::string& name, const std::string& key);

class NodeService final : public Service {
 public:
  // All must outlive this. `record`: this node; `key`: its public key.
  NodeService(Controller& controller, const Journal& journal, Cluster& cluster, NodeRecord record,
              std::string key, JournalFiles& files);

  [[nodiscard]] std::optional<int> descriptor() const override { return cluster_.descriptor(); }
  // Throws RoleLost if the node is no longer enrolled.
  void serve(Moment now) override;
  [[nodiscard]] ClusterStatus status() const;

 private:
  Controller& controller_;
  const Journal& journal_;
  Cluster& cluster_;
  NodeRecord record_;
  std::string key_;
  JournalFiles& files_;
  Cluster::News news_;  // the last ones
};

}  // namespace linkmeter
