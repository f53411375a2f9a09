// Origin proof: a value in etcd carries a message authentication code (HMAC-SHA256 with the house's
// cluster key, over the name of its key and its content), so that a node follows only what a node
// of its house wrote. Who can write to etcd, but has no cluster key, cannot make such a value; he
// can only delete values, and put old ones back in the same place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "controller/cluster/etcd.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {

class OriginProof {
 public:
  // `secret`: the house's (controller/store/cluster_key.h). REQUIRES: it is not empty.
  explicit OriginProof(std::string secret) : secret_(std::move(secret)) {}

  // The value of this key in etcd.
  [[nodiscard]] std::string seal(const std::string& key, std::string_view content) const;
  // Its content. nullopt: no node of this house wrote it there.
  [[nodiscard]] std::optional<std::string> open(const EtcdValue& value) const;
  // The same, decoded. nullopt also if it cannot be decoded.
  [[nodiscard]] std::optional<Head> open_head(const EtcdValue& value) const;
  [[nodiscard]] std::optional<EntryBatch> open_batch(const EtcdValue& value) const;
  [[nodiscard]] std::optional<NodeRecord> open_node(const EtcdValue& value) const;

 private:
  std::string secret_;
};

// The error of a node that must not go on with the value of this key.
Fault not_of_this_house(const std::string& key);

}  // namespace linkmeter
