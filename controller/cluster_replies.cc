#include "controller/cluster_replies.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "meters/values/enrolment.h"

namespace linkmeter {
namespace {

ClusterStatus::Node node_of(const NodeRecord& record, const std::string& writer) {
  ClusterStatus::Node node;
  node.name = record.node;
  node.role = record.node == writer ? "writer" : "standby";
  node.entry = record.head.entry;
  node.tables = record.tables;
  node.feed = record.feed;
  node.pages = record.pages;
  node.release = record.release;
  return node;
}

}  // namespace

ClusterStatus cluster_status(const Cluster::News& news, const NodeRecord& own,
                             const Enrolments& enrolments, const std::optional<WriterChanged>& last,
                             std::uint64_t missing_files) {
  ClusterStatus status;
  status.missing_files = missing_files;
  status.node = own.node;
  if (news.seen.writer) status.writer = news.seen.writer->record.node;
  // A standby may not have followed the writer's first entry yet.
  if (last && last->node == status.writer) status.epoch = last->epoch;
  status.etcd_error = news.error.empty() && !news.has_looked ? "not asked yet" : news.error;
  for (const EtcdMember& member : news.members) {
    status.members.push_back({member.name, member.endpoint, member.version, member.is_leader,
                              member.is_healthy, member.store_bytes, member.error});
  }
  std::map<std::string, NodeRecord> running = news.seen.nodes;
  running[own.node] = own;
  std::set<std::string> names;
  for (const auto& [name, record] : running) names.insert(name);
  for (const auto& [name, enrolled] : enrolments.all()) {
    if (enrolled.kind == EnrolmentKind::node) names.insert(enrolled.name);
  }
  const bool is_writer = own.node == status.writer;
  const EntryNumber head = is_writer || !news.seen.head ? own.head.entry : news.seen.head->entry;
  for (const std::string& name : names) {
    const auto runs = running.find(name);
    ClusterStatus::Node& node = status.nodes.emplace_back();
    if (runs == running.end()) {
      node.role = "away";
    } else {
      node = node_of(runs->second, status.writer);
      node.lag_entries = head.value() - std::min(head, *node.entry).value();
    }
    node.name = name;
    node.is_enrolled = enrolments.find(EnrolmentKind::node, name) != nullptr;
    if (name != own.node) continue;
    if (is_writer) node.lag = std::chrono::microseconds(0);
    if (!is_writer && news.current_at.count() > 0) node.lag = boot_time() - news.current_at;
  }
  return status;
}

std::string standby_text(const ClusterStatus& status) {
  std::string text =
      status.writer.empty() ? "standby, there is no writer" : "standby of " + status.writer;
  for (const ClusterStatus::Node& node : status.nodes) {
    if (node.name != status.node || !node.lag_entries) continue;
    text += ", " + std::to_string(*node.lag_entries) + " entries behind";
  }
  if (status.missing_files != 0) {
    text += ", " + std::to_string(status.missing_files) + " files missing";
  }
  if (!status.etcd_error.empty()) text += "; etcd does not answer: " + status.etcd_error;
  return text;
}

Json cluster_members(const ClusterStatus& status) {
  Json lag, nodes = Json::array();
  for (const ClusterStatus::Node& node : status.nodes) {
    if (node.name == status.node && node.lag) {
      lag = std::chrono::duration<double>(*node.lag).count();
    }
    if (!node.is_enrolled) continue;
    nodes.push_back(Json{{"name", node.name},
                         {"role", node.role},
                         {"lag_entries", node.lag_entries ? Json(*node.lag_entries) : Json()},
                         {"pages", text_or_null(node.pages)}});
  }
  const auto healthy = std::count_if(status.members.begin(), status.members.end(),
                                     [](const auto& member) { return member.is_healthy; });
  return Json{{"node", status.node},
              {"writer", text_or_null(status.writer)},
              {"lag_seconds", lag},
              {"nodes", std::move(nodes)},
              {"etcd", Json{{"answers", status.etcd_error.empty()},
                            {"members", status.members.size()},
                            {"healthy", healthy}}}};
}

HandoverReply handover_reply(const ClusterStatus& status, const std::string& to) {
  if (status.node.empty()) {
    return {"not_a_node", "this controller is not a node of a cluster"};
  }
  if (status.node != status.writer) {
    return {"not_the_writer",
            "node " + status.node + " is not the writer; " +
                (status.writer.empty() ? "there is none now" : "ask node " + status.writer)};
  }
  if (to == status.node) return {"is_the_writer", "node " + to + " is the writer already"};
  const auto node = std::find_if(status.nodes.begin(), status.nodes.end(),
                                 [&to](const ClusterStatus::Node& one) { return one.name == to; });
  if (node == status.nodes.end() || !node->is_enrolled) {
    return {"node_not_enrolled", "no node of this name is enrolled"};
  }
  if (node->role == "away") return {"node_not_running", "node " + to + " does not run"};
  if (node->lag_entries.value_or(0) > handover_lag_max) {
    return {"node_behind", "node " + to + " lacks " + std::to_string(*node->lag_entries) +
                               " entries; it may lack at most " + std::to_string(handover_lag_max)};
  }
  return {"", "handing over to " + to};
}

void ClusterReplies::serve(Moment /*now*/) {
  for (const ControlSocket::ClusterRequest& request : operators_.take_cluster_requests()) {
    if (!request.handover) {
      operators_.reply({request.peer, encode(status_())});
      continue;
    }
    const HandoverReply reply = handover_reply(status_(), *request.handover);
    operators_.reply({request.peer, encode(reply)});
    if (!reply.refusal.empty()) {
      spdlog::warn("no handover: {}: {}", reply.refusal, reply.text);
      continue;
    }
    spdlog::info("{}", reply.text);
    hand_over_(*request.handover);
  }
}

}  // namespace linkmeter
