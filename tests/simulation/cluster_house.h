// ClusterHouse: a house with three nodes and a modelled etcd cluster, in one thread and from one
// seed: real controllers, real agents, simulated network, clocks and faults. While a node is in the
// middle of a commit, the others go on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/simulation/cluster_judge.h"
#include "tests/simulation/cluster_node.h"
#include "tests/simulation/simulated_table.h"

namespace linkmeter {

struct ClusterReport {
  Finding finding;
  std::uint64_t entries = 0;
  std::uint64_t writers = 0;                    // changes of the writer
  std::map<std::string, std::uint64_t> faults;  // how many of each kind
  void add(const ClusterReport& other);
};

class ClusterHouse {
 public:
  ClusterHouse(std::uint64_t seed, ClusterPlant plant);
  ClusterReport run();

 private:
  // Kinds of faults that this seed has.
  struct Kinds {
    bool kills = false, stops = false, unreachable = false, lost = false, late = false,
         quorum = false, watches = false, compaction = false, handover = false, forgery = false;
  };
  // A fault that ends at its time.
  struct Lasting {
    std::int64_t until_us = 0;
    std::function<void()> end;
  };

  [[nodiscard]] ClusterNode::Outside outside_of(std::size_t node);
  void tick();
  void befall();
  void befall_node(ClusterNode& node);
  void forge();
  void forge_handover();
  void undo_later(std::vector<EtcdTransaction> changes);
  void on_point(ClusterNode& node, NodePoint point);
  [[nodiscard]] EtcdFault fault_of_call();
  void last(std::int64_t least_us, std::int64_t most_us, std::function<void()> end);
  void heal();
  void deliver(const Frame& frame);
  // The table connects to another node.
  void switch_node(std::size_t table, std::size_t node);
  void look();
  void find(Finding finding);
  [[nodiscard]] bool is_over() const { return report_.finding || ticks_ > ticks_max; }
  [[nodiscard]] bool all_done() const;
  [[nodiscard]] std::string undone() const;
  void count(const std::string& fault) { ++report_.faults[fault]; }

  static constexpr std::uint64_t ticks_max = 6'000;

  std::int64_t now_us_ = 1'700'000'000'000'000;
  Dice dice_;
  ClusterReport report_;
  Kinds kinds_;
  Faults faults_;
  const FloorFile& file_;
  std::string opening_;
  ModelCluster cluster_;
  ModelEtcd admin_{cluster_};
  ClusterKeys keys_;
  ClusterJudge judge_;
  Network network_;
  std::vector<std::unique_ptr<ClusterNode>> nodes_;
  std::vector<std::unique_ptr<SimulatedTable>> tables_;
  std::vector<std::size_t> connected_;     // the node of each table
  std::vector<std::int64_t> heard_at_us_;  // when each table heard of it last
  std::vector<Lasting> lasting_;
  std::string old_handover_;  // what a writer wrote once
  std::uint64_t ticks_ = 0;
  int depth_ = 0;  // of nodes in the middle of a commit
  bool is_healed_ = false;
};

}  // namespace linkmeter
