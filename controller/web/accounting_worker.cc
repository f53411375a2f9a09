#include "controller/web/accounting_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <utility>

#include "controller/web/responses.h"
#include "meters/values/invariant.h"

namespace linkmeter {

void AccountingWorker::stop() {
  {
    const std::lock_guard held(mutex_);
    stops_ = true;
  }
  comes_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void AccountingWorker::ask(const std::string& badge, RequestId ticket, Work work) {
  std::optional<Order> refused;
  {
    const std::lock_guard held(mutex_);
    if (stops_) return;
    refused = orders_.push(badge, true, {ticket, std::move(work)});
  }
  comes_.notify_one();
  if (refused) answer_(refused->ticket, web_busy());
}

void AccountingWorker::work() {
  constexpr int nice_value = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
  std::unique_lock held(mutex_);
  while (true) {
    comes_.wait(held, [this] { return stops_ || !orders_.empty(); });
    if (stops_) return;
    const Order order = std::move(*orders_.pop());
    held.unlock();
    if (is_abandoned_(order.ticket)) {
      held.lock();
      continue;
    }
    WebResponse response;
    try {
      const ReadingScope reads;
      response = order.work(stops_);
    } catch (const std::exception& error) {
      response = not_read(error);
    }
    if (!stops_) answer_(order.ticket, std::move(response));
    held.lock();
  }
}

}  // namespace linkmeter
