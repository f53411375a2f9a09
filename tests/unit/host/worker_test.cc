#include "proto/host/worker.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace linkmeter::worker_test {
namespace {

template <class Result>
void await(const Worker<Result>& worker) {
  pollfd item{worker.descriptor(), POLLIN, 0};
  REQUIRE_EQ(::poll(&item, 1, 20'000), 1);
}

bool is_readable(int descriptor) {
  pollfd item{descriptor, POLLIN, 0};
  return ::poll(&item, 1, 0) == 1;
}

}  // namespace

TEST_CASE("a worker does one job after the other, and gives each result once") {
  Worker<std::string> worker;
  CHECK_FALSE(worker.is_busy());
  CHECK_FALSE(worker.take().has_value());
  for (const char* said : {"one", "two"}) {
    // A job may own what cannot be copied.
    worker.begin(
        Worker<std::string>::Job([words = std::make_unique<std::string>(said)] { return *words; }));
    CHECK(worker.is_busy());
    await(worker);
    CHECK_EQ(worker.take().value(), said);
    CHECK_FALSE(worker.is_busy());
    CHECK_FALSE(worker.take().has_value());
    CHECK_FALSE(is_readable(worker.descriptor()));
  }
}

TEST_CASE("a descriptor whose result was taken early does not become readable afterwards") {
  Worker<int> worker;
  for (int at = 0; at < 2'000; ++at) {
    worker.begin(Worker<int>::Job([at] { return at; }));
    std::optional<int> result;
    while (!(result = worker.take())) {
    }
    REQUIRE_EQ(*result, at);
    worker.begin(Worker<int>::Job([at] { return -at; }));  // the thread has finished the first job
    await(worker);
    REQUIRE_EQ(worker.take().value(), -at);
    REQUIRE_FALSE(is_readable(worker.descriptor()));
  }
}

TEST_CASE("what a job throws is thrown where its result is taken, and the next job is done") {
  Worker<int> worker(5);
  worker.begin(Worker<int>::Job([]() -> int { throw std::runtime_error("no memory"); }));
  await(worker);
  CHECK_THROWS_WITH_AS(static_cast<void>(worker.take()), "no memory", std::runtime_error);
  CHECK_FALSE(worker.is_busy());
  worker.begin(Worker<int>::Job([]() -> int {
    INVARIANT(1 > 2);
    return 1;
  }));
  await(worker);
  CHECK_THROWS_AS(static_cast<void>(worker.take()), BrokenLaw);
  worker.begin(Worker<int>::Job([] { return 7; }));
  await(worker);
  CHECK_EQ(worker.take().value(), 7);
}

TEST_CASE("the result of a job that is not done is nothing yet") {
  Worker<int> worker;
  std::promise<void> go_on;
  worker.begin(Worker<int>::Job([until = go_on.get_future().share()] {
    until.wait();
    return 1;
  }));
  CHECK_FALSE(worker.take().has_value());
  CHECK(worker.is_busy());
  go_on.set_value();
  await(worker);
  CHECK_EQ(worker.take().value(), 1);
}

TEST_CASE("the end of a worker waits for the job that was begun") {
  std::atomic<int> done = 0;
  {
    Worker<int> worker;
    worker.begin(Worker<int>::Job([&done] { return ++done; }));
  }
  CHECK_EQ(done, 1);
}

}  // namespace linkmeter::worker_test
