#include <chrono>
#include <iostream>
#include <string>
#include <thread>

#include "controller/cli/shell/command.h"
#include "controller/integrity/startup.h"
#include "controller/store/own_node.h"
#include "proto/codec/cluster_status.h"
#include "proto/host/command_line.h"
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

// Both persons say the same, so the second one must see the same last entry.
int leave_cluster(const OperatorClient& asker, std::uint64_t confirmed) {
  require_controller(asker.from);
  if (asker.from.is_socket()) throw Fault("only the owner of the data folder can do this: --data");
  const auto own = read_own_node(asker.from.data);
  if (!own) throw Fault("this controller is not a node of a cluster");
  const LeaveCluster leave = leave_of(*own, *open_data(asker.from));
  const std::string words = summary(leave);
  if (!asker.json) std::cout << words << '\n' << std::flush;
  if (confirmed == 0) return ask(asker, Propose{leave});
  return ask(asker, Confirm{ProposalNumber(confirmed), words});
}

}  // namespace

void declare_cluster(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  declare.reading_folder(app, "nodes", "Show the nodes of this house and the members of etcd",
                         [&given] { return show_nodes(given.from, given.json); });
  auto& own = declare.own<HandoverOptions>();
  CLI::App* handing = declare.reading_folder(
      app, "handover", "Hand the writer's role to another node; this one starts again as a standby",
      [&given, &own] { return hand_over(given.from, given.to, own.waits, given.json); });
  declare.takes(handing, "--to", &CommandOptions::to, "The node that shall be the writer");
  CLI::App& cluster = CommandBuilder::group(app, "cluster", "This node's part in its cluster");
  CLI::App* leaving = declare.asking(
      cluster, "leave",
      "Propose that this node works without etcd from now on: etcd is lost for good",
      [&given](const OperatorClient& by) { return leave_cluster(by, given.number); });
  leaving->add_option("--confirm", given.number, "Confirm this proposal of another manager")
      ->transform(a_number(1));
  leaving->footer(
      "First switch off every other node for good: if two nodes go on alone, there are two\n"
      "histories, and one is lost. The node with the last entry goes on. The manager of the other\n"
      "department confirms the proposal within two minutes: linkmeter cluster leave --confirm "
      "NUMBER.\n"
      "Until then nothing is in the journal. It is refused while etcd answers, and for two leases\n"
      "after its last answer.");
  handing->add_flag("--wait", own.waits, "Wait until it is the writer");
}

}  // namespace linkmeter::cli
