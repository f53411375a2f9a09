#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "controller/cli/shell/command.h"
#include "proto/codec/cluster_status.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {
namespace {

constexpr std::chrono::seconds handover_patience{60};
constexpr std::chrono::milliseconds writer_look_interval{200};

Json lag_entries_json(const auto& value) { return value ? Json(*value) : Json(); }

Json nodes_json(const ClusterStatus& status) {
  Json members = Json::array(), nodes = Json::array();
  for (const ClusterStatus::Member& member : status.members) {
    members.push_back(Json{{"name", member.name},
                           {"endpoint", member.endpoint},
                           {"healthy", member.is_healthy},
                           {"leader", member.is_leader},
                           {"version", text_or_null(member.version)},
                           {"store_bytes", member.store_bytes},
                           {"error", text_or_null(member.error)}});
  }
  for (const ClusterStatus::Node& node : status.nodes) {
    Json lag;
    if (node.lag) lag = std::chrono::duration<double>(*node.lag).count();
    nodes.push_back(Json{{"name", node.name},
                         {"role", node.role},
                         {"enrolled", node.is_enrolled},
                         {"entry", node.entry ? Json(node.entry->value()) : Json()},
                         {"lag_entries", lag_entries_json(node.lag_entries)},
                         {"lag_seconds", lag},
                         {"tables", text_or_null(node.tables)},
                         {"feed", text_or_null(node.feed)},
                         {"pages", text_or_null(node.pages)},
                         {"release", text_or_null(node.release)}});
  }
  return Json{{"node", status.node},
              {"writer", text_or_null(status.writer)},
              {"epoch", status.epoch == 0 ? Json() : Json(status.epoch)},
              {"etcd", Json{{"answers", status.etcd_error.empty()},
                            {"error", text_or_null(status.etcd_error)},
                            {"members", members}}},
              {"nodes", nodes},
              {"missing_files", status.missing_files}};
}

std::string yes_no_cell(const Json& value) { return value.get<bool>() ? "yes" : "no"; }

// A time of a lag, to the tenth of a second.
std::string lag_cell(const Json& value) {
  if (value.is_null()) return "";
  const auto tenths = static_cast<std::int64_t>(value.get<double>() * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

ClusterStatus status_of_node(const Source& from) {
  ClusterStatus status = ask_cluster(from);
  if (status.node.empty()) throw Fault("this controller is not a node of a cluster");
  return status;
}

int show_nodes(const Source& from, bool as_json) {
  const ClusterStatus status = status_of_node(from);
  const Json json = nodes_json(status);
  if (as_json) {
    print_json(json);
    return 0;
  }
  std::cout << "node " << status.node << "; the writer is "
            << (status.writer.empty() ? "unknown" : status.writer);
  if (status.epoch != 0) std::cout << ", epoch " << status.epoch;
  std::cout << '\n';
  print_table(
      json.at("nodes"),
      {left("node", "name"), left("role"), left("enrolled", "enrolled", yes_no_cell),
       right("entry"), right("behind", "lag_entries"), right("as of", "lag_seconds", lag_cell),
       left("tables"), left("feed"), left("pages"), left("release")});
  if (status.missing_files != 0) {
    std::cout << "node " << status.node << " lacks " << status.missing_files
              << " slips or day reports; its log says why\n";
  }
  if (!status.etcd_error.empty())
    std::cout << "etcd does not answer: " << status.etcd_error << '\n';
  if (!status.members.empty()) {
    print_table(json.at("etcd").at("members"),
                {left("etcd", "name"), left("endpoint"), left("healthy", "healthy", yes_no_cell),
                 left("leader", "leader", yes_no_cell), left("version"),
                 right("bytes", "store_bytes"), left("error")});
  }
  return 0;
}

// The controller ends, and its manager starts it again; only then it answers.
void await_writer(const Source& from, const std::string& writer) {
  const auto until = std::chrono::steady_clock::now() + handover_patience;
  while (true) {
    try {
      if (ask_cluster(from).writer == writer) return;
    } catch (const Fault&) {
      if (std::chrono::steady_clock::now() > until) throw;
    }
    if (std::chrono::steady_clock::now() > until) {
      throw Fault("node " + writer + " is not the writer after " +
                  std::to_string(handover_patience.count()) + " s");
    }
    std::this_thread::sleep_for(writer_look_interval);
  }
}

int hand_over(const Source& from, const std::string& to, bool waits, bool as_json) {
  const HandoverReply reply = ask_handover(from, to);
  const bool is_done = reply.refusal.empty();
  if (is_done && waits) await_writer(from, to);
  if (as_json) {
    print_json(Json{{"refusal", text_or_null(reply.refusal)}, {"text", reply.text}});
  }
  if (!is_done) throw Fault("refused: " + reply.refusal + ": " + reply.text);
  if (!as_json) std::cout << (waits ? to + " is the writer" : reply.text) << '\n';
  return 0;
}

struct HandoverOptions {
  bool waits = false;
};

}  // namespace

void declare_cluster(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  declare.reading_folder(app, "nodes", "Show the nodes of this house and the members of etcd",
                         [&given] { return show_nodes(given.from, given.json); });
  auto& own = declare.own<HandoverOptions>();
  CLI::App* handing = declare.reading_folder(
      app, "handover", "Let another node be the writer; this one continues as a standby",
      [&given, &own] { return hand_over(given.from, given.to, own.waits, given.json); });
  declare.takes(handing, "--to", &CommandOptions::to, "The node that shall be the writer");
  handing->add_flag("--wait", own.waits, "Wait until it is the writer");
}

}  // namespace linkmeter::cli
