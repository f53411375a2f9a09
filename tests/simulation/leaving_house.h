// LeavingHouse: a house with three nodes that loses etcd for good, from one seed and in one thread.
// One node leaves the cluster and goes on alone; in many seeds a second one does so, too, which
// nobody should let it do. Tables turn to any of them. Later one node makes a new cluster, from
// nothing or over the old etcd, and the others return. Controllers, agents, the log in etcd and its
// watch are real ones.
//
// Its judge finds, as "JUDGE: words":
//
//   alone    a node may write although it has not left, or may not although it has
//   lost     a node serves a table, and lacks an entry of which this table was told
//   refused  a node refuses a table whose every entry it has
//   history  a node with another history is taken into the new cluster, or one with the same is not
//   end      the nodes of the new cluster differ
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/new_head.h"
#include "controller/store/own_node.h"
#include "controller/turn/controller.h"
#include "meters/values/identity.h"
#include "table-agent/link/table_agent.h"
#include "tests/property/dice.h"
#include "tests/property/generator.h"
#include "tests/simulation/finding.h"
#include "tests/simulation/stepped_journal.h"
#include "tests/support/memory_journal.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/model_etcd.h"

namespace linkmeter {

struct LeavingReport {
  Finding finding;
  std::map<std::string, std::uint64_t> counts;  // what happened, how often
};

class LeavingHouse {
 public:
  // `trusts_any_head`: planted. A node that comes back replaces a head that it does not contain.
  LeavingHouse(std::uint64_t seed, bool trusts_any_head);
  LeavingReport run();

 private:
  struct Node {
    OwnNode own = {};
    bool is_alone = false;
    MemoryJournal disk = {};
    std::optional<SteppedJournal> journal = {};
    std::optional<Controller> controller = {};
    std::unique_ptr<ModelEtcd> etcd = {};
  };
  struct Table {
    Table(TableId name, TableTraffic of_table)
        : id(std::move(name)), traffic(std::move(of_table)) {}

    const TableId id;
    TableTraffic traffic;
    MemoryOutbox outbox = {};
    std::optional<TableAgent> agent = {};
    std::size_t node = 0;         // to which it is connected
    std::vector<Head> told = {};  // of entries, as they were in the journal that told it
    std::uint64_t said = 0;
  };

  // The node's process, as it starts after any end.
  void start(Node& node);
  void become_writer(Node& node);
  void play(const std::vector<std::size_t>& nodes, std::size_t steps);
  void play_in_cluster();
  void lose_etcd();
  void leave(Node& node);
  void come_back();
  // False: it is refused, because its journal lacks the old head.
  [[nodiscard]] bool make_cluster(Node& node, bool is_old_etcd);
  // A node that went on alone, too, tries to put its own journal into the new cluster.
  void put_another_history(Node& node);
  void join(Node& node, const Node& writer);
  // The node follows until it has what `peer` has; throws Fault if it cannot.
  void follow(Node& node, const Node& peer);
  void follow_some(Node& node);
  [[nodiscard]] NewHead terms_of(Node& node);
  void talk(Table& table, std::size_t at);
  // Whether the agent goes on.
  [[nodiscard]] bool receive(Table& table, const Node& node, const std::string& bytes);
  void say(Table& table);
  [[nodiscard]] Timestamp time_of(const Node& node) const;
  [[nodiscard]] static bool contains(const Journal& journal, const Head& head);
  // Whether the journal has every entry of which the table was told.
  [[nodiscard]] static bool has_all(const Node& node, const Table& table);
  void find(const std::string& finding);
  void count(const std::string& what) { ++report_.counts[what]; }
  [[nodiscard]] Timestamp now() const { return Timestamp::from_microseconds(now_us_); }

  std::int64_t now_us_ = 1'700'000'000'000'000;
  Dice dice_;
  const bool trusts_any_head_;
  const FloorFile& file_;
  std::string opening_;
  ClusterKeys keys_;
  ModelCluster first_, second_;  // the etcd that is lost, and one without anything
  std::array<Node, 3> nodes_;
  std::vector<std::unique_ptr<Table>> tables_;
  LeavingReport report_;
};

}  // namespace linkmeter
