#include "controller/sockets/viewer_rate.h"

#include <algorithm>

namespace linkmeter {

ViewerRate::Answer ViewerRate::ask(const std::string& key, Time now) {
  std::erase_if(full_at_, [now](const auto& one) { return one.second <= now; });
  const auto found = full_at_.find(key);
  const Time full_at = found == full_at_.end() ? now : found->second;
  if (!has_room(key_, full_at, now)) return Answer::key_too_often;
  if (!has_room(all_, all_full_at_, now)) return Answer::all_too_often;
  full_at_[key] = full_at + key_.interval;
  all_full_at_ = std::max(all_full_at_, now) + all_.interval;
  return Answer::accepted;
}

bool ViewerRate::has_room(const Bound& bound, Time full_at, Time now) {
  return full_at + bound.interval <= now + bound.at_once * bound.interval;
}

}  // namespace linkmeter
