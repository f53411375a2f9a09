#include <iostream>
#include <string>

#include "controller/cli/shell/command.h"
#include "controller/store/cluster_key.h"
#include "controller/store/data_folder.h"
#include "controller/store/own_node.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

Json node_json(const std::filesystem::path& data) {
  const auto node = read_own_node(data);
  if (!node) throw Fault(data.string() + ": its controller is no node");
  return {{"node", node->name}, {"public_key", controller_credentials(data).keys.public_key}};
}

void print_node(const std::filesystem::path& data) {
  const Json node = node_json(data);
  const std::string name = node.at("node"), key = node.at("public_key");
  std::cout
      << "node " << name << ": public key " << key
      << "\nAn engineer proposes it where the writer runs, and a manager confirms:\n"
      << "  linkmeter enroll --node " << name << " --public-key='" << key
      << "' --by BADGE\nThen start the controller with --etcd and the other options of a node\n";
}

namespace {

// Names the controller of a folder that has none, and makes the key of its cluster. Its own key
// stays, and so do its tables.
int name_node(const std::filesystem::path& data, const std::string& name) {
  require_own_folder(data);
  const auto journal = open_journal(data);  // no controller may run on it
  const auto before = read_own_node(data);
  if (before && before->name != name) {
    throw Fault(data.string() + ": it is node " + before->name + ", and keeps its name");
  }
  const State state = current_state(*journal);
  const std::string key = controller_credentials(data).keys.public_key;
  const Enrolment* of_name = state.enrolments().find(EnrolmentKind::node, name);
  if (of_name != nullptr && of_name->key != key) {
    throw Fault("node " + name + " is enrolled with another key: this folder is not its folder");
  }
  const Enrolment* of_key = state.enrolments().find_key(key);
  if (of_key != nullptr && of_key != of_name) {
    throw Fault("the key of this folder is enrolled for " +
                std::string(linkmeter::name(of_key->kind)) + " " + of_key->name);
  }
  if (before && !before->has_caught_up) static_cast<void>(cluster_key(data));  // of another node
  if (!has_cluster_key(data)) make_cluster_key(data);
  static_cast<void>(cluster_key(data));  // one that is there must be right
  if (!before) write_own_node(data, {name});
  print_node(data);
  return 0;
}

}  // namespace

void declare_nodes(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App* naming = declare.command(
      app, "name-node",
      "Name the controller of a data folder, before the house gets a second controller",
      [&given] { return name_node(given.from.data, given.node); });
  naming->add_option("--data", given.from.data, "The data folder, with no controller on it")
      ->required();
  declare.takes_node(naming, "The name of this controller")->required();
}

}  // namespace linkmeter::cli
