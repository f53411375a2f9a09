// Worker: does one job at a time on its own thread, for an owner that polls descriptor() and calls
// take().
//
// Laws: what a job throws, take() throws. After take() has returned a result, descriptor() is not
// readable before the next result: an event loop that polls it does not spin. The destructor waits
// for the job that was begun.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "meters/values/invariant.h"
#include "proto/host/wakeup.h"

namespace linkmeter {

template <class Result>
class Worker {
 public:
  using Job = std::packaged_task<Result()>;

  // `nice_value`: of the thread (setpriority(2)); 0: the program's own. Throws Fault or
  // std::system_error.
  // REQUIRES: made after ShutdownSignal.
  explicit Worker(int nice_value = 0) : thread_([this, nice_value] { work(nice_value); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    {
      const std::lock_guard held(mutex_);
      stops_ = true;
    }
    comes_.notify_one();
    thread_.join();
  }

  // REQUIRES: !is_busy().
  void begin(Job job) {
    INVARIANT(!is_busy());
    result_ = job.get_future();
    {
      const std::lock_guard held(mutex_);
      job_ = std::move(job);
    }
    comes_.notify_one();
  }
  // Whether a job was begun whose result take() has not returned yet.
  [[nodiscard]] bool is_busy() const { return result_.valid(); }
  // The result, once; nullopt: no job has finished since the last result.
  [[nodiscard]] std::optional<Result> take() {
    {
      const std::lock_guard held(mutex_);
      if (!is_done_) return std::nullopt;
      is_done_ = false;
      ready_.clear();
    }
    return result_.get();
  }
  // Becomes readable when there is a result.
  [[nodiscard]] int descriptor() const { return ready_.descriptor(); }

 private:
  void work(int nice_value) {
    if (nice_value != 0) ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice_value);
    const ReadingScope reads;
    std::unique_lock held(mutex_);
    while (true) {
      comes_.wait(held, [this] { return stops_ || job_.valid(); });
      if (!job_.valid()) return;
      Job job = std::exchange(job_, {});
      held.unlock();
      job();
      held.lock();
      ready_.signal();
      is_done_ = true;
    }
  }

  Wakeup ready_;
  std::future<Result> result_;
  std::mutex mutex_;
  std::condition_variable comes_;
  Job job_;               // not begun yet
  bool is_done_ = false;  // the job ended, and take() has not returned its result
  bool stops_ = false;
  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace linkmeter
