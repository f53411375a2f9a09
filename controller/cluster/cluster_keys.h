// ClusterKeys: the names of the keys that the nodes of one house use in etcd. All of them begin
// with "/linkmeter/" and the first 16 hexadecimal digits of the hash of the journal's first entry,
// so houses that share an etcd cluster do not touch each other. Values carry the proof that a node
// of the house wrote them (origin_proof.h), but for `part/`, whose bytes the hash of the turn
// proves.
//
//   writer        the writer (NodeRecord), with the writer's lease. The revision that created the
//                 key is the fence: every transaction of the writer requires it.
//   head          the last entry's number and hash, as head_text.h writes them
//   turn/NUMBER   entries of one commit (EntryBatch), by the number of the first one
//   part/NUMBER/K the parts of an entry that is too long for one key
//   node/NAME     a running node (NodeRecord), with its lease
//   handover      the node that the writer hands over to, and the writer's last entry (NodeRecord),
//                 with the writer's lease
#pragma once

#include <cstdint>
#include <string>

#include "controller/cluster/etcd.h"
#include "controller/cluster/origin_proof.h"
#include "meters/values/identity.h"
#include "proto/host/sha256.h"

namespace linkmeter {

class ClusterKeys {
 public:
  // `first_hash`: the hash of the journal's entry 1.
  ClusterKeys(const Digest& first_hash, OriginProof proof);

  [[nodiscard]] const OriginProof& proof() const { return proof_; }

  [[nodiscard]] const std::string& prefix() const { return prefix_; }
  [[nodiscard]] std::string writer() const { return prefix_ + "writer"; }
  [[nodiscard]] std::string head() const { return prefix_ + "head"; }
  [[nodiscard]] std::string handover() const { return prefix_ + "handover"; }
  [[nodiscard]] std::string turn(EntryNumber first) const;
  [[nodiscard]] std::string part(EntryNumber entry, std::uint32_t index) const;
  [[nodiscard]] std::string node(const std::string& name) const { return prefix_ + "node/" + name; }

  [[nodiscard]] EtcdRange nodes() const { return EtcdRange::prefix(prefix_ + "node/"); }
  // The turns from the one that begins with `first`, or the next one.
  [[nodiscard]] EtcdRange turns_from(EntryNumber first) const;
  // The turns and parts of entries before `first`.
  [[nodiscard]] EtcdRange turns_before(EntryNumber first) const;
  [[nodiscard]] EtcdRange parts_before(EntryNumber first) const;
  [[nodiscard]] EtcdRange parts_of(EntryNumber entry) const;
  // All keys but turns and parts, which are long.
  [[nodiscard]] EtcdRange before_entries() const { return {prefix_, prefix_ + "part/"}; }
  [[nodiscard]] EtcdRange after_entries() const {
    return {EtcdRange::prefix(prefix_ + "turn/").end, all().end};
  }
  [[nodiscard]] EtcdRange all() const { return EtcdRange::prefix(prefix_); }

 private:
  std::string prefix_;
  OriginProof proof_;
};

}  // namespace linkmeter
