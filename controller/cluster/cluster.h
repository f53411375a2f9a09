// Cluster: this node's part in its cluster, on three threads. One renews the node's lease. One asks
// for the health of etcd's members, which may take seconds when one is away. The third
// watches etcd: it brings the entries that the journal lacks, tries to become the writer when there
// is no other, and deletes what every node has, while this node is the writer.
//
// Laws: it never decides or stores an entry. It tries to become the writer only if the owner allows
// it and all entries in etcd have come. A writer that hands over names its successor; the others
// wait until that one has had its time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "controller/cluster/answered_etcd.h"
#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/cluster_watch.h"
#include "controller/cluster/etcd.h"
#include "controller/cluster/new_head.h"
#include "controller/cluster/node_lease.h"
#include "controller/cluster/trimming.h"
#include "controller/store/journal.h"
#include "proto/host/wakeup.h"

namespace linkmeter {

class Cluster {
 public:
  // What has changed since the last call, and what is known now.
  struct News {
    std::vector<StoredEntry> entries;  // that follow those of the calls before
    ClusterWatch::Seen seen;
    // Another node must send the entries up to this one: etcd has deleted them. nullopt: etcd has
    // all that this node lacks.
    std::optional<EntryNumber> missing_until;
    // The latest boot_time() at which this node had received every entry; 0: never.
    std::chrono::microseconds current_at{};
    EntryNumber current_to;                   // the last entry that there was then
    std::chrono::microseconds answered_at{};  // boot_time() of AnsweredEtcd
    // This node is the writer, and every entry has come; its epoch.
    std::optional<EtcdRevision> epoch;
    std::optional<NodeRecord> namesake;  // another node of this name runs
    bool has_looked = false;             // `seen` is what etcd held
    std::string error;                   // why etcd does not answer; "": it does
    std::vector<EtcdMember> members;     // as of the last members_interval; empty: unknown
  };

  static constexpr std::chrono::seconds members_interval{5};

  // `head`: of the node's journal. `record`: this node. The threads start now.
  Cluster(Etcd& etcd, const ClusterKeys& keys, const Head& head, const NodeRecord& record,
          std::chrono::seconds lease_time);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Becomes readable when there are news.
  [[nodiscard]] int descriptor() const { return ready_.descriptor(); }
  // Throws Fault if etcd holds something that does not continue this journal.
  [[nodiscard]] News take();

  // Whether this node may become the writer.
  void allow_writing(bool is_allowed);
  // Puts this journal's head into a cluster that has none, or that this node had left (new_head.h).
  // The functions of `terms` are called on another thread. take() throws what they throw.
  void create_head(NewHead terms);
  // The journal got the entries up to this head from another node.
  void skip_to(const Head& head);
  [[nodiscard]] NodeLease& lease() { return lease_; }
  // Of all keys of this house in etcd.
  [[nodiscard]] const std::string& prefix() const { return keys_.prefix(); }
  // Whether the lease with which this node became the writer is still held. Safe on any thread.
  [[nodiscard]] bool holds_role() const { return lease_.is_held(role_); }
  // This node writes the entries itself from now on.
  void begin_writing();

 private:
  // Runs the work of a thread; take() throws what it threw.
  void guard(const std::function<void()>& work);
  void keep_lease();
  void keep_members();
  void keep_watching();
  void watch_once();
  [[nodiscard]] bool may_campaign();
  // Whether this node has every entry of etcd now. Moves current_at.
  [[nodiscard]] bool is_current();
  // A fast writer is ahead at each read, so a node is current as of the read that it has reached.
  void note_reached();
  void report(const std::optional<EtcdError>& error, bool is_writer);
  void trim();
  void pause(std::chrono::milliseconds time);

  AnsweredEtcd etcd_;
  const ClusterKeys keys_;
  NodeLease lease_;
  const std::string name_;
  Wakeup ready_;
  std::atomic<EtcdLease> role_ = 0;  // of the key `writer`, with News::epoch

  std::mutex mutex_;
  std::condition_variable stop_comes_;
  bool stops_ = false;
  News news_;
  std::exception_ptr failure_;
  bool may_write_ = false;
  std::optional<NewHead> new_head_;  // until etcd has it
  bool writes_ = false;
  std::optional<Head> skips_to_;

  // Of the watching thread alone.
  ClusterWatch watch_;
  Trimming trimming_;
  std::chrono::microseconds current_at_{}, confirm_at_{};
  EntryNumber current_to_;
  // A head that etcd had at that time, and this node has not reached yet.
  std::optional<std::pair<EntryNumber, std::chrono::microseconds>> awaited_;
  std::thread lease_thread_, members_thread_, watch_thread_;
};

}  // namespace linkmeter
