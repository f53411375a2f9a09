#include "table-agent/link/known_nodes.h"

#include <algorithm>
#include <cstddef>
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

constexpr const char* nothing = "-";
// Lines of the outbox that are no nodes. The second word of each is no key, so an older agent
// leaves the line out.
constexpr const char* given_word = "given";           // the list under these credentials
constexpr const char* replaces_word = "credentials";  // the same, and it replaces their key
constexpr const char* dropped_word = "dropped";       // a key, as the third word
constexpr std::size_t key_length = 40;

bool is_mark(const std::string& text) {
  return text.size() == 2 * key_length && is_well_formed_key(text.substr(0, key_length)) &&
         is_well_formed_key(text.substr(key_length));
}

// The controller's.
std::string key_in(const std::string& mark) { return mark.substr(0, key_length); }

void keep_last(std::vector<std::string>& keys) {
  const std::size_t most = KnownNodes::dropped_max;
  if (keys.size() > most) keys.erase(keys.begin(), keys.end() - std::ptrdiff_t{most});
}

// None of the three words has a blank.
std::string line_of(const std::string& word, const std::string& key, const std::string& endpoint) {
  return word + " " + (key.empty() ? nothing : key) + " " +
         (endpoint.empty() ? nothing : endpoint) + "\n";
}

}  // namespace

std::string mark_of(const Credentials& credentials) {
  return credentials.controller_key + credentials.keys.public_key;
}

// ---- The outbox. --------------------------------------------------------------------------------

std::string KnownNodes::text_of(const Kept& kept) {
  const std::string& mark = kept.by_writer.credentials;
  std::string text;
  if (!mark.empty()) text += line_of(kept.replaces ? replaces_word : given_word, mark, "");
  for (const std::string& key : kept.dropped) text += line_of(dropped_word, "", key);
  for (const NodeAddress& node : kept.by_writer.nodes) {
    text += line_of(node.name, node.key, node.endpoint);
  }
  return text;
}

KnownNodes::Kept KnownNodes::parse(const std::string& text) {
  Kept kept;
  std::vector<NodeAddress> nodes;
  std::string mark;
  std::istringstream words(text);
  for (NodeAddress line; words >> line.name >> line.key >> line.endpoint;) {
    const bool replaces = line.name == replaces_word;
    if ((replaces || line.name == given_word) && is_mark(line.key)) {
      mark = line.key;
      kept.replaces = replaces;
    } else if (line.name == dropped_word && line.key == nothing) {
      if (is_well_formed_key(line.endpoint)) kept.dropped.push_back(line.endpoint);
    } else {
      if (line.endpoint == nothing) line.endpoint.clear();
      nodes.push_back(line);
    }
  }
  kept.by_writer.nodes = usable(nodes, {});
  if (!kept.by_writer.nodes.empty()) kept.by_writer.credentials = std::move(mark);
  kept.replaces = kept.replaces && !kept.by_writer.credentials.empty();
  keep_last(kept.dropped);
  return kept;
}

KnownNodes::KnownNodes(Outbox& outbox) : outbox_(outbox), kept_(parse(outbox.place(place))) {}

// ---- What is known. -----------------------------------------------------------------------------

std::vector<NodeAddress> KnownNodes::usable_with(const Named& named,
                                                 const std::string& credentials) {
  const bool is_other =
      !named.credentials.empty() && !credentials.empty() && named.credentials != credentials;
  return is_other ? std::vector<NodeAddress>() : named.nodes;
}

std::vector<NodeAddress> KnownNodes::list(const std::string& credentials) const {
  std::vector<NodeAddress> list = usable_with(heard_, credentials);
  for (NodeAddress& node : usable_with(kept_.by_writer, credentials)) {
    if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(std::move(node));
  }
  return list;
}

std::string KnownNodes::replaced_credentials() const {
  const auto& [nodes, credentials] = kept_.by_writer;
  return kept_.replaces && !has_key(nodes, key_in(credentials)) ? credentials : "";
}

bool KnownNodes::is_dropped(const std::string& key, const std::string& credentials) const {
  const std::string replaced = replaced_credentials();
  if (!credentials.empty() && credentials != replaced && key == key_in(credentials)) return false;
  // An outbox of an older agent does not say that the list dropped this one.
  if (!replaced.empty() && key == key_in(replaced)) return true;
  return std::find(kept_.dropped.begin(), kept_.dropped.end(), key) != kept_.dropped.end();
}

// ---- What controllers say. ----------------------------------------------------------------------

std::vector<std::string> KnownNodes::dropped_by(const Kept& next) const {
  std::vector<std::string> keys = kept_.dropped;
  const std::string replaced = replaced_credentials();
  if (!replaced.empty()) keys.push_back(key_in(replaced));
  for (const NodeAddress& node : kept_.by_writer.nodes) keys.push_back(node.key);
  if (next.replaces) keys.push_back(key_in(next.by_writer.credentials));
  std::vector<std::string> dropped;
  for (const std::string& key : keys) {
    if (has_key(next.by_writer.nodes, key)) continue;
    const bool is_there = std::find(dropped.begin(), dropped.end(), key) != dropped.end();
    if (!is_there) dropped.push_back(key);
  }
  keep_last(dropped);
  return dropped;
}

bool KnownNodes::replace(const std::vector<NodeAddress>& nodes, const Link& link) {
  const std::vector<NodeAddress> before = usable_with(kept_.by_writer, link.credentials);
  Kept next;
  next.by_writer.nodes = usable(nodes, before);
  // The controller is no node of the house: the table keeps its way to it.
  if (next.by_writer.nodes.empty() && !before.empty()) {
    std::vector<NodeAddress> way = list(link.credentials);
    std::erase_if(way, [&](const NodeAddress& node) { return node.key != link.controller_key; });
    next.by_writer.nodes = usable(way, {});
  }
  const std::vector<NodeAddress>& named = next.by_writer.nodes;
  if (!named.empty() && is_mark(link.credentials)) {
    next.by_writer.credentials = link.credentials;
    next.replaces = has_key(named, link.controller_key);
  }
  next.dropped = dropped_by(next);
  const bool is_same = next == kept_;
  if (!is_same) outbox_.append({}, {place, text_of(next)});
  kept_ = std::move(next);
  return std::exchange(heard_, Named()) != Named() || !is_same;
}

bool KnownNodes::hear(const std::vector<NodeAddress>& nodes, const Link& link) {
  std::vector<NodeAddress> told = nodes;
  std::erase_if(told,
                [&](const NodeAddress& node) { return is_dropped(node.key, link.credentials); });
  const std::vector<NodeAddress> before = list(link.credentials);
  heard_ = {usable(told, usable_with(kept_.by_writer, link.credentials)), link.credentials};
  return list(link.credentials) != before;
}

}  // namespace linkmeter
