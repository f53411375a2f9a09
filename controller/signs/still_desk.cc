#include "controller/signs/still_desk.h"

#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <utility>

#include "meters/check.h"

namespace linkmeter {

void StillDesk::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  comes_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool StillDesk::draw(const std::string& key, SignStill still, int width, int height,
                     const Drawn& drawn) {
  std::optional<std::string> known;
  {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(key);
    if (kept != kept_.end() && std::chrono::steady_clock::now() - kept->second.at < good_for) {
      known = kept->second.png;
    } else if (stopping_ || orders_.size() >= waiting_max) {
      return false;
    } else {
      orders_.push_back({key, std::move(still), width, height, drawn});
    }
  }
  if (known) {
    drawn(std::move(known));
  } else {
    comes_.notify_one();
  }
  return true;
}

void StillDesk::work() {
  constexpr int lowest_priority = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), lowest_priority);
  std::unique_lock lock(mutex_);
  while (true) {
    comes_.wait(lock, [this] { return stopping_ || !orders_.empty(); });
    if (stopping_) return;
    Order order = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    std::optional<std::string> png;
    try {
      const ReadingScope reads;
      png = sign_png(order.still, order.width, order.height);
    } catch (const std::exception&) {  // no fonts, no memory: the page says that there is none
      png.reset();
    }
    lock.lock();
    if (png) {
      if (kept_.size() >= kept_max) kept_.clear();
      kept_[order.key] = {std::chrono::steady_clock::now(), *png};
    }
    lock.unlock();
    order.drawn(std::move(png));
    lock.lock();
  }
}

}  // namespace linkmeter
