#include "controller/signs/sign_image_worker.h"

#include <doctest/doctest.h>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace linkmeter::sign_image_worker_test {
namespace {

// A worker whose images are made when the test allows it; each image is the title of its snapshot.
class Bench {
 public:
  ~Bench() { let_draw(); }
  bool ask(const std::string& asker, const std::string& key) {
    SignImage still;
    still.title = "picture of " + key;
    return desk_.draw({asker, key, std::move(still), 1, 1}, [this](std::optional<std::string> png) {
      const std::lock_guard lock(mutex_);
      last_ = png.value_or("not drawn");
      ++told_;
      changes_.notify_all();
    });
  }
  // Waits until the worker has begun an image and waits for let_draw().
  void await_begun() {
    await([this] { return begun_ > 0; });
  }
  void let_draw() {
    const std::lock_guard lock(mutex_);
    may_draw_ = true;
    changes_.notify_all();
  }
  void await_told(int count) {
    await([this, count] { return told_ >= count; });
  }
  [[nodiscard]] int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  [[nodiscard]] std::string last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  template <class IsSo>
  void await(IsSo is_so) {
    std::unique_lock lock(mutex_);
    REQUIRE(changes_.wait_for(lock, std::chrono::seconds(20), is_so));
  }
  std::string paint(const SignImage& still) {
    std::unique_lock lock(mutex_);
    ++begun_;
    changes_.notify_all();
    changes_.wait(lock, [this] { return may_draw_; });
    return still.title;
  }

  std::mutex mutex_;
  std::condition_variable changes_;
  bool may_draw_ = false;
  int begun_ = 0, told_ = 0;
  std::string last_;
  SignImageWorker desk_{[this](const SignImage& still, int, int) { return paint(still); }};
};

}  // namespace

TEST_CASE("an image that many request at once is drawn once") {
  Bench bench;
  REQUIRE(bench.ask("10.0.0.1", "A"));
  bench.await_begun();
  // While one is drawn, another one waits and is requested twice.
  for (const char* key : {"A", "B", "A", "B"}) CHECK(bench.ask("10.0.0.2", key));
  bench.let_draw();
  bench.await_told(5);
  CHECK_EQ(bench.begun(), 2);
  CHECK_EQ(bench.last(), "picture of B");
  // For two seconds it is not drawn again.
  CHECK(bench.ask("10.0.0.3", "B"));
  CHECK_EQ(bench.begun(), 2);
}

TEST_CASE("one address does not use up all places") {
  Bench bench;
  REQUIRE(bench.ask("10.0.0.1", "first"));
  bench.await_begun();
  std::size_t taken = 0;
  for (int at = 0; at < 40; ++at) taken += bench.ask("10.0.0.1", std::to_string(at)) ? 1U : 0U;
  CHECK_EQ(taken, SignImageWorker::waiting_per_asker_max);
  CHECK(bench.ask("10.0.0.2", "other"));
  // Many addresses fill the queue, and get an answer at once.
  for (int at = 0; at < 40; ++at) {
    const std::string address = "10.0.1." + std::to_string(at);
    taken += bench.ask(address, "of " + address) ? 1U : 0U;
  }
  CHECK_EQ(taken + 1, SignImageWorker::waiting_max);
}

}  // namespace linkmeter::sign_image_worker_test
