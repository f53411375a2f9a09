#include "controller/sockets/viewer_slots.h"

#include <algorithm>

namespace linkmeter {

std::optional<int> ViewerSlots::arrived(int connection, const std::string& address) {
  ended(connection);  // the system has reused its number
  connections_[connection] = {false, address, ""};
  add(arriving_, connection, address);
  const std::optional<int> loser = excess(arriving_, address);
  if (loser) ended(*loser);
  return loser;
}

std::optional<int> ViewerSlots::subscribed(int connection, const std::string& key) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.has_subscribed) return std::nullopt;
  const std::string address = found->second.address;
  ended(connection);
  const Connection& now = connections_[connection] = {true, address, key};
  Kind& own = by_key_.try_emplace(key, of_key_max_).first->second;
  add(own, connection, address);
  add(subscribed_, connection, now.owner());
  std::optional<int> loser = excess(own, address);
  if (!loser) loser = excess(subscribed_, now.owner());
  if (loser) ended(*loser);
  return loser;
}

void ViewerSlots::ended(int connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  const Connection& one = found->second;
  if (!one.has_subscribed) {
    take_out(arriving_, connection, one.address);
  } else {
    take_out(subscribed_, connection, one.owner());
    const auto own = by_key_.find(one.key);
    take_out(own->second, connection, one.address);
    if (own->second.size == 0) by_key_.erase(own);
  }
  connections_.erase(found);
}

void ViewerSlots::add(Kind& kind, int connection, const std::string& owner) {
  kind.by_owner[owner].push_back(connection);
  ++kind.size;
}

void ViewerSlots::take_out(Kind& kind, int connection, const std::string& owner) {
  const auto own = kind.by_owner.find(owner);
  std::erase(own->second, connection);
  if (own->second.empty()) kind.by_owner.erase(own);
  --kind.size;
}

std::optional<int> ViewerSlots::excess(const Kind& kind, const std::string& owner) {
  if (kind.size <= kind.size_max) return std::nullopt;
  const auto most = std::max_element(
      kind.by_owner.begin(), kind.by_owner.end(),
      [](const auto& left, const auto& right) { return left.second.size() < right.second.size(); });
  const std::deque<int>& own = kind.by_owner.at(owner);
  return own.size() < most->second.size() ? most->second.front() : own.front();
}

}  // namespace linkmeter
