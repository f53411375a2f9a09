// NodeLease: this node's lease in etcd. It keeps the key `node/NAME`, and `writer` while this node
// is the writer.
//
// Laws: is_held() is false from the moment at which etcd may have ended the lease, by a clock that
// also runs while this machine sleeps and while this process is stopped. So a node that stood
// still knows it before it answers anybody. A lease that has ended is never held again: what
// renew() gets after it is another one, without the keys of the first. After leave() no key of this
// node comes back, also by a request that etcd does late. Safe on any thread, but renew() is for
// one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/etcd.h"
#include "proto/codec/cluster_codec.h"

namespace linkmeter {

class NodeLease {
 public:
  // A clock that never stops and never goes back (boot_time()).
  using Now = std::function<std::chrono::microseconds()>;

  NodeLease(Etcd& etcd, ClusterKeys keys, std::chrono::seconds time, NodeRecord record, Now now);

  // Gets the first lease, or renews it, and stores a changed record. Call it three times
  // in the lease's time. Returns why it failed; the lease may live until the next call.
  [[nodiscard]] std::optional<EtcdError> renew();
  // The process that holds the key `node/NAME` under another lease. It may be this node before its
  // restart, so renew() tries again each time. nullopt: no other one, or etcd does not answer.
  [[nodiscard]] std::optional<NodeRecord> namesake() const;

  // Stored with the next renewal.
  void set_record(NodeRecord record);
  [[nodiscard]] bool is_held() const { return now_() < held_until_.load(); }
  // Whether that lease is held, and not a later one.
  [[nodiscard]] bool is_held(EtcdLease lease) const;
  [[nodiscard]] EtcdLease lease() const { return lease_; }

  // Tries to become the writer: creates the key `writer` if there is none. Whether it succeeded
  // shows in the key itself, which may also come late.
  void try_to_write();
  // This node ends: deletes its keys, so that nobody waits for the end of the lease. `successor`:
  // the node that shall be the next writer, as long as the lease lives and `head`, the last entry
  // of this writer, is the last one in etcd; "": any.
  [[nodiscard]] std::optional<EtcdError> leave(const std::string& successor, const Head& head = {});

  [[nodiscard]] std::chrono::seconds time() const { return time_; }

 private:
  std::optional<EtcdError> begin();
  std::optional<EtcdError> adopt(const EtcdValue& own);
  void note_namesake(std::optional<NodeRecord> namesake);
  std::optional<EtcdError> store_record();

  Etcd& etcd_;
  const ClusterKeys keys_;
  const std::chrono::seconds time_;
  const Now now_;

  std::atomic<EtcdLease> lease_ = 0;                     // 0: none
  std::atomic<std::chrono::microseconds> held_until_{};  // set after lease_
  EtcdRevision created_ = 0;                             // of this node's key: of renew()'s thread
  EtcdLease unanswered_ = 0;                             // may have this node's key; also of it
  mutable std::mutex mutex_;  // of what follows; no call to etcd is made under it
  NodeRecord record_;
  bool record_changed_ = true;
  bool has_left_ = false;
  std::optional<NodeRecord> namesake_;
};

// Time since the machine started, with the time that it slept (CLOCK_BOOTTIME).
std::chrono::microseconds boot_time();

}  // namespace linkmeter
