#include "controller/turn/shared_key_watch.h"

#include <algorithm>

namespace linkmeter {

bool SharedKeyWatch::are_too_many(std::deque<Timestamp>& moments, std::size_t count_max,
                                  Timestamp now) {
  while (!moments.empty() && has_passed(moments.front(), window.count(), now)) moments.pop_front();
  moments.push_back(now);
  return moments.size() >= count_max;
}

bool SharedKeyWatch::note(TableIndex table, const std::string& connection, Timestamp now) {
  Seen& seen = tables_[table];
  if (!seen.connections.empty() && seen.connections.back() == connection) return false;
  const auto known = std::find(seen.connections.begin(), seen.connections.end(), connection);
  const bool is_return = known != seen.connections.end();
  if (is_return) seen.connections.erase(known);
  seen.connections.push_back(connection);
  if (seen.connections.size() > new_connections_max) seen.connections.pop_front();
  bool is_shared = false;
  if (!is_return) {
    is_shared = are_too_many(seen.begun, new_connections_max, now);
  } else if (seen.returns.empty() ||
             has_passed(seen.returns.back(), return_interval.count(), now)) {
    is_shared = are_too_many(seen.returns, returns_max, now);
  }
  if (is_shared) seen = Seen();
  return is_shared;
}

}  // namespace linkmeter
