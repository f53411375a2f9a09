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
//    lacks is a revoked one. It replaces none if it lacks the writer's own key, or if the outbox
//    does not say under which credentials it was given, as that of release 0.3.0 does not.
// 4. New credentials, which people have brought, are trusted until the writer's next list, and
//    alone: nodes that were named under other ones are not used any more, so that a table which a
//    stolen key has captured becomes free.
// 5. The keys that lists dropped, and those of credentials that they replaced, are kept. A standby
//    that is behind may still name one: it is not heard, until a writer's list names the key again,
//    or new credentials have it. Of these keys the last dropped_max are kept.
// 6. A node whose endpoint the controller does not know keeps the endpoint that it had, unless
//    another node has it now; without an endpoint, its key is known all the same. What is no node
//    (name, key, endpoint), or names a name twice, is left out, whether a controller sent it or the
//    outbox holds it. Of one list at most limits::nodes_max.
#pragma once

#include <cstddef>
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
  static constexpr std::size_t dropped_max = 16;
  // The connection over which a list comes.
  struct Link {
    std::string credentials;     // mark_of() the table's; "": not known
    std::string controller_key;  // which the controller has proved to have; "": not known
    friend bool operator==(const Link&, const Link&) = default;
  };

  // The outbox must outlive this.
  explicit KnownNodes(Outbox& outbox);

  // Those to use with the credentials of this mark (law 4). Each has a name and a key; endpoint "":
  // not known. First those that a standby named.
  [[nodiscard]] std::vector<NodeAddress> list(const std::string& credentials = "") const;
  // mark_of() the credentials whose controller's key is not trusted any more (law 3); "": of none.
  [[nodiscard]] std::string replaced_credentials() const;
  // The writer named these. Durable. Returns whether anything has changed. Throws Fault.
  bool replace(const std::vector<NodeAddress>& nodes, const Link& link = {});
  // A standby named these. Returns whether list() has changed.
  bool hear(const std::vector<NodeAddress>& nodes, const Link& link = {});

 private:
  // Nodes, and mark_of() the credentials of the connection; "": not known.
  struct Named {
    std::vector<NodeAddress> nodes;
    std::string credentials;
    friend bool operator==(const Named&, const Named&) = default;
  };
  struct Kept {
    Named by_writer;
    bool replaces = false;             // the controller's key in the credentials (law 3)
    std::vector<std::string> dropped;  // keys (law 5); the last one last
    friend bool operator==(const Kept&, const Kept&) = default;
  };
  static std::vector<NodeAddress> usable_with(const Named& named, const std::string& credentials);
  static Kept parse(const std::string& text);
  static std::string text_of(const Kept& kept);
  // The keys that are dropped if this list follows the kept one.
  [[nodiscard]] std::vector<std::string> dropped_by(const Kept& next) const;
  [[nodiscard]] bool is_dropped(const std::string& key, const std::string& credentials) const;

  Outbox& outbox_;
  Kept kept_;    // as in the outbox
  Named heard_;  // from a standby, in this run
};

}  // namespace linkmeter
