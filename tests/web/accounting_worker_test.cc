// Whose accounting question is answered next.
#include "controller/web/accounting_worker.h"

#include <doctest/doctest.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace linkmeter::accounting_worker_test {
namespace {

// A worker whose question waits for go_on(); and its answers, by ticket.
class ProbedWorker {
 public:
  ProbedWorker()
      : desk_(
            [this](RequestId ticket, const WebResponse& response) {
              const std::lock_guard held(mutex_);
              answered_.push_back(std::to_string(ticket.value) +
                                  (response.status == 200 ? "" : " busy"));
              comes_.notify_one();
            },
            [this](RequestId ticket) { return ticket.value == given_up_; }) {
    std::promise<void> begun;
    desk_.ask("A-0", {1'000}, [&begun, until = until_.get_future().share()](const auto&) {
      begun.set_value();
      until.wait();
      return WebResponse();
    });
    begun.get_future().wait();
  }
  void ask(const std::string& badge, std::uint64_t ticket) {
    desk_.ask(badge, {ticket}, [](const auto&) { return WebResponse(); });
  }
  void give_up(std::uint64_t ticket) { given_up_ = ticket; }
  void go_on() { until_.set_value(); }
  std::vector<std::string> first(std::size_t count) {
    std::unique_lock held(mutex_);
    REQUIRE(
        comes_.wait_for(held, std::chrono::seconds(60), [&] { return answered_.size() >= count; }));
    return answered_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable comes_;
  std::vector<std::string> answered_;
  std::uint64_t given_up_ = 0;
  std::promise<void> until_;
  AccountingWorker desk_;
};

}  // namespace

TEST_CASE("badges take turns, and the questions of one badge are bounded") {
  ProbedWorker worker;
  for (std::uint64_t ticket = 1; ticket <= 9; ++ticket) worker.ask("A-1", ticket);
  worker.ask("A-2", 21);
  CHECK((worker.first(1) == std::vector<std::string>{"9 busy"}));
  worker.go_on();
  CHECK((worker.first(11) ==
         std::vector<std::string>{"9 busy", "1000", "1", "21", "2", "3", "4", "5", "6", "7", "8"}));
}

TEST_CASE("a question that nobody waits for any more is not read") {
  ProbedWorker worker;
  for (std::uint64_t ticket = 1; ticket <= 3; ++ticket) worker.ask("A-1", ticket);
  worker.give_up(2);
  worker.go_on();
  CHECK((worker.first(3) == std::vector<std::string>{"1000", "1", "3"}));
}

}  // namespace linkmeter::accounting_worker_test
