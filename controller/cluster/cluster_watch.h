// ClusterWatch: what a node knows of its cluster, by watching the house's keys in etcd: the head,
// the writer, the running nodes, and the entries that its journal lacks.
//
// Laws: entries come in order, each once, and every batch continues the hash chain from the node's
// own head. Head and batches have a proof of origin (origin_proof.h). Anything else is a Fault. A
// record without proof is as if it was not there, with a warning in the log. After a lost
// watch everything is read again, so nothing is missed. It makes no decision and writes nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/etcd.h"
#include "controller/store/journal.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class ClusterWatch {
 public:
  struct Writer {
    NodeRecord record;       // empty: it has no proof of origin
    EtcdRevision epoch = 0;  // created the key
    EtcdLease lease = 0;
  };
  // What etcd held.
  struct Seen {
    std::optional<Head> head;  // nullopt: no journal was put into this cluster
    std::optional<Writer> writer;
    std::map<std::string, NodeRecord> nodes;
    // The node that the writer hands over to, and the last entry of that writer.
    std::optional<NodeRecord> handover;
    // The node that is to be the next writer. "": any. Who puts an old handover back names nobody:
    // there have been other entries since then.
    [[nodiscard]] std::string successor() const {
      return handover && head == handover->head ? handover->node : "";
    }
  };

  // `start`: the head of the node's journal.
  ClusterWatch(Etcd& etcd, ClusterKeys keys, const Head& start);

  // Takes in what has changed; waits for a change, at most `timeout`. nullopt: seen() and the
  // entries are up to date with the watch. Throws Fault if what etcd holds does not continue this
  // journal.
  [[nodiscard]] std::optional<EtcdError> refresh(std::chrono::milliseconds timeout);
  // Reads `head` again, past the watch. A node that has this head has every entry at this moment.
  // Throws Fault if it has no proof of origin.
  [[nodiscard]] EtcdResult<std::optional<Head>> read_head() const;

  [[nodiscard]] const Seen& seen() const { return seen_; }
  // Removes and returns the next entries that follow position(), at least one if there is any, and
  // else no more than about `bytes_max`; position() is then the last of them.
  [[nodiscard]] std::vector<StoredEntry> take(std::size_t bytes_max);
  [[nodiscard]] const Head& position() const { return position_; }
  // The last entry that came and was verified; take() may not have returned it yet.
  [[nodiscard]] const Head& reached() const { return reached_; }
  [[nodiscard]] bool follows() const { return follows_; }
  // The last of the entries after position() that etcd no longer has: another node must give them
  // (skip_to()). nullopt: etcd has all.
  [[nodiscard]] std::optional<EntryNumber> missing_until() const;
  // The journal got the entries up to this head from another node.
  void skip_to(const Head& head);
  // This node writes the entries itself from now on: only the nodes are watched, so that its own
  // commits do not come back to it.
  void stop_following();

 private:
  std::optional<EtcdError> read_all();
  std::optional<EtcdError> read_turns();
  void note(const EtcdValue& value, bool is_deletion);
  // A record in `writer`, `handover` or `node/NAME`. nullopt: it has no proof of origin.
  [[nodiscard]] std::optional<NodeRecord> record_of(const EtcdValue& value);
  void connect(EntryBatch batch);
  // False: etcd has the parts no longer.
  [[nodiscard]] EtcdResult<bool> join_parts(EntryBatch& batch) const;

  Etcd& etcd_;
  ClusterKeys keys_;
  bool follows_ = true;
  Seen seen_;
  std::unique_ptr<EtcdWatch> watch_;
  Head position_;                              // of the entries that were taken
  Head reached_;                               // of those that wait in ready_
  std::set<std::string> unproved_;             // keys of records that the log names
  std::deque<StoredEntry> ready_;              // entries after position_, verified
  std::map<EntryNumber, EntryBatch> waiting_;  // batches that do not connect yet
};

}  // namespace linkmeter
