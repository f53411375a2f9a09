// ClusterJudge: watches etcd, the journals of all nodes, and what tables are told. It finds, as
// "JUDGE: words":
//
//   fence  entries came from a node that was not the writer any more, or a writer says of itself
//          what is not so
//   log    the log in etcd is not one chain of entries, each written once
//   node   a node's journal has an entry that etcd does not have, or another one
//   head   a table was told an older head than one that was told before
//   role   a writer lost its role although nobody took it, or a node cannot go on
//   trim   entries went that a running node lacked
//   end    when the faults are over, something is not delivered, or journals differ
//
// and all that SimulationJudge finds in the log in etcd and in the answers (finding.h): every
// message is one entry, and the naive model agrees with every figure.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "controller/cluster/cluster_keys.h"
#include "proto/codec/cluster_codec.h"
#include "tests/simulation/simulation_judge.h"
#include "tests/support/memory_journal.h"
#include "tests/support/model_etcd.h"

namespace linkmeter {

class ClusterJudge {
 public:
  // `opening`: the house's first entry, with its nodes.
  ClusterJudge(const FloorFile& file, ModelCluster& cluster, const ClusterKeys& keys,
               const std::string& opening, const std::vector<Enrolment>& nodes);

  // Takes in what etcd has got since the last call.
  Finding look();
  // This node's journal.
  Finding look_at(const std::string& node, const Journal& journal);
  // A node sends this to a table.
  Finding sent(const std::string& bytes);
  // At the end, without faults.
  Finding finish();

  [[nodiscard]] SimulationJudge& tables() { return tables_; }
  [[nodiscard]] Head head() const { return log_.head(); }
  [[nodiscard]] std::uint64_t writers() const { return static_cast<std::uint64_t>(writers_); }

 private:
  Finding note(const EtcdEvent& event);
  Finding note_turn(const EtcdEvent& event);

  ModelCluster& cluster_;
  ModelEtcd etcd_;
  ClusterKeys keys_;
  SimulationJudge tables_;
  MemoryJournal log_;  // everything that was ever in etcd
  std::vector<std::string> entries_;
  std::unique_ptr<EtcdWatch> watch_;
  EtcdRevision looked_ = 0;
  EtcdRevision epoch_ = 0;       // of the key `writer`; 0: there is none
  EtcdRevision last_epoch_ = 0;  // of the last writer that appended
  NodeRecord handover_;          // the last one that a writer wrote
  std::int64_t writers_ = 0;
  EntryNumber told_;
  std::map<std::string, std::uint64_t> seen_;  // entries of each node
};

}  // namespace linkmeter
