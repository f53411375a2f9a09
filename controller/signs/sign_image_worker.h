// SignImageWorker: draws sign images on its own thread, one after the other.
//
// Laws: an image takes a tenth of a second of a processor, and requests are anonymous. So one
// thread of the lowest priority draws the images, and the queue is short. An image in progress or
// in the queue is drawn once for all requests that ask for it, and is not drawn again for two
// seconds. One address has at most a quarter of the queue. A request that does not fit is refused
// at once.
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

  using Paint = std::function<std::string(const SignImage& still, int width, int height)>;

  explicit SignImageWorker(Paint paint = sign_png)
      : paint_(std::move(paint)), thread_([this] { work(); }) {}
  SignImageWorker(const SignImageWorker&) = delete;
  SignImageWorker& operator=(const SignImageWorker&) = delete;
  ~SignImageWorker() { stop(); }

  // Finishes the image in progress, and draws no more: the callbacks of queued requests are never
  // called.
  void stop();
  struct Asked {
    std::string asker;  // the address that the request came from
    std::string key;    // identifies the image: link and size
    SignImage still;
    int width = 0, height = 0;
  };
  // Calls `drawn` once, here or on the worker's thread. False: the queue is full, for this asker or
  // for all, and `drawn` is never called. Any thread.
  bool draw(Asked request, const Drawn& drawn);

 private:
  struct Order {
    Asked asked;
    std::vector<Drawn> drawn;  // callbacks of all requests for it
  };
  struct Kept {
    std::chrono::steady_clock::time_point at;
    std::string png;
  };
  void work();
  [[nodiscard]] const Kept* fresh(const std::string& key) const;
  // The order with this key that is queued or in progress; nullptr: none. REQUIRES: the lock is
  // held.
  Order* find_order(const std::string& key);

  const Paint paint_;
  std::mutex mutex_;
  std::condition_variable comes_;
  std::deque<Order> orders_;
  std::optional<Order> current_;  // in progress
  std::map<std::string, Kept> kept_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace linkmeter
