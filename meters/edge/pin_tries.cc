#include "meters/edge/pin_tries.h"

#include <algorithm>

namespace linkmeter {
namespace {

using std::chrono::microseconds;

// Room for one more: the one that was told of longest ago goes.
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

bool PinTries::is_at_home(const Badge& badge, const std::string& place, Uptime uptime) const {
  const auto found = homes_.find({badge, place});
  return found != homes_.end() && uptime < found->second + at_home_for;
}

bool PinTries::is_station(const std::string& place, Uptime uptime) const {
  const auto found = stations_.find(place);
  return found != stations_.end() && uptime < found->second + at_home_for;
}

microseconds PinTries::left(const Wrong& wrong, const Pace& pace, Uptime uptime) {
  if (wrong.count < pace.free || uptime >= wrong.last + remembered_for) return microseconds(0);
  constexpr unsigned doublings_max = 16;
  const unsigned doublings = std::min(wrong.count - pace.free, doublings_max);
  const microseconds wait = std::min(pace.most, pace.first * (1U << doublings));
  return std::max(microseconds(0), wrong.last + wait - uptime);
}

std::optional<std::chrono::seconds> PinTries::wait_of(const Badge& badge, const std::string& place,
                                                      Uptime uptime) const {
  microseconds wait{};
  if (const auto found = by_place_.find({badge, place}); found != by_place_.end()) {
    wait = left(found->second, of_place, uptime);
  }
  const auto found = by_badge_.find(badge);
  if (found != by_badge_.end() && !is_station(place, uptime)) {
    wait = std::max(wait, left(found->second, of_badge, uptime));
  }
  if (wait == microseconds(0)) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(wait);
}

void PinTries::note_try(const Badge& badge, const std::string& place, Uptime uptime) {
  const auto last_of = [](const Wrong& wrong) { return wrong.last; };
  const auto add = [&](auto& map, const auto& key) {
    make_room(map, key, places_max, last_of);
    Wrong& wrong = map[key];
    if (uptime >= wrong.last + remembered_for) wrong.count = 0;
    ++wrong.count;
    wrong.last = uptime;
  };
  add(by_place_, Pair{badge, place});
  add(by_badge_, badge);
}

void PinTries::take_back(const Badge& badge, const std::string& place) {
  take_one_back(by_place_, {badge, place});
  take_one_back(by_badge_, badge);
}

void PinTries::note_right(const Badge& badge, const std::string& place, Uptime uptime) {
  by_place_.erase({badge, place});
  const auto same = [](Uptime at) { return at; };
  make_room(homes_, {badge, place}, places_max, same);
  homes_[{badge, place}] = uptime;
  make_room(stations_, place, places_max, same);
  stations_[place] = uptime;
}

}  // namespace linkmeter
