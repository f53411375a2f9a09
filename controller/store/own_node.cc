#include "controller/store/own_node.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

#include "meters/values/identity.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

constexpr std::string_view follows_line = "follows\n";
constexpr std::string_view joined_word = "joined ";

std::string text_of(const OwnNode& node) {
  std::string text = node.name + "\n";
  if (!node.has_caught_up) text += follows_line;
  if (node.joined) text += std::string(joined_word) + std::to_string(*node.joined) + "\n";
  return text;
}

std::int64_t epoch_of(const std::optional<WriterChanged>& last) { return last ? last->epoch : 0; }

}  // namespace

std::optional<OwnNode> read_own_node(const std::filesystem::path& data) {
  const std::filesystem::path path = data / own_node_name;
  const auto written = read_file(path);
  if (!written && errno == ENOENT) return std::nullopt;
  if (!written) throw Fault(path.string() + ": cannot read it: " + std::strerror(errno));
  const std::size_t end = written->find('\n');
  OwnNode node{written->substr(0, end)};
  if (end != std::string::npos) {
    const std::string_view rest = std::string_view(*written).substr(end + 1);
    node.has_caught_up = rest != follows_line;
    if (rest.starts_with(joined_word)) {
      const std::string_view digits = rest.substr(joined_word.size());
      std::from_chars(digits.data(), digits.data() + digits.size(), node.joined.emplace());
    }
  }
  const std::int64_t joined = node.joined.value_or(0);
  if (!is_well_formed_name(node.name) || joined < 0 || joined > limits::writer_epoch_max ||
      text_of(node) != *written) {
    throw Fault(path.string() + ": damaged; it holds the name of this node");
  }
  return node;
}

void write_own_node(const std::filesystem::path& data, const OwnNode& node) {
  INVARIANT(is_well_formed_name(node.name));
  INVARIANT(node.has_caught_up || !node.joined);
  write_atomically(data / own_node_name, text_of(node), readable_by_owner);
}

OwnNode joined(const std::string& name, const std::optional<WriterChanged>& last) {
  return {name, true, epoch_of(last)};
}

bool may_write_alone(const OwnNode& node, const std::optional<WriterChanged>& last) {
  return may_write_alone(last, node.name) && (!node.joined || epoch_of(last) > *node.joined);
}

void require_caught_up(const std::filesystem::path& data) {
  const auto node = read_own_node(data);
  if (!node || node->has_caught_up) return;
  throw Fault(data.string() + ": it was restored as node " + node->name +
              " and has not followed the other nodes yet, so it must not write; start it with " +
              "--etcd, or restore the backup without --node");
}

}  // namespace linkmeter
