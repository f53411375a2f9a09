// Known nodes: the controllers of the house, as one of them named them last. The outbox keeps them,
// so that after a restart the table finds another node, and that node's key, although the one of
// the floor file is gone.
//
// Laws: only the writer's list is kept. What a standby says may be old, or a lie; it is known in
// memory, beside the kept nodes, until the writer's next list: so it can show the table a way, and
// takes none from it. Each list replaces the one before, so that a node which the house has no more
// is forgotten. A node whose endpoint the controller does not know keeps the endpoint that it had;
// if it had none, its key is known all the same. What is no node (name, key, endpoint), or names a
// name or an endpoint twice, is left out, whether a controller sent it or the outbox holds it. Of
// one list at most limits::nodes_max.
#pragma once

#include <vector>

#include "proto/codec/wire_codec.h"
#include "table-agent/link/outbox.h"

namespace linkmeter {

class KnownNodes {
 public:
  // The outbox keeps the nodes under this name.
  static constexpr const char* place = "nodes";

  // The outbox must outlive this.
  explicit KnownNodes(Outbox& outbox);

  // Each has a name and a key; endpoint "": not known. First those that a standby named.
  [[nodiscard]] const std::vector<NodeAddress>& list() const { return list_; }
  // The writer named these. Durable. Returns whether anything has changed. Throws Fault.
  bool replace(const std::vector<NodeAddress>& nodes);
  // A standby named these. Returns whether list() has changed.
  bool hear(const std::vector<NodeAddress>& nodes);

 private:
  Outbox& outbox_;
  std::vector<NodeAddress> kept_;
  std::vector<NodeAddress> list_;
};

}  // namespace linkmeter
