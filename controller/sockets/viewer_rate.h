// ViewerRate: limits how often connections to the feed may start, for one key and for all keys.
// Each new connection can cost the feed's thread work before its input is bounded, so few may start
// at once, and none while that thread is late.
//
// Laws: a key that connects all the time takes nothing from another key's rate. A refused
// connection is not counted. ViewerRate has no lock and no clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace linkmeter {

class ViewerRate {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // A token bucket: `at_once` tokens, each refilled after `interval`, one after the other.
  struct Bound {
    int at_once = 1;
    std::chrono::milliseconds interval{1'000};
  };
  enum class Answer : std::uint8_t { accepted, key_too_often, all_too_often };

  ViewerRate(const Bound& key, const Bound& all) : key_(key), all_(all) {}

  // A connection with this key is about to start; `now` never goes back. REQUIRES: the key is
  // enrolled, so that the number of keys is bounded.
  [[nodiscard]] Answer ask(const std::string& key, Time now);

 private:
  // Whether a token is left. `full_at` is when all tokens are available again.
  static bool has_room(const Bound& bound, Time full_at, Time now);

  Bound key_, all_;
  std::map<std::string, Time> full_at_;  // by key
  Time all_full_at_ = {};
};

}  // namespace linkmeter
