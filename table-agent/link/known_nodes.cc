#include "table-agent/link/known_nodes.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "meters/values/enrolment.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "proto/host/endpoint.h"

namespace linkmeter {

namespace {

bool is_node(const NodeAddress& node) {
  return is_well_formed_name(node.name) && is_well_formed_key(node.key) &&
         node.endpoint.size() <= limits::endpoint_length_max &&
         (node.endpoint.empty() || endpoint_mistake(node.endpoint, EndpointUse::connect).empty());
}

bool is_endpoint_of(const std::vector<NodeAddress>& list, const std::string& endpoint) {
  return std::any_of(list.begin(), list.end(),
                     [&](const NodeAddress& node) { return node.endpoint == endpoint; });
}

bool has_key(const std::vector<NodeAddress>& list, const std::string& key) {
  return std::any_of(list.begin(), list.end(),
                     [&](const NodeAddress& node) { return node.key == key; });
}

const NodeAddress* node_named(const std::vector<NodeAddress>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const NodeAddress& node) { return node.name == name; });
  return found == list.end() ? nullptr : &*found;
}

// The nodes among these, with the endpoints that `before` knows. An endpoint belongs to the first
// node that is told with it now.
std::vector<NodeAddress> usable(const std::vector<NodeAddress>& nodes,
                                const std::vector<NodeAddress>& before) {
  std::vector<NodeAddress> list;
  for (NodeAddress node : nodes) {
    if (!is_node(node) || node_named(list, node.name) != nullptr) continue;
    if (list.size() == limits::nodes_max) break;
    if (is_endpoint_of(list, node.endpoint)) node.endpoint.clear();
    list.push_back(std::move(node));
  }
  for (NodeAddress& node : list) {
    const NodeAddress* known = node_named(before, node.name);
    if (known == nullptr || !node.endpoint.empty() || is_endpoint_of(list, known->endpoint))
      continue;
    node.endpoint = known->endpoint;
  }
  return list;
}

constexpr const char* no_endpoint = "-";
// No node can have the mark of credentials as its key, so an older agent leaves the line out.
constexpr const char* mark_word = "credentials";
constexpr std::size_t key_length = 40;

bool is_mark(const std::string& text) {
  return text.size() == 2 * key_length && is_well_formed_key(text.substr(0, key_length)) &&
         is_well_formed_key(text.substr(key_length));
}

std::string line_of(const std::string& word, const std::string& key, const std::string& endpoint) {
  return word + " " + key + " " + (endpoint.empty() ? no_endpoint : endpoint) + "\n";
}

struct StoredNodes {
  std::string replaces;
  std::vector<NodeAddress> nodes;
};

// A line for the credentials, and for each node. None of the three texts of a line has a blank.
std::string text_of(const std::string& replaces, const std::vector<NodeAddress>& nodes) {
  std::string text = replaces.empty() ? "" : line_of(mark_word, replaces, "");
  for (const NodeAddress& node : nodes) text += line_of(node.name, node.key, node.endpoint);
  return text;
}

StoredNodes parse_nodes(const std::string& text) {
  StoredNodes stored;
  std::istringstream words(text);
  for (NodeAddress node; words >> node.name >> node.key >> node.endpoint;) {
    if (node.endpoint == no_endpoint) node.endpoint.clear();
    if (node.name == mark_word && is_mark(node.key)) {
      stored.replaces = node.key;
    } else {
      stored.nodes.push_back(node);
    }
  }
  return stored;
}

}  // namespace

std::string mark_of(const Credentials& credentials) {
  return credentials.controller_key + credentials.keys.public_key;
}

KnownNodes::KnownNodes(Outbox& outbox) : outbox_(outbox) {
  StoredNodes stored = parse_nodes(outbox.place(place));
  kept_ = list_ = usable(stored.nodes, {});
  if (!kept_.empty()) given_under_ = std::move(stored.replaces);
}

bool KnownNodes::replace(const std::vector<NodeAddress>& nodes, const Link& link) {
  std::vector<NodeAddress> list = usable(nodes, kept_);
  // The controller is no node of the house: the table keeps its way to it.
  if (list.empty() && !kept_.empty()) {
    std::copy_if(list_.begin(), list_.end(), std::back_inserter(list),
                 [&](const NodeAddress& node) { return node.key == link.controller_key; });
    list = usable(list, {});
  }
  const bool replaces = has_key(list, link.controller_key) && is_mark(link.credentials);
  std::string mark = replaces ? link.credentials : "";
  const bool is_same = list == list_ && mark == given_under_;
  if (list != kept_ || mark != given_under_) outbox_.append({}, {place, text_of(mark, list)});
  kept_ = list_ = std::move(list);
  given_under_ = std::move(mark);
  return !is_same;
}

bool KnownNodes::hear(const std::vector<NodeAddress>& nodes) {
  std::vector<NodeAddress> list = usable(nodes, kept_);
  for (const NodeAddress& node : kept_) {
    if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
  }
  return std::exchange(list_, list) != list;
}

std::string KnownNodes::replaced_credentials() const {
  return has_key(kept_, given_under_.substr(0, key_length)) ? "" : given_under_;
}

}  // namespace linkmeter
