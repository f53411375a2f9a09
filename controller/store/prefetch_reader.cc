#include "controller/store/prefetch_reader.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"

namespace linkmeter {
namespace {

// Few enough to stay in the processor's cache between the two threads.
constexpr std::size_t batch_entries = 128, batch_bytes = std::size_t{4} << 20U;
constexpr std::size_t batches_waiting_max = 8;

struct ReadEntry {
  StoredEntry stored;
  std::optional<Entry> entry;
};

// Batches are reused in a circle. Only the reader changes and frees their contents; otherwise both
// threads would contend for one allocator.
struct Batch {
  std::vector<ReadEntry> entries;
  std::size_t count = 0, bytes = 0;  // of the entries in it now

  void add(const StoredEntry& stored) {
    if (count == entries.size()) entries.emplace_back();
    ReadEntry& read = entries[count];
    read.stored = stored;
    read.entry = decode_entry(stored.bytes);
    bytes += stored.bytes.size();
    ++count;  // last: a partly read entry is not counted
  }
  [[nodiscard]] bool is_full() const { return count >= batch_entries || bytes >= batch_bytes; }
};

// Passes batches from the reading thread to the visiting thread, and back.
class BoundedQueue {
 public:
  // Exchanges a full batch for an empty one. False: the visitor has stopped.
  bool put(Batch& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_left_ || batches_.size() < batches_waiting_max; });
    if (is_left_) return false;
    batches_.push_back(std::exchange(batch, {}));
    if (!spent_.empty()) {
      batch = std::move(spent_.back());
      spent_.pop_back();
      batch.count = batch.bytes = 0;
    }
    changed_.notify_all();
    return true;
  }
  void end(std::exception_ptr fault) {
    const std::lock_guard lock(mutex_);
    fault_ = std::move(fault);
    is_ended_ = true;
    changed_.notify_all();
  }
  // Returns the visited batch and takes the next one. False: there are no more. Rethrows the
  // reading thread's exception.
  bool take(Batch& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_ended_ || !batches_.empty(); });
    if (batches_.empty()) {
      if (fault_) std::rethrow_exception(fault_);
      return false;
    }
    spent_.push_back(std::exchange(batch, std::move(batches_.front())));
    batches_.pop_front();
    changed_.notify_all();
    return true;
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
  std::vector<Batch> spent_;
  std::exception_ptr fault_;
  bool is_ended_ = false;
  bool is_left_ = false;
};

void read_onto(BoundedQueue& belt, const Journal& journal, EntryNumber from) {
  std::exception_ptr fault;
  Batch batch;
  try {
    const ReadingScope reads;
    journal.read(from, [&](const StoredEntry& stored) {
      batch.add(stored);
      return !batch.is_full() || belt.put(batch);
    });
  } catch (...) {
    fault = std::current_exception();
  }
  try {
    if (batch.count > 0) belt.put(batch);
  } catch (...) {
    fault = std::current_exception();
  }
  belt.end(fault);
}

}  // namespace

void read_with_prefetch(
    const Journal& journal, EntryNumber from,
    const std::function<bool(const StoredEntry&, const std::optional<Entry>&)>& visit) {
  BoundedQueue belt;
  std::thread reading(read_onto, std::ref(belt), std::cref(journal), from);
  const auto end = [&] {
    belt.leave();
    reading.join();
  };
  try {
    bool goes_on = true;
    for (Batch batch; goes_on && belt.take(batch);) {
      for (std::size_t at = 0; goes_on && at < batch.count; ++at) {
        goes_on = visit(batch.entries[at].stored, batch.entries[at].entry);
      }
    }
  } catch (...) {
    end();
    throw;
  }
  end();
}

}  // namespace linkmeter
