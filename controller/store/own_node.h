// Own node: the name of this folder's controller among the nodes of its house (controllers that
// replicate one journal), in the file DIR/node. A controller without the file is no node.
//
//   b
//   follows
//
// This second line is there as long as the node has not caught up with the others: it was made from
// a backup, so its journal lacks entries, and it must not write before it has followed them. Later
// the second line may be
//
//   joined 8
//
// The node has put its journal into etcd, or has caught up there, when the last writer had this
// epoch (0: there was none). The others can go on with its journal from then on, so it writes alone
// only after it has left the cluster, which makes a later epoch.
//
// Law: a node's key is the one that is enrolled for its name (EnrolmentKind::node). It is the key
// of its controller (DIR/keys/controller.credentials), so no two folders of a house have one key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "meters/facts/writer_change.h"

namespace linkmeter {

struct OwnNode {
  std::string name;
  bool has_caught_up = true;
  std::optional<std::int64_t> joined = {};  // the epoch at that time
  friend bool operator==(const OwnNode&, const OwnNode&) = default;
};

inline constexpr const char* own_node_name = "node";

// nullopt: the controller is no node. Throws Fault if the file cannot be read, or is damaged.
std::optional<OwnNode> read_own_node(const std::filesystem::path& data);
// Replaces the file; durable on return. Throws Fault. REQUIRES: the name is well-formed, and a node
// that has not caught up has not joined.
void write_own_node(const std::filesystem::path& data, const OwnNode& node);
// This node, caught up, now that others can go on with its journal. `last`: the last change of the
// writer in it.
OwnNode joined(const std::string& name, const std::optional<WriterChanged>& last);
// Whether this node may append entries without the cluster: nobody was in one, or this node left.
bool may_write_alone(const OwnNode& node, const std::optional<WriterChanged>& last);
// Call before a controller appends anything of its own. Throws Fault if the node has not caught up
// with the others: they have entries that its journal lacks.
void require_caught_up(const std::filesystem::path& data);

}  // namespace linkmeter
