#include "controller/store/own_node.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include "meters/values/identity.h"
#include "meters/values/invariant.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

constexpr std::string_view follows_line = "follows\n";

}  // namespace

std::optional<OwnNode> read_own_node(const std::filesystem::path& data) {
  const std::filesystem::path path = data / own_node_name;
  const auto written = read_file(path);
  if (!written && errno == ENOENT) return std::nullopt;
  if (!written) throw Fault(path.string() + ": cannot read it: " + std::strerror(errno));
  const std::size_t end = written->find('\n');
  const std::string name = written->substr(0, end);
  const std::string_view rest =
      end == std::string::npos ? "?" : std::string_view(*written).substr(end + 1);
  if (!is_well_formed_name(name) || !(rest.empty() || rest == follows_line)) {
    throw Fault(path.string() + ": damaged; it holds the name of this node");
  }
  return OwnNode{name, rest.empty()};
}

void write_own_node(const std::filesystem::path& data, const OwnNode& node) {
  INVARIANT(is_well_formed_name(node.name));
  const std::string text = node.name + "\n" + (node.has_caught_up ? "" : std::string(follows_line));
  write_atomically(data / own_node_name, text, readable_by_owner);
}

void require_caught_up(const std::filesystem::path& data) {
  const auto node = read_own_node(data);
  if (!node || node->has_caught_up) return;
  throw Fault(data.string() + ": it was restored as node " + node->name +
              " and has not followed the other nodes yet, so it must not write; start it with " +
              "--etcd, or restore the backup without --node");
}

}  // namespace linkmeter
