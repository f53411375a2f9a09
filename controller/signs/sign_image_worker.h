// Still desk: draws stills of signs beside everything else, one after the other.
//
// Laws: a picture takes a tenth of a second of a processor, and anybody may ask for one: so one
// thread of the lowest priority draws them, and a few may wait. A picture that is being drawn or
// waits is drawn once, however many requests ask for it, and is not drawn again for two seconds.
// One address has at most a quarter of the waiting places. A request without a place is refused at
// once.
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
#include <utility>
#include <vector>

#include "controller/signs/sign_image.h"

namespace linkmeter {

class SignImageWorker {
 public:
  static constexpr std::size_t waiting_max = 16, waiting_per_asker_max = 4, kept_max = 16;
  static constexpr std::size_t requests_per_picture_max = 256;
  static constexpr std::chrono::seconds good_for{2};
  // nullopt: it could not be drawn.
  using Drawn = std::function<void(std::optional<std::string> png)>;

  using Paint = std::function<std::string(const SignStill& still, int width, int height)>;

  explicit SignImageWorker(Paint paint = sign_png)
      : paint_(std::move(paint)), thread_([this] { work(); }) {}
  SignImageWorker(const SignImageWorker&) = delete;
  SignImageWorker& operator=(const SignImageWorker&) = delete;
  ~SignImageWorker() { stop(); }

  // Finishes the picture that is being drawn, and draws no more: those that wait are never called.
  void stop();
  struct Asked {
    std::string asker;  // the address that the request came from
    std::string key;    // what is drawn: link and size
    SignStill still;
    int width = 0, height = 0;
  };
  // `drawn` is called once, here or on the desk's thread. False, and it is never called: too many
  // wait, of this asker or of all. Any thread.
  bool draw(Asked asked, const Drawn& drawn);

 private:
  struct Order {
    Asked asked;
    std::vector<Drawn> drawn;  // of every request for it
  };
  struct Kept {
    std::chrono::steady_clock::time_point at;
    std::string png;
  };
  void work();
  [[nodiscard]] const Kept* fresh(const std::string& key) const;
  // Of those that wait, and the one that is being drawn; nullptr: none. The lock is held.
  Order* find_order(const std::string& key);

  const Paint paint_;
  std::mutex mutex_;
  std::condition_variable comes_;
  std::deque<Order> orders_;
  std::optional<Order> current_;  // is being drawn
  std::map<std::string, Kept> kept_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace linkmeter
