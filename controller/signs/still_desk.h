// Still desk: draws stills of signs beside everything else, one after the other.
//
// Laws: a picture takes a tenth of a second of a processor, and anybody may ask for one: so one
// thread of the lowest priority draws them, a few may wait, addresses take turns, and the same one
// is not drawn twice in two seconds. Who finds no room, or loses it to an address that has fewer
// waiting, is told so at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "controller/signs/sign_still.h"
#include "controller/web/fair_queue.h"

namespace linkmeter {

class StillDesk {
 public:
  static constexpr FairQueueBounds waiting_bounds{0, 8, 4};
  static constexpr std::size_t kept_max = 16;
  static constexpr std::chrono::seconds good_for{2};
  enum class Outcome : std::uint8_t { drawn, not_drawn, no_room };
  // `png` is empty unless it was drawn.
  using Drawn = std::function<void(Outcome outcome, std::string png)>;

  StillDesk() : thread_([this] { work(); }) {}
  StillDesk(const StillDesk&) = delete;
  StillDesk& operator=(const StillDesk&) = delete;
  ~StillDesk() { stop(); }

  // Finishes the picture that is being drawn, and draws no more: those that wait are never called.
  void stop();
  // For that address. `key` names what is drawn: link and size. `drawn` is called once, here or on
  // the desk's thread. Any thread.
  void draw(const std::string& address, const std::string& key, SignStill still, int width,
            int height, const Drawn& drawn);

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
  // A picture that is young enough. REQUIRES: the mutex is held.
  [[nodiscard]] std::optional<std::string> kept(const std::string& key) const;

  std::mutex mutex_;
  std::condition_variable comes_;
  FairQueue<Order> orders_{waiting_bounds};
  std::map<std::string, Kept> kept_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace linkmeter
