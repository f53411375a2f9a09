// WrittenCluster: a modelled cluster with an empty log and a writer, "a", whose lease lives 3 s.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/fenced_log.h"
#include "controller/store/hash_chain.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/head_text.h"
#include "tests/support/model_etcd.h"

namespace linkmeter {

inline ClusterKeys keys_of_house() { return {Digest{}, OriginProof("the secret of this house")}; }

struct WrittenCluster {
  ModelCluster cluster;
  ModelEtcd etcd{cluster};
  ClusterKeys keys = keys_of_house();
  EtcdLease lease = 0;
  EtcdRevision epoch = 0;
  int pauses = 0;
  FencedLog::Pause pause = [this](const EtcdError&) { ++pauses; };

  WrittenCluster() {
    put(keys.head(), text(Head()));
    begin_writing("a");
  }
  // A node writes this content.
  void put(const std::string& key, const std::string& content) {
    put_raw(key, keys.proof().seal(key, content));
  }
  // Anybody writes this value.
  void put_raw(const std::string& key, const std::string& value) {
    REQUIRE(etcd.commit({.conditions = {}, .puts = {{key, value}}})->is_done);
  }
  void begin_writing(const std::string& node) {
    lease = *etcd.grant_lease(std::chrono::seconds(3));
    const std::string key = keys.writer();
    const auto made =
        etcd.commit({.conditions = {{.key = key, .created = 0}},
                     .puts = {{key, keys.proof().seal(key, encode(record_of(node))), lease}}});
    REQUIRE(made->is_done);
    epoch = made->revision;
  }
  static NodeRecord record_of(const std::string& node, const Head& head = {}) {
    NodeRecord record;
    record.node = node;
    record.tables = "tcp://" + node + ":6057";
    record.head = head;
    return record;
  }
  [[nodiscard]] FencedLog log() { return {etcd, keys, epoch, pause}; }

  // What etcd holds.
  [[nodiscard]] std::vector<EntryBatch> turns() const {
    std::vector<EntryBatch> all;
    for (const EtcdValue& value : cluster.values(keys.turns_from(EntryNumber()))) {
      all.push_back(keys.proof().open_batch(value).value());
    }
    return all;
  }
  [[nodiscard]] Head head() const {
    const auto values = cluster.values({keys.head()});
    REQUIRE(values.size() == 1);
    return keys.proof().open_head(values.front()).value();
  }
};

// The head after these entries.
inline Head head_after(Head head, const std::vector<std::string>& entries) {
  for (const std::string& entry : entries) {
    const EntryNumber number = head.entry.next();
    head = {number, chain_hash(head.hash, number, entry)};
  }
  return head;
}

}  // namespace linkmeter
