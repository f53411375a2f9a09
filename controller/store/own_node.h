// Own node: the name of this folder's controller among the nodes of its house (controllers that
// replicate one journal), in the file DIR/node. A controller without the file is no node.
//
//   b
//   follows
//
// The second line is there as long as the node has not caught up with the others: it was made from
// a backup, so its journal lacks entries, and it must not write before it has followed them.
//
// Law: a node's key is the one that is enrolled for its name (EnrolmentKind::node). It is the key
// of its controller (DIR/keys/controller.credentials), so no two folders of a house have one key.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace linkmeter {

struct OwnNode {
  std::string name;
  bool has_caught_up = true;
  friend bool operator==(const OwnNode&, const OwnNode&) = default;
};

inline constexpr const char* own_node_name = "node";

// nullopt: the controller is no node. Throws Fault if the file cannot be read, or is damaged.
std::optional<OwnNode> read_own_node(const std::filesystem::path& data);
// Replaces the file; durable on return. Throws Fault. REQUIRES: the name is well-formed.
void write_own_node(const std::filesystem::path& data, const OwnNode& node);
// Call before a controller appends anything of its own. Throws Fault if the node has not caught up
// with the others: they have entries that its journal lacks.
void require_caught_up(const std::filesystem::path& data);

}  // namespace linkmeter
