#include "controller/shared_key_watch.h"

#include <algorithm>

namespace linkmeter {

bool SharedKeyWatch::note(TablePlace table, const std::string& connection, Timestamp now) {
  Seen& seen = tables_[table];
  if (!seen.connections.empty() && seen.connections.back() == connection) return false;
  const auto known = std::find(seen.connections.begin(), seen.connections.end(), connection);
  const bool is_return = known != seen.connections.end();
  if (is_return) seen.connections.erase(known);
  seen.connections.push_back(connection);
  if (seen.connections.size() > connections_remembered) seen.connections.pop_front();
  if (!is_return) return false;
  while (!seen.returns.empty() && has_passed(seen.returns.front(), window.count(), now)) {
    seen.returns.pop_front();
  }
  if (!seen.returns.empty() && !has_passed(seen.returns.back(), return_interval.count(), now)) {
    return false;
  }
  seen.returns.push_back(now);
  if (seen.returns.size() < returns_max) return false;
  seen = Seen();
  return true;
}

}  // namespace linkmeter
