// CatchUp: gives a standby the entries that etcd no longer has, from another node.
//
// Laws: it asks only nodes that run, are enrolled and have the entries. It goes on until all came:
// when no node gives them, it says so in the log and asks again after again_after.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/cluster/cluster.h"
#include "controller/sockets/entry_client.h"
#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "proto/host/credentials.h"

namespace linkmeter {

class CatchUp {
 public:
  static constexpr std::chrono::seconds again_after{5};

  // `node`: this node's name; `keys`: its own. REQUIRES: made after ShutdownSignal.
  CatchUp(std::string node, KeyPair keys) : node_(std::move(node)), client_(std::move(keys)) {}

  [[nodiscard]] int descriptor() const { return client_.descriptor(); }
  // Entries that came from another node, and asks for those that are missing. `head`: of this
  // node's journal, which has followed all that came before.
  [[nodiscard]] std::vector<StoredEntry> take(const Cluster::News& news, const Head& head,
                                              const State& state);
  // Whether the journal has just got all that was missing: then the cluster goes on from its head.
  [[nodiscard]] bool has_ended(const Head& head);

 private:
  [[nodiscard]] EntryClient::Request request(const Cluster::News& news, const Head& head,
                                             const State& state) const;

  const std::string node_;
  EntryClient client_;
  std::optional<Head> target_;            // the head to which entries were asked for
  std::chrono::microseconds again_at_{};  // boot_time()
  std::string failure_;                   // the last one that was logged
};

}  // namespace linkmeter
