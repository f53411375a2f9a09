#include "proto/http/login_throttle.h"

#include <algorithm>
#include <charconv>

namespace linkmeter {
namespace {

using std::chrono::microseconds;

constexpr std::size_t lines_max = 65'536;  // of the text of trusted_origins()

// Makes room for one more: removes the one with the oldest time.
template <class Map, class Time>
void make_room(Map& map, const typename Map::key_type& key, std::size_t size_max,
               const Time& time_of) {
  if (map.size() < size_max || map.contains(key)) return;
  map.erase(std::min_element(map.begin(), map.end(), [&](const auto& left, const auto& right) {
    return time_of(left.second) < time_of(right.second);
  }));
}

template <class Map>
void take_one_back(Map& map, const typename Map::key_type& key) {
  const auto found = map.find(key);
  if (found != map.end() && --found->second.count == 0) map.erase(found);
}

}  // namespace

bool LoginThrottle::is_trusted_origin(const Badge& badge, const std::string& origin,
                                      Uptime uptime) const {
  const auto found = trusted_origins_.find({badge, origin});
  return found != trusted_origins_.end() && uptime < found->second + trusted_for;
}

bool LoginThrottle::is_shared_terminal(const std::string& origin, Uptime uptime) const {
  return std::any_of(trusted_origins_.begin(), trusted_origins_.end(), [&](const auto& trusted) {
    return trusted.first.second == origin && uptime < trusted.second + trusted_for;
  });
}

microseconds LoginThrottle::left(const Wrong& wrong, const Pace& pace, Uptime uptime) {
  if (wrong.count < pace.free || uptime >= wrong.last + remembered_for) return microseconds(0);
  constexpr unsigned doublings_max = 16;
  const unsigned doublings = std::min(wrong.count - pace.free, doublings_max);
  const microseconds wait = std::min(pace.most, pace.first * (1U << doublings));
  return std::max(microseconds(0), wrong.last + wait - uptime);
}

std::optional<std::chrono::seconds> LoginThrottle::wait_of(const Badge& badge,
                                                           const std::string& origin,
                                                           Uptime uptime) const {
  microseconds wait{};
  if (const auto found = by_origin_.find({badge, origin}); found != by_origin_.end()) {
    wait = left(found->second, per_origin, uptime);
  }
  const bool is_shared = is_shared_terminal(origin, uptime);
  const auto& over_all = is_shared ? by_badge_at_terminals_ : by_badge_;
  if (const auto found = over_all.find(badge); found != over_all.end()) {
    wait =
        std::max(wait, left(found->second, is_shared ? per_badge_at_terminals : per_badge, uptime));
  }
  if (wait == microseconds(0)) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(wait);
}

void LoginThrottle::note_try(const Badge& badge, const std::string& origin, Uptime uptime) {
  const bool is_at_terminal = is_shared_terminal(origin, uptime);
  const auto last_of = [](const Wrong& wrong) { return wrong.last; };
  const auto add = [&](auto& map, const auto& key) {
    make_room(map, key, origins_max, last_of);
    Wrong& wrong = map[key];
    if (uptime >= wrong.last + remembered_for) wrong.count = 0;
    ++wrong.count;
    wrong.last = uptime;
    wrong.is_at_terminal = is_at_terminal;
  };
  add(by_origin_, Pair{badge, origin});
  add(is_at_terminal ? by_badge_at_terminals_ : by_badge_, badge);
}

void LoginThrottle::take_back(const Badge& badge, const std::string& origin) {
  const auto tried = by_origin_.find({badge, origin});
  // The origin may be trusted now, or no longer: what counts is what it was at the try. A right PIN
  // has removed the entry of its origin, and has made the origin a trusted one.
  const bool is_at_terminal =
      tried != by_origin_.end()
          ? tried->second.is_at_terminal
          : std::any_of(trusted_origins_.begin(), trusted_origins_.end(),
                        [&origin](const auto& trusted) { return trusted.first.second == origin; });
  take_one_back(is_at_terminal ? by_badge_at_terminals_ : by_badge_, badge);
  take_one_back(by_origin_, {badge, origin});
}

void LoginThrottle::note_wrong(const Badge& badge) {
  if (counts_.size() < origins_max || counts_.contains(badge)) ++counts_[badge];
}

void LoginThrottle::note_right(const Badge& badge, const std::string& origin, Uptime uptime) {
  constexpr std::chrono::hours told_again_after{1};
  by_origin_.erase({badge, origin});
  const auto known = trusted_origins_.find({badge, origin});
  if (known == trusted_origins_.end() || uptime >= known->second + told_again_after)
    ++trusted_origins_version_;
  make_room_for_origin(badge, origin);
  trusted_origins_[{badge, origin}] = uptime;
}

void LoginThrottle::make_room_for_origin(const Badge& badge, const std::string& origin) {
  if (trusted_origins_.contains({badge, origin})) return;
  std::size_t count = 0;
  auto oldest = trusted_origins_.end();
  for (auto at = trusted_origins_.lower_bound({badge, ""});
       at != trusted_origins_.end() && at->first.first == badge; ++at) {
    ++count;
    if (oldest == trusted_origins_.end() || at->second < oldest->second) oldest = at;
  }
  if (count >= origins_of_badge_max) trusted_origins_.erase(oldest);
}

std::string LoginThrottle::trusted_origins(Uptime uptime, Timestamp now) const {
  std::string text;
  for (const auto& [trusted, at] : trusted_origins_) {
    const std::int64_t moment = now.microseconds() - (uptime - at).count();
    text += trusted.first.text() + "\t" + trusted.second + "\t" + std::to_string(moment) + "\n";
  }
  return text;
}

bool LoginThrottle::read_trusted_origins(std::string_view text, Uptime uptime, Timestamp now) {
  std::multimap<Uptime, Pair> trusted_origins;  // the oldest first
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t first = line.find('\t');
    const std::size_t last = line.rfind('\t');
    if (first == std::string_view::npos || first == last || trusted_origins.size() >= lines_max)
      return false;
    const std::string_view number = line.substr(last + 1);
    std::int64_t moment = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), moment);
    if (read.ec != std::errc() || read.ptr != number.data() + number.size() || moment < 0) {
      return false;
    }
    // If the clock was set back, the time lies in the future: it counts as now.
    const std::int64_t age = std::max(std::int64_t{0}, now.microseconds() - moment);
    Pair trusted{Badge(std::string(line.substr(0, first))),
                 std::string(line.substr(first + 1, last - first - 1))};
    trusted_origins.emplace(uptime - microseconds(age), std::move(trusted));
  }
  for (const auto& [at, trusted] : trusted_origins) {
    make_room_for_origin(trusted.first, trusted.second);
    trusted_origins_[trusted] = at;
  }
  return true;
}

}  // namespace linkmeter
