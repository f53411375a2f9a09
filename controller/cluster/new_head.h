// New head: puts the head of a node's journal into a cluster that has none, or that this node had
// left.
#pragma once

#include <functional>

#include "controller/cluster/cluster_watch.h"
#include "controller/cluster/etcd.h"

namespace linkmeter {

struct NewHead {
  // Called before each try: other nodes may see the head from then on. It may throw.
  std::function<void()> before_put = [] {};
  // This node has left its cluster, and goes back: the head of the old cluster, if this journal
  // contains it, is replaced, and its entries are deleted. Empty: a head that is there stays.
  std::function<bool(const Head&)> contains = {};
};

// Puts the watch's position, if there is no writer. True: etcd has it now, or keeps its own head.
// False: not now; try again. Throws Fault if etcd has a head that this journal does not contain.
[[nodiscard]] bool put_head(Etcd& etcd, const ClusterKeys& keys, const ClusterWatch& watch,
                            const NewHead& terms);

}  // namespace linkmeter
