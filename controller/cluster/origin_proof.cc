#include "controller/cluster/origin_proof.h"

#include "meters/values/identity.h"
#include "proto/codec/head_text.h"
#include "proto/host/hmac.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

// No two pairs of key and content give the same text: the digest has a fixed size.
Digest mac_of(const std::string& secret, const std::string& key, std::string_view content) {
  const Digest digest = sha256(content);
  std::string text = "linkmeter value in etcd 1\n" + key + "\n";
  text.append(digest.begin(), digest.end());
  return hmac_sha256(secret, text);
}

}  // namespace

std::string OriginProof::seal(const std::string& key, std::string_view content) const {
  return encode(SealedValue{std::string(content), mac_of(secret_, key, content)});
}

std::optional<std::string> OriginProof::open(const EtcdValue& value) const {
  auto sealed = decode_sealed_value(value.value);
  if (!sealed || !is_same_mac(sealed->mac, mac_of(secret_, value.key, sealed->content))) {
    return std::nullopt;
  }
  return std::move(sealed->content);
}

std::optional<Head> OriginProof::open_head(const EtcdValue& value) const {
  const auto content = open(value);
  return content ? parse_head(*content) : std::nullopt;
}

std::optional<EntryBatch> OriginProof::open_batch(const EtcdValue& value) const {
  const auto content = open(value);
  return content ? decode_entry_batch(*content) : std::nullopt;
}

std::optional<NodeRecord> OriginProof::open_node(const EtcdValue& value) const {
  const auto content = open(value);
  return content ? decode_node_record(*content) : std::nullopt;
}

Fault not_of_this_house(const std::string& key) {
  return Fault("etcd: " + key + " has no valid proof of origin, and this node does not use it: " +
               "somebody who is no node wrote it, or this node has another keys/cluster.key");
}

}  // namespace linkmeter
