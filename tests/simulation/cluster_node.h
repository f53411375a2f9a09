// ClusterNode: one node of a simulated cluster: the real controller, lease, watch and log of the
// writer, over a journal that outlives the process. It does in one thread what main.cc, Cluster and
// ReplicatedJournal do in several.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/cluster/cluster_watch.h"
#include "controller/cluster/node_lease.h"
#include "controller/cluster/trimming.h"
#include "controller/turn/controller.h"
#include "tests/property/dice.h"
#include "tests/simulation/cluster_plant.h"
#include "tests/simulation/finding.h"
#include "tests/simulation/stepped_journal.h"
#include "tests/support/edited_etcd.h"
#include "tests/support/memory_journal.h"
#include "tests/support/model_etcd.h"

namespace linkmeter {

// The process was killed.
class NodeKilled : public Fault {
  using Fault::Fault;
};

class ClusterNode {
 public:
  // What the node needs of the house.
  struct Outside {
    std::function<std::int64_t()> now_us;
    // At a point of a commit. It may throw NodeKilled, or let time pass.
    std::function<void(NodePoint)> on_point;
    // While etcd does not answer: the rest of the house goes on.
    std::function<void()> wait;
    std::function<void(const Reply&)> send;
    // The journal of another node, for entries that etcd no longer has. nullptr: none is reachable.
    std::function<const Journal*()> peer;
    // Somebody who is no node puts entries into etcd.
    bool is_forged = false;
  };

  ClusterNode(std::string name, const FloorFile& file, ModelCluster& cluster,
              const ClusterKeys& keys, Dice dice, ClusterPlant plant, Outside outside);

  // The first contents of its journal.
  void put_opening(const std::string& entry, const std::vector<Row>& rows);
  // One step of the process, which it starts if it is time.
  void step();
  // The process ends: now, or at the next point if the node is in the middle of a step.
  void kill();
  // The writer gives its role to this node and ends.
  void hand_over(const std::string& successor);
  void take(const InboundMessage& message);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] ModelEtcd& etcd() { return etcd_; }
  [[nodiscard]] const Journal& journal() const { return disk_; }
  [[nodiscard]] bool runs() const { return process_.has_value(); }
  [[nodiscard]] bool writes() const { return process_ && process_->role; }
  [[nodiscard]] bool is_busy() const { return is_busy_; }
  void stop_until(std::int64_t at_us) { stopped_until_us_ = at_us; }
  [[nodiscard]] const Finding& finding() const { return finding_; }

  std::uint64_t starts = 0, kills = 0, lost_roles = 0, gaps = 0;

 private:
  struct Role {
    EtcdRevision epoch = 0;
    EtcdLease lease = 0;
  };
  struct Process {
    NodeLease lease;
    ClusterWatch watch;
    SteppedJournal journal;
    Controller controller;
    Trimming trimming = {};
    std::optional<Role> role = {};
    std::deque<Controller::Turn> open = {};  // not answered
    std::int64_t renew_at_us = 0;
    std::int64_t trim_at_us = 0;
    EtcdLease complete_under = 0;  // under this lease the node had all entries

    Process(ClusterNode& node, State state);
  };

  void go_on();
  void renew();
  void watch();
  void follow();
  void catch_up();
  void campaign();
  void begin_writing(const ClusterWatch::Writer& writer);
  void trim();
  void serve();
  void refuse();
  void release();
  void require_role() const;
  void end();
  [[nodiscard]] NodeRecord record() const;
  [[nodiscard]] Timestamp now() const;
  [[nodiscard]] bool is_planted(ClusterPlant plant) const { return plant_ == plant; }
  [[nodiscard]] std::vector<InboundMessage> next_messages();

  const std::string name_;
  const FloorFile& file_;
  ModelCluster& cluster_;
  const ClusterKeys keys_;
  Dice dice_;
  const ClusterPlant plant_;
  Outside outside_;
  ModelEtcd etcd_;
  EditedEtcd edited_{etcd_};  // what the node uses, with the planted mistake
  MemoryJournal disk_;
  std::int64_t ahead_us_ = 0;  // its system clock
  std::optional<Process> process_;
  std::deque<InboundMessage> inbox_;
  std::int64_t starts_at_us_ = 0, stopped_until_us_ = 0;
  bool is_busy_ = false, is_doomed_ = false;
  Finding finding_;
};

}  // namespace linkmeter
