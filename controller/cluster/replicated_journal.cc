#include "controller/cluster/replicated_journal.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <utility>

#include "controller/cluster/fenced_log.h"
#include "controller/store/hash_chain.h"
#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

constexpr std::chrono::milliseconds pause_time{100};

// The journal was closed while etcd did not answer.
class JournalClosed : public Fault {
  using Fault::Fault;
};

}  // namespace

ReplicatedJournal::ReplicatedJournal(Journal& local, Etcd& etcd, ClusterKeys keys, Waiting waiting)
    : local_(local),
      etcd_(etcd),
      keys_(std::move(keys)),
      waiting_(std::move(waiting)),
      head_(local.head()),
      durable_(head_.entry) {}

// Commits that are not durable are abandoned: nobody was told of them.
ReplicatedJournal::~ReplicatedJournal() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard held(mutex_);
    stops_ = true;
  }
  comes_.notify_all();
  thread_.join();
}

void ReplicatedJournal::begin_writing(EtcdRevision epoch) {
  INVARIANT(!is_writing());
  thread_ = std::thread([this, epoch] { work(epoch); });
}

void ReplicatedJournal::commit(const std::vector<std::string>& entries,
                               const std::vector<Row>& rows) {
  submit(entries, rows);
  settle();
}

void ReplicatedJournal::submit(const std::vector<std::string>& entries,
                               const std::vector<Row>& rows) {
  if (!is_writing()) {
    local_.commit(entries, rows);
    head_ = local_.head();
    const std::lock_guard held(mutex_);
    durable_ = head_.entry;
    return;
  }
  await(submitted_max - 1);
  Batch batch{head_, {}, entries, rows};
  for (const std::string& bytes : entries) {
    head_ = {head_.entry.next(), chain_hash(head_.hash, head_.entry.next(), bytes)};
  }
  batch.after = head_;
  {
    const std::lock_guard held(mutex_);
    submitted_.push_back(std::move(batch));
  }
  comes_.notify_all();
}

EntryNumber ReplicatedJournal::durable() {
  const std::lock_guard held(mutex_);
  advanced_.clear();
  if (failure_) std::rethrow_exception(failure_);
  return durable_;
}

void ReplicatedJournal::settle() { await(0); }

std::optional<int> ReplicatedJournal::descriptor() const { return advanced_.descriptor(); }

void ReplicatedJournal::await(std::size_t submitted) {
  std::unique_lock held(mutex_);
  while (!failure_ && submitted_.size() > submitted) {
    if (done_.wait_for(held, pause_time) == std::cv_status::no_timeout) continue;
    held.unlock();
    waiting_();
    held.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
}

void ReplicatedJournal::read(EntryNumber from,
                             const std::function<bool(const StoredEntry&)>& visit) const {
  EntryNumber stored;
  std::vector<StoredEntry> submitted;
  {
    const std::lock_guard held(mutex_);
    stored = durable_;
    if (!submitted_.empty()) stored = submitted_.front().before.entry;
    for (const Batch& batch : submitted_) {
      Head head = batch.before;
      for (const std::string& bytes : batch.entries) {
        head = {head.entry.next(), chain_hash(head.hash, head.entry.next(), bytes)};
        if (head.entry >= from) submitted.push_back({head.entry, head.hash, bytes});
      }
    }
  }
  bool goes_on = true;
  local_.read(from, [&](const StoredEntry& entry) {
    if (entry.number > stored) return false;
    goes_on = visit(entry);
    return goes_on;
  });
  for (const StoredEntry& entry : submitted) {
    if (!goes_on) return;
    goes_on = visit(entry);
  }
}

void ReplicatedJournal::work(EtcdRevision epoch) {
  const ReadingScope reads;
  std::unique_lock held(mutex_);
  while (true) {
    comes_.wait(held, [this] { return stops_ || !submitted_.empty(); });
    if (stops_) return;
    const Batch& batch = submitted_.front();  // stays in its place until pop_front()
    held.unlock();
    std::exception_ptr failure;
    try {
      make_durable(batch, epoch);
    } catch (...) {
      failure = std::current_exception();
    }
    held.lock();
    if (failure) {
      failure_ = failure;
    } else {
      durable_ = batch.after.entry;
      submitted_.pop_front();
    }
    advanced_.signal();
    done_.notify_all();
    if (failure) return;
  }
}

void ReplicatedJournal::make_durable(const Batch& batch, EtcdRevision epoch) {
  const FencedLog log(etcd_, keys_, epoch, [this](const EtcdError& error) { pause(error); });
  const Head head = log.append(batch.before, batch.entries);
  if (std::exchange(is_etcd_silent_, false)) spdlog::info("etcd answers");
  INVARIANT(head == batch.after);
  local_.commit(batch.entries, batch.rows);
  INVARIANT(local_.head() == batch.after);
}

// Throws JournalClosed if the journal is being closed.
void ReplicatedJournal::pause(const EtcdError& error) {
  if (!std::exchange(is_etcd_silent_, true)) {
    spdlog::warn("etcd does not answer; tables are answered when it does: {}", error.words);
  }
  std::unique_lock held(mutex_);
  comes_.wait_for(held, pause_time, [this] { return stops_; });
  if (stops_) throw JournalClosed("the journal was closed before etcd answered");
}

}  // namespace linkmeter
