// AccountingWorker: runs accounting queries on a thread of the lowest priority, one after the
// other, because an explanation or a page of the journal takes a while and no wager may wait for
// it.
//
// Laws: the queue is bounded, and badges take turns. A query whose request the server has given up
// is not begun.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "controller/web/fair_queue.h"
#include "proto/http/message.h"

namespace linkmeter {

class AccountingWorker {
 public:
  static constexpr FairQueueBounds waiting_bounds{32, 0, 8};
  // A query. Throws Fault if the journal cannot be read. Long queries look at `stops` from time to
  // time, and end early if it is true.
  using Work = std::function<WebResponse(const std::atomic<bool>& stops)>;
  using Answer = std::function<void(RequestId, WebResponse)>;
  // Whether no client waits for the response any more.
  using IsAbandoned = std::function<bool(RequestId)>;

  // Both are called on the worker's thread; `answer` also by ask().
  AccountingWorker(Answer answer, IsAbandoned is_abandoned)
      : answer_(std::move(answer)),
        is_abandoned_(std::move(is_abandoned)),
        thread_([this] { work(); }) {}
  AccountingWorker(const AccountingWorker&) = delete;
  AccountingWorker& operator=(const AccountingWorker&) = delete;
  ~AccountingWorker() { stop(); }

  // Ends the query in progress. Queries that wait are not answered.
  void stop();
  // Queues a query of this badge. If the queue is full, this request, or another one of a badge
  // with more queries, is answered web_busy().
  void ask(const std::string& badge, RequestId ticket, Work work);

 private:
  struct Order {
    RequestId ticket;
    Work work;
  };
  void work();

  Answer answer_;
  IsAbandoned is_abandoned_;
  std::mutex mutex_;
  std::condition_variable comes_;
  FairQueue<Order> orders_{waiting_bounds};
  std::atomic<bool> stops_ = false;
  std::thread thread_;  // last: it uses the members above
};

}  // namespace linkmeter
