// Account desk: reads for accounting beside the turn, one question after the other, in a thread of
// the lowest priority: an explanation or a page of the journal may take a while, and no wager waits
// for it. Badges take turns, and what was answered meanwhile as taking too long is not read.
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
  // Throws Fault for what cannot be read. May be asked whether it is to stop.
  using Work = std::function<WebResponse(const std::atomic<bool>& stops)>;
  using Answer = std::function<void(RequestId, WebResponse)>;
  // Does nobody wait for it any more?
  using HasGivenUp = std::function<bool(RequestId)>;

  // Both are called on the desk's thread, `answer` also by ask().
  AccountingWorker(Answer answer, HasGivenUp has_given_up)
      : answer_(std::move(answer)),
        has_given_up_(std::move(has_given_up)),
        thread_([this] { work(); }) {}
  AccountingWorker(const AccountingWorker&) = delete;
  AccountingWorker& operator=(const AccountingWorker&) = delete;
  ~AccountingWorker() { stop(); }

  // Ends what is being read; who waits is not answered.
  void stop();
  // Of that badge. Where too much waits, it is answered that there is too much to do, or another
  // one of a badge that has more waiting.
  void ask(const std::string& badge, RequestId ticket, Work work);

 private:
  struct Order {
    RequestId ticket;
    Work work;
  };
  void work();

  Answer answer_;
  HasGivenUp has_given_up_;
  std::mutex mutex_;
  std::condition_variable comes_;
  FairQueue<Order> orders_{waiting_bounds};
  std::atomic<bool> stops_ = false;
  std::thread thread_;  // last: it uses what stands above
};

}  // namespace linkmeter
