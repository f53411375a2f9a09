// Still desk: draws stills of signs beside everything else, one after the other.
//
// Laws: a picture takes a tenth of a second of a processor, and anybody may ask for one: so one
// thread of the lowest priority draws them, a few may wait, and the same one is not drawn twice in
// two seconds. Whoever finds no room is told so at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "controller/signs/sign_still.h"

namespace linkmeter {

class StillDesk {
 public:
  static constexpr std::size_t waiting_max = 8, kept_max = 16;
  static constexpr std::chrono::seconds good_for{2};
  // nullopt: it could not be drawn.
  using Drawn = std::function<void(std::optional<std::string> png)>;

  StillDesk() : thread_([this] { work(); }) {}
  StillDesk(const StillDesk&) = delete;
  StillDesk& operator=(const StillDesk&) = delete;
  ~StillDesk() { stop(); }

  // Finishes the picture that is being drawn, and draws no more: those that wait are never called.
  void stop();
  // `key` names what is drawn: link and size. `drawn` is called once, here or on the desk's thread.
  // False, and it is never called: too many wait. Any thread.
  bool draw(const std::string& key, SignStill still, int width, int height, const Drawn& drawn);

 private:
  struct Order {
    std::string key;
    SignStill still;
    int width = 0, height = 0;
    Drawn drawn;
  };
  struct Kept {
    std::chrono::steady_clock::time_point at;
    std::string png;
  };
  void work();

  std::mutex mutex_;
  std::condition_variable comes_;
  std::deque<Order> orders_;
  std::map<std::string, Kept> kept_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace linkmeter
