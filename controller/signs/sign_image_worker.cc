#include "controller/signs/sign_image_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {

void SignImageWorker::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  comes_.notify_one();
  if (thread_.joinable()) thread_.join();
}

const SignImageWorker::Kept* SignImageWorker::fresh(const std::string& key) const {
  const auto kept = kept_.find(key);
  if (kept == kept_.end()) return nullptr;
  return std::chrono::steady_clock::now() - kept->second.at < good_for ? &kept->second : nullptr;
}

SignImageWorker::Order* SignImageWorker::find_order(const std::string& key) {
  if (current_ && current_->asked.key == key) return &*current_;
  const auto waits = std::find_if(orders_.begin(), orders_.end(),
                                  [&key](const Order& order) { return order.asked.key == key; });
  return waits == orders_.end() ? nullptr : &*waits;
}

bool SignImageWorker::draw(Asked request, const Drawn& drawn) {
  std::optional<std::string> known;
  {
    const std::lock_guard lock(mutex_);
    if (const Kept* kept = fresh(request.key)) {
      known = kept->png;
    } else if (stopping_) {
      return false;
    } else if (Order* order = find_order(request.key)) {
      if (order->drawn.size() >= requests_per_picture_max) return false;
      order->drawn.push_back(drawn);
      return true;
    } else {
      const auto of_asker = std::count_if(
          orders_.begin(), orders_.end(),
          [&request](const Order& waiting) { return waiting.asked.asker == request.asker; });
      if (orders_.size() >= waiting_max ||
          std::cmp_greater_equal(of_asker, waiting_per_asker_max)) {
        return false;
      }
      orders_.push_back({std::move(request), {drawn}});
    }
  }
  if (known) {
    drawn(std::move(known));
  } else {
    comes_.notify_one();
  }
  return true;
}

void SignImageWorker::work() {
  constexpr int lowest_priority = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), lowest_priority);
  std::unique_lock lock(mutex_);
  while (true) {
    comes_.wait(lock, [this] { return stopping_ || !orders_.empty(); });
    if (stopping_) return;
    current_ = std::move(orders_.front());
    orders_.pop_front();
    const Asked request = current_->asked;
    lock.unlock();
    std::optional<std::string> png;
    try {
      const ReadingScope reads;
      png = paint_(request.still, request.width, request.height);
    } catch (const std::exception&) {
      // Fonts or memory are missing: the page reports that there is no image.
      png.reset();
    }
    lock.lock();
    if (png) {
      if (kept_.size() >= kept_max) kept_.clear();
      kept_[request.key] = {std::chrono::steady_clock::now(), *png};
    }
    const std::vector<Drawn> drawn = std::move(current_->drawn);
    current_.reset();
    lock.unlock();
    for (const Drawn& tell : drawn) tell(png);
    lock.lock();
  }
}

}  // namespace linkmeter
