// FencedLog: appends a writer's entries to the log in etcd (cluster_keys.h).
//
// Laws:
// 1. An append is done only if the key `writer` still has this writer's epoch and the key `head` is
//    the entry before. So a writer whose lease has ended appends nothing, whatever its clock says.
// 2. After an unknown result, a linearizable read of `head` decides: the new head means done, the
//    old head means try again, any other, or one without proof of origin, means that the role is
//    lost. A repeat cannot append twice, because `head` would differ.
// 3. append() returns only when everything is in etcd.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/etcd.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {

// This node is no longer the writer. The process must end; it may start again as a standby.
class RoleLost : public Fault {
  using Fault::Fault;
};

class FencedLog {
 public:
  // Called between two tries while etcd does not answer, with the reason; it waits a moment. It may
  // throw.
  using Pause = std::function<void(const EtcdError& error)>;

  // `epoch`: the revision that created this writer's key.
  FencedLog(Etcd& etcd, ClusterKeys keys, EtcdRevision epoch, Pause pause);

  // Appends entries after `before`, in transactions of at most limits::entry_batch_bytes_max.
  // Returns the new head. Throws RoleLost; Fault if etcd refuses them; whatever the pause throws.
  Head append(const Head& before, const std::vector<std::string>& entries) const;

 private:
  void append(const Head& before, const Head& after, const EntryBatch& batch) const;
  // Stores an entry that is too long for one key. Returns the number of its parts.
  [[nodiscard]] std::uint32_t store_parts(const Head& before, const std::string& entry) const;
  // Repeats the transaction until it is done. It moves `head` from `before` to `after`; equal: it
  // does not move it.
  void commit(const EtcdTransaction& transaction, const Head& before, const Head& after) const;
  [[nodiscard]] std::vector<EtcdCondition> fence(const Head& head) const;
  [[nodiscard]] std::string sealed(const Head& head) const;

  Etcd& etcd_;
  ClusterKeys keys_;
  EtcdRevision epoch_;
  Pause pause_;
};

}  // namespace linkmeter
