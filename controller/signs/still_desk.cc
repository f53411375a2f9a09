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

std::optional<std::string> StillDesk::kept(const std::string& key) const {
  const auto found = kept_.find(key);
  if (found == kept_.end()) return std::nullopt;
  const bool is_young = std::chrono::steady_clock::now() - found->second.at < good_for;
  return is_young ? std::optional(found->second.png) : std::nullopt;
}

void StillDesk::draw(const std::string& address, const std::string& key, SignStill still, int width,
                     int height, const Drawn& drawn) {
  std::optional<std::string> known;
  std::optional<Order> refused;
  {
    const std::lock_guard lock(mutex_);
    known = kept(key);
    Order order{key, std::move(still), width, height, drawn};
    if (stopping_) {
      refused = std::move(order);
    } else if (!known) {
      refused = orders_.push(address, false, std::move(order));
    }
  }
  if (known) return drawn(Outcome::drawn, std::move(*known));
  comes_.notify_one();
  if (refused) refused->drawn(Outcome::no_room, "");
}

void StillDesk::work() {
  constexpr int lowest_priority = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), lowest_priority);
  std::unique_lock lock(mutex_);
  while (true) {
    comes_.wait(lock, [this] { return stopping_ || !orders_.empty(); });
    if (stopping_) return;
    const Order order = std::move(*orders_.pop());
    std::optional<std::string> png = kept(order.key);  // drawn while this one waited
    lock.unlock();
    const bool is_new = !png;
    try {
      const ReadingScope reads;
      if (is_new) png = sign_png(order.still, order.width, order.height);
    } catch (const std::exception&) {  // no fonts, no memory: the page says that there is none
      png.reset();
    }
    if (png && is_new) {
      lock.lock();
      if (kept_.size() >= kept_max) kept_.clear();
      kept_[order.key] = {std::chrono::steady_clock::now(), *png};
      lock.unlock();
    }
    order.drawn(png ? Outcome::drawn : Outcome::not_drawn, png ? std::move(*png) : "");
    lock.lock();
  }
}

}  // namespace linkmeter
