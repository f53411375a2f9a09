// Cluster codec: bytes <-> what nodes store in etcd (proto/cluster.proto). Total: any bytes give a
// value or nullopt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// Entries that were committed together, or a part of them.
struct EntryBatch {
  EntryNumber first;
  std::vector<std::string> entries;  // as the journal stores them; empty if `parts` is not 0
  Digest hash{};                     // of the last entry
  std::uint32_t parts = 0;           // the one entry is stored in so many parts; 0: it is here
  friend bool operator==(const EntryBatch&, const EntryBatch&) = default;
};

std::string encode(const EntryBatch& batch);
std::optional<EntryBatch> decode_entry_batch(std::string_view bytes);

// A node, and where it can be reached. "": not served.
struct NodeRecord {
  std::string node;
  std::string tables;
  std::string feed;
  std::string pages;
  std::string entries;  // for other nodes that lack entries
  std::string release;
  Head head;
  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

std::string encode(const NodeRecord& record);
std::optional<NodeRecord> decode_node_record(std::string_view bytes);

}  // namespace linkmeter
