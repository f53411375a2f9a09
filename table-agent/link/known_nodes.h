// Known nodes: the controllers of the house, as one of them named them last. The outbox keeps them,
// so that after a restart the table finds another node, and that node's key, although the one of
// the floor file is gone.
//
// Laws:
// 1. Only the writer's list is kept. What a standby says may be old, or a lie; it is known in
//    memory, beside the kept nodes, until the writer's next list: so it can show the table a way,
//    and takes none from it.
// 2. Each list of a writer replaces the one before, so that a node which the house has no more is
//    forgotten. An empty one is of a controller that is no node: if the table knew any, it keeps
//    the node whose key this connection has, and forgets the others.
// 3. A list also replaces the controller's key in the table's credentials: a key that the list
//    lacks is a revoked one. New credentials, which people have brought, are trusted until the
//    writer's next list. So are all if the outbox does not say under which the list was given, as
//    that of release 0.3.0 does not, and if the list lacks the writer's own key.
// 4. A node whose endpoint the controller does not know keeps the endpoint that it had, unless
//    another node has it now; without an endpoint, its key is known all the same. What is no node
//    (name, key, endpoint), or names a name twice, is left out, whether a controller sent it or the
//    outbox holds it. Of one list at most limits::nodes_max.
#pragma once

#include <string>
#include <vector>

#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "table-agent/link/outbox.h"

namespace linkmeter {

// The public keys of a table's credentials: the controller's, then the table's own.
std::string mark_of(const Credentials& credentials);

class KnownNodes {
 public:
  // The outbox keeps the nodes under this name.
  static constexpr const char* place = "nodes";
  // The connection over which a list comes.
  struct Link {
    std::string credentials;     // mark_of() the table's; "": not known
    std::string controller_key;  // which the controller has proved to have; "": not known
    friend bool operator==(const Link&, const Link&) = default;
  };

  // The outbox must outlive this.
  explicit KnownNodes(Outbox& outbox);

  // Each has a name and a key; endpoint "": not known. First those that a standby named.
  [[nodiscard]] const std::vector<NodeAddress>& list() const { return list_; }
  // mark_of() the credentials whose controller's key is not trusted any more (law 3); "": of none.
  [[nodiscard]] std::string replaced_credentials() const;
  // The writer named these. Durable. Returns whether anything has changed. Throws Fault.
  bool replace(const std::vector<NodeAddress>& nodes, const Link& link = {});
  // A standby named these. Returns whether list() has changed.
  bool hear(const std::vector<NodeAddress>& nodes);

 private:
  Outbox& outbox_;
  std::vector<NodeAddress> kept_;
  std::string given_under_;  // mark_of() the credentials; "": not known
  std::vector<NodeAddress> list_;
};

}  // namespace linkmeter
