#include "proto/codec/cluster_status.h"

#include <algorithm>

#include "meters/values/limits.h"
#include "proto/control.pb.h"

namespace linkmeter {
namespace {

constexpr std::size_t status_text_max = 512;
constexpr std::size_t status_list_max = 32;  // nodes and members that fit into a reply
static_assert(10 * status_list_max * status_text_max <= limits::cluster_status_bytes_max);

template <class Message>
bool parse_control(std::string_view bytes, std::size_t bytes_max, Message& message) {
  return bytes.size() <= bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

std::string shortened(const std::string& text) { return text.substr(0, status_text_max); }

void write(const ClusterStatus::Member& member, control::ClusterMember& message) {
  message.set_name(shortened(member.name));
  message.set_endpoint(shortened(member.endpoint));
  message.set_version(shortened(member.version));
  message.set_is_leader(member.is_leader);
  message.set_is_healthy(member.is_healthy);
  message.set_store_bytes(member.store_bytes);
  message.set_error(shortened(member.error));
}

void write(const ClusterStatus::Node& node, control::ClusterNode& message) {
  message.set_name(shortened(node.name));
  message.set_role(node.role);
  message.set_is_enrolled(node.is_enrolled);
  if (node.entry) message.set_entry(node.entry->value());
  if (node.lag_entries) message.set_lag_entries(*node.lag_entries);
  if (node.lag) message.set_lag_us(node.lag->count());
  message.set_tables(shortened(node.tables));
  message.set_feed(shortened(node.feed));
  message.set_pages(shortened(node.pages));
  message.set_release(shortened(node.release));
}

ClusterStatus::Member read(const control::ClusterMember& message) {
  return {message.name(),       message.endpoint(),    message.version(), message.is_leader(),
          message.is_healthy(), message.store_bytes(), message.error()};
}

ClusterStatus::Node read(const control::ClusterNode& message) {
  ClusterStatus::Node node;
  node.name = message.name();
  node.role = message.role();
  node.is_enrolled = message.is_enrolled();
  if (message.has_entry()) node.entry = EntryNumber(message.entry());
  if (message.has_lag_entries()) node.lag_entries = message.lag_entries();
  if (message.has_lag_us()) node.lag = std::chrono::microseconds(message.lag_us());
  node.tables = message.tables();
  node.feed = message.feed();
  node.pages = message.pages();
  node.release = message.release();
  return node;
}

}  // namespace

std::string encode_cluster_request() {
  control::Request message;
  message.mutable_cluster();
  return message.SerializeAsString();
}

bool is_cluster_request(std::string_view bytes) {
  control::Request message;
  return parse_control(bytes, limits::control_bytes_max, message) && message.has_cluster();
}

std::string encode(const ClusterStatus& status) {
  control::Reply reply;
  control::Cluster& message = *reply.mutable_cluster();
  message.set_node(status.node);
  message.set_writer(status.writer);
  message.set_epoch(status.epoch);
  message.set_etcd_error(shortened(status.etcd_error));
  message.set_missing_files(status.missing_files);
  for (std::size_t at = 0; at < std::min(status_list_max, status.members.size()); ++at) {
    write(status.members[at], *message.add_members());
  }
  for (std::size_t at = 0; at < std::min(status_list_max, status.nodes.size()); ++at) {
    write(status.nodes[at], *message.add_nodes());
  }
  return reply.SerializeAsString();
}

std::optional<ClusterStatus> decode_cluster_status(std::string_view bytes) {
  control::Reply reply;
  if (!parse_control(bytes, limits::cluster_status_bytes_max, reply) || !reply.has_cluster()) {
    return std::nullopt;
  }
  const control::Cluster& message = reply.cluster();
  ClusterStatus status{
      message.node(),         message.writer(), message.epoch(), message.etcd_error(), {}, {},
      message.missing_files()};
  for (const auto& member : message.members()) status.members.push_back(read(member));
  for (const auto& node : message.nodes()) status.nodes.push_back(read(node));
  return status;
}

std::string encode_handover_request(const std::string& to) {
  control::Request message;
  message.mutable_handover()->set_to(to);
  return message.SerializeAsString();
}

std::optional<std::string> decode_handover_request(std::string_view bytes) {
  control::Request message;
  if (!parse_control(bytes, limits::control_bytes_max, message) || !message.has_handover()) {
    return std::nullopt;
  }
  return message.handover().to();
}

std::string encode(const HandoverReply& reply) {
  control::Reply message;
  message.mutable_handover()->set_refusal(reply.refusal);
  message.mutable_handover()->set_text(reply.text);
  return message.SerializeAsString();
}

std::optional<HandoverReply> decode_handover_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse_control(bytes, limits::control_bytes_max, message) || !message.has_handover()) {
    return std::nullopt;
  }
  return HandoverReply{message.handover().refusal(), message.handover().text()};
}

}  // namespace linkmeter
