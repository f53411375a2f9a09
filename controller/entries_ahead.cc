#include "controller/entries_ahead.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "meters/codec/journal_codec.h"

namespace linkmeter {
namespace {

constexpr std::size_t batch_entries = 512, batch_bytes = std::size_t{4} << 20U;
constexpr std::size_t batches_waiting_max = 8;

struct ReadEntry {
  StoredEntry stored;
  std::optional<Entry> entry;
};
using Batch = std::vector<ReadEntry>;

// Batches on their way from the thread that reads to the one that looks.
class Belt {
 public:
  // False: nobody wants more.
  bool put(Batch batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_left_ || batches_.size() < batches_waiting_max; });
    if (is_left_) return false;
    batches_.push_back(std::move(batch));
    changed_.notify_all();
    return true;
  }
  void end(std::exception_ptr fault) {
    const std::lock_guard lock(mutex_);
    fault_ = std::move(fault);
    is_ended_ = true;
    changed_.notify_all();
  }
  // Empty: there are no more. Throws what the reading thread met.
  Batch take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_ended_ || !batches_.empty(); });
    if (batches_.empty()) {
      if (fault_) std::rethrow_exception(fault_);
      return {};
    }
    Batch batch = std::move(batches_.front());
    batches_.pop_front();
    changed_.notify_all();
    return batch;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    is_left_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;
  std::exception_ptr fault_;
  bool is_ended_ = false;
  bool is_left_ = false;
};

void read_onto(Belt& belt, const Journal& journal, EntryNumber from) {
  std::exception_ptr fault;
  Batch batch;
  try {
    bool is_wanted = true;
    std::size_t bytes = 0;
    journal.read(from, [&](const StoredEntry& stored) {
      batch.push_back({stored, decode_entry(stored.bytes)});
      bytes += stored.bytes.size();
      if (batch.size() == batch_entries || bytes >= batch_bytes) {
        is_wanted = belt.put(std::exchange(batch, {}));
        bytes = 0;
      }
      return is_wanted;
    });
  } catch (...) {
    fault = std::current_exception();
  }
  try {
    if (!batch.empty()) belt.put(std::move(batch));
  } catch (...) {
    fault = std::current_exception();
  }
  belt.end(fault);
}

}  // namespace

void read_ahead(const Journal& journal, EntryNumber from,
                const std::function<bool(const StoredEntry&, const std::optional<Entry>&)>& visit) {
  Belt belt;
  std::thread reading(read_onto, std::ref(belt), std::cref(journal), from);
  const auto end = [&] {
    belt.leave();
    reading.join();
  };
  try {
    bool goes_on = true;
    while (goes_on) {
      const Batch batch = belt.take();
      if (batch.empty()) break;
      for (const ReadEntry& one : batch) {
        goes_on = visit(one.stored, one.entry);
        if (!goes_on) break;
      }
    }
  } catch (...) {
    end();
    throw;
  }
  end();
}

}  // namespace linkmeter
