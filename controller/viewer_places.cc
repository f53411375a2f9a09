#include "controller/viewer_places.h"

#include <algorithm>

namespace linkmeter {

std::optional<int> ViewerPlaces::arrived(int connection, const std::string& address) {
  ended(connection);  // the system gave its number again
  return put(arriving_, connection, address);
}

std::optional<int> ViewerPlaces::subscribed(int connection, const std::string& key) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.kind == &subscribed_) return std::nullopt;
  const std::string owner = key + " " + found->second.owner;
  ended(connection);
  return put(subscribed_, connection, owner);
}

void ViewerPlaces::ended(int connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  Kind& kind = *found->second.kind;
  const auto own = kind.by_owner.find(found->second.owner);
  std::erase(own->second, connection);
  if (own->second.empty()) kind.by_owner.erase(own);
  --kind.size;
  connections_.erase(found);
}

std::optional<int> ViewerPlaces::put(Kind& kind, int connection, const std::string& owner) {
  kind.by_owner[owner].push_back(connection);
  ++kind.size;
  connections_[connection] = {&kind, owner};
  if (kind.size <= kind.size_max) return std::nullopt;
  const auto most = std::max_element(
      kind.by_owner.begin(), kind.by_owner.end(),
      [](const auto& left, const auto& right) { return left.second.size() < right.second.size(); });
  const std::deque<int>& own = kind.by_owner.at(owner);
  const int oldest = own.size() < most->second.size() ? most->second.front() : own.front();
  ended(oldest);
  return oldest;
}

}  // namespace linkmeter
