#include "table-agent/link/known_nodes.h"

#include <algorithm>
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

bool is_alike(const NodeAddress& one, const NodeAddress& other) {
  return one.name == other.name || (!one.endpoint.empty() && one.endpoint == other.endpoint);
}

// The nodes among these, with the endpoints that `before` knows.
std::vector<NodeAddress> usable(const std::vector<NodeAddress>& nodes,
                                const std::vector<NodeAddress>& before) {
  std::vector<NodeAddress> list;
  for (NodeAddress node : nodes) {
    const auto known = std::find_if(before.begin(), before.end(),
                                    [&](const NodeAddress& one) { return one.name == node.name; });
    if (node.endpoint.empty() && known != before.end()) node.endpoint = known->endpoint;
    const bool is_twice = std::any_of(list.begin(), list.end(),
                                      [&](const NodeAddress& one) { return is_alike(one, node); });
    if (is_node(node) && !is_twice && list.size() < limits::nodes_max) {
      list.push_back(std::move(node));
    }
  }
  return list;
}

constexpr const char* no_endpoint = "-";

// A line for each node. None of the three texts has a blank in it.
std::string text_of(const std::vector<NodeAddress>& nodes) {
  std::string text;
  for (const NodeAddress& node : nodes) {
    text += node.name + " " + node.key + " ";
    text += (node.endpoint.empty() ? no_endpoint : node.endpoint) + "\n";
  }
  return text;
}

std::vector<NodeAddress> parse_nodes(const std::string& text) {
  std::vector<NodeAddress> nodes;
  std::istringstream words(text);
  for (NodeAddress node; words >> node.name >> node.key >> node.endpoint;) {
    if (node.endpoint == no_endpoint) node.endpoint.clear();
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

KnownNodes::KnownNodes(Outbox& outbox)
    : outbox_(outbox), kept_(usable(parse_nodes(outbox.place(place)), {})), list_(kept_) {}

bool KnownNodes::replace(const std::vector<NodeAddress>& nodes) {
  std::vector<NodeAddress> list = usable(nodes, kept_);
  if (list != kept_) outbox_.append({}, {place, text_of(list)});
  kept_ = std::move(list);
  return std::exchange(list_, kept_) != kept_;
}

bool KnownNodes::hear(const std::vector<NodeAddress>& nodes) {
  std::vector<NodeAddress> list = usable(nodes, kept_);
  for (const NodeAddress& node : kept_) {
    if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
  }
  return std::exchange(list_, list) != list;
}

}  // namespace linkmeter
