// Cluster status: what a node knows of its cluster, and the request for it and for a handover, as
// bytes over DIR/control (proto/control.proto). Total: any bytes give a value or nullopt.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

struct ClusterStatus {
  // A member of the etcd cluster.
  struct Member {
    std::string name;
    std::string endpoint;
    std::string version;  // "": it does not answer
    bool is_leader = false;
    bool is_healthy = false;
    std::int64_t store_bytes = 0;
    std::string error;
    friend bool operator==(const Member&, const Member&) = default;
  };
  struct Node {
    std::string name;
    // "writer", "standby", "faulty": a standby that must not become the writer, as only the node
    // itself knows, or "away": it is enrolled, but does not run.
    std::string role;
    bool is_enrolled = false;
    std::optional<EntryNumber> entry;          // the last one of its journal
    std::optional<std::uint64_t> lag_entries;  // behind the writer
    // Since the node had every entry; only of the node that was asked.
    std::optional<std::chrono::microseconds> lag;
    std::string tables, feed, pages;  // endpoints
    std::string release;
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::string node;    // the node that was asked; "": the controller is not a node
  std::string writer;  // "": none is known
  std::int64_t epoch = 0;
  std::string etcd_error;  // why etcd does not answer; "": it does
  std::vector<Member> members;
  std::vector<Node> nodes;
  // Slips' copies and day reports that the asked node lacks, as far as it has checked.
  std::uint64_t missing_files = 0;
  friend bool operator==(const ClusterStatus&, const ClusterStatus&) = default;
};

std::string encode_cluster_request();
bool is_cluster_request(std::string_view bytes);

// The longest texts are cut, so that it fits limits::cluster_status_bytes_max.
std::string encode(const ClusterStatus& status);
std::optional<ClusterStatus> decode_cluster_status(std::string_view bytes);

std::string encode_handover_request(const std::string& to);
// The node that shall be the writer. nullopt: the bytes are no such request.
std::optional<std::string> decode_handover_request(std::string_view bytes);

struct HandoverReply {
  std::string refusal;  // its name; "": the writer hands over now
  std::string text;     // a sentence for people
  friend bool operator==(const HandoverReply&, const HandoverReply&) = default;
};

std::string encode(const HandoverReply& reply);
std::optional<HandoverReply> decode_handover_reply(std::string_view bytes);

}  // namespace linkmeter
