// Account desk: reads for accounting beside the turn, one question after the other, in a thread of
// the lowest priority: an explanation or a page of the journal may take a while, and no wager waits
// for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "meters/edge/web_request.h"

namespace linkmeter {

class AccountDesk {
 public:
  static constexpr std::size_t waiting_max = 32;
  // Throws Fault for what cannot be read. May be asked whether it is to stop.
  using Work = std::function<WebResponse(const std::atomic<bool>& stops)>;
  using Answer = std::function<void(WebTicket, WebResponse)>;

  // `answer` is called on the desk's thread.
  explicit AccountDesk(Answer answer) : answer_(std::move(answer)), thread_([this] { work(); }) {}
  AccountDesk(const AccountDesk&) = delete;
  AccountDesk& operator=(const AccountDesk&) = delete;
  ~AccountDesk() { stop(); }

  // Ends what is being read; who waits is not answered.
  void stop();
  // False: too much waits, and it is not done.
  bool ask(WebTicket ticket, Work work);

 private:
  struct Order {
    WebTicket ticket;
    Work work;
  };
  void work();

  Answer answer_;
  std::mutex mutex_;
  std::condition_variable comes_;
  std::deque<Order> orders_;
  std::atomic<bool> stops_ = false;
  std::thread thread_;  // last: it uses what stands above
};

}  // namespace linkmeter
