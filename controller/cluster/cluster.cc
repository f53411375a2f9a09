#include "controller/cluster/cluster.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "proto/codec/head_text.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds watch_time{100};
constexpr milliseconds confirm_interval{500};
constexpr std::size_t take_bytes_max = std::size_t{4} << 20U;
constexpr std::size_t news_entries_max = 65'536;  // more stay in the watch until the owner takes

}  // namespace

Cluster::Cluster(Etcd& etcd, const ClusterKeys& keys, const Head& head, const NodeRecord& record,
                 std::chrono::seconds lease_time)
    : etcd_(etcd, boot_time),
      keys_(keys),
      lease_(etcd_, keys, lease_time, record, boot_time),
      name_(record.node),
      watch_(etcd_, keys, head),
      lease_thread_([this] { guard([this] { keep_lease(); }); }),
      members_thread_([this] { guard([this] { keep_members(); }); }),
      watch_thread_([this] { guard([this] { keep_watching(); }); }) {}

Cluster::~Cluster() {
  {
    const std::lock_guard held(mutex_);
    stops_ = true;
  }
  stop_comes_.notify_all();
  lease_thread_.join();
  members_thread_.join();
  watch_thread_.join();
}

Cluster::News Cluster::take() {
  const std::lock_guard held(mutex_);
  ready_.clear();
  if (failure_) std::rethrow_exception(failure_);
  std::vector<StoredEntry> entries = std::exchange(news_.entries, {});
  News news = news_;
  news.entries = std::move(entries);
  news.namesake = lease_.namesake();
  // Now, and not as of the last report: a thread may be reading for long.
  news.answered_at = etcd_.answered_at();
  return news;
}

void Cluster::allow_writing(bool is_allowed) {
  const std::lock_guard held(mutex_);
  may_write_ = is_allowed;
}

void Cluster::create_head(NewHead terms) {
  const std::lock_guard held(mutex_);
  new_head_ = std::move(terms);
}

void Cluster::skip_to(const Head& head) {
  const std::lock_guard held(mutex_);
  skips_to_ = head;
}

void Cluster::begin_writing() {
  const std::lock_guard held(mutex_);
  writes_ = true;
}

void Cluster::pause(milliseconds time) {
  std::unique_lock held(mutex_);
  stop_comes_.wait_for(held, time, [this] { return stops_; });
}

void Cluster::guard(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard held(mutex_);
    if (!failure_) failure_ = std::current_exception();
    ready_.signal();
  }
}

void Cluster::keep_lease() {
  const milliseconds interval = milliseconds(lease_.time()) / 3;
  while (true) {
    const bool failed = lease_.renew().has_value();
    std::unique_lock held(mutex_);
    // After a failure soon again: another member may answer.
    if (stop_comes_.wait_for(held, failed ? interval / 5 : interval, [this] { return stops_; })) {
      return;
    }
  }
}

void Cluster::keep_members() {
  while (true) {
    auto members = etcd_.members();
    std::unique_lock held(mutex_);
    news_.members = members ? std::move(*members) : std::vector<EtcdMember>();
    if (stop_comes_.wait_for(held, members_interval, [this] { return stops_; })) return;
  }
}

void Cluster::keep_watching() {
  while (true) {
    watch_once();
    const std::lock_guard held(mutex_);
    if (stops_) return;
  }
}

void Cluster::watch_once() {
  std::optional<NewHead> new_head;
  bool begins_writing = false;
  {
    const std::lock_guard held(mutex_);
    if (const auto head = std::exchange(skips_to_, std::nullopt)) watch_.skip_to(*head);
    new_head = new_head_;
    begins_writing = writes_ && watch_.follows();
  }
  if (begins_writing) watch_.stop_following();
  if (new_head) {
    const bool is_put = put_head(etcd_, keys_, watch_, *new_head);
    // The old head of a cluster that this node had left is not followed; its writer's lease may
    // run.
    if (!is_put && new_head->contains) return pause(watch_time);
    const std::lock_guard held(mutex_);
    if (is_put) new_head_.reset();
  }
  const std::optional<EtcdError> error = watch_.refresh(watch_time);
  if (error) {
    report(error, false);
    pause(watch_time);
    return;
  }
  if (!watch_.follows()) {
    trim();
    report(std::nullopt, false);
    return;
  }
  const auto& writer = watch_.seen().writer;
  if (!writer && may_campaign()) lease_.try_to_write();
  const bool is_writer = writer && writer->record.node == name_ && writer->lease != 0 &&
                         writer->lease == lease_.lease();
  if (is_writer) confirm_at_ = {};  // at once: nobody else can append any more
  report(std::nullopt, is_current() && is_writer);
}

bool Cluster::may_campaign() {
  const ClusterWatch::Seen& seen = watch_.seen();
  if (!seen.head || !lease_.is_held() || watch_.missing_until()) return false;
  if (seen.head->entry < watch_.reached().entry) return false;  // is_current() throws
  const std::string successor = seen.successor();
  if (!successor.empty() && successor != name_) return false;
  const std::lock_guard held(mutex_);
  return may_write_;
}

void Cluster::note_reached() {
  if (!awaited_ || watch_.reached().entry < awaited_->first) return;
  std::tie(current_to_, current_at_) = *std::exchange(awaited_, std::nullopt);
}

bool Cluster::is_current() {
  note_reached();
  const microseconds now = boot_time();
  if (now < confirm_at_) return false;
  const Head reached = watch_.reached();  // before the read, so etcd has at least this
  const auto head = watch_.read_head();
  if (!head || !*head) return false;
  if ((*head)->entry < reached.entry ||
      ((*head)->entry == reached.entry && (*head)->hash != reached.hash)) {
    throw Fault("this node's journal has entry " + text(reached) + ", and etcd has " +
                text(**head) + ": it is not the same journal, or etcd has lost entries");
  }
  confirm_at_ = now + confirm_interval;
  if (!awaited_) awaited_ = {(*head)->entry, now};
  if (**head != reached) return false;
  awaited_ = {(*head)->entry, now};
  note_reached();
  return true;
}

void Cluster::report(const std::optional<EtcdError>& error, bool is_writer) {
  const std::lock_guard held(mutex_);
  news_.error = error ? error->words : "";
  news_.has_looked = news_.has_looked || !error;
  news_.seen = watch_.seen();
  news_.missing_until = watch_.missing_until();
  if (news_.entries.size() < news_entries_max) {
    std::vector<StoredEntry> entries = watch_.take(take_bytes_max);
    std::move(entries.begin(), entries.end(), std::back_inserter(news_.entries));
  }
  news_.current_at = current_at_;
  news_.current_to = current_to_;
  if (is_writer && watch_.position() == watch_.reached()) {
    role_ = watch_.seen().writer->lease;
    news_.epoch = watch_.seen().writer->epoch;
  }
  ready_.signal();
}

void Cluster::trim() {
  const microseconds now = boot_time();
  if (now < confirm_at_) return;
  confirm_at_ = now + Trimming::interval;
  const auto head = watch_.read_head();
  const auto members = etcd_.members();
  if (!head || !*head || !members) return;
  trimming_.note((*head)->entry, now);
  std::int64_t store_bytes = 0;
  for (const EtcdMember& member : *members) store_bytes = std::max(store_bytes, member.store_bytes);
  // Past the watch, which may be behind; and after the head: a node that comes later has read it.
  const auto records = etcd_.read(keys_.nodes());
  if (!records) return;
  std::map<std::string, NodeRecord> nodes;
  for (const EtcdValue& value : records->values) {
    if (auto record = keys_.proof().open_node(value)) nodes[value.key] = std::move(*record);
  }
  const auto end = trimming_.end(nodes, store_bytes, now);
  if (!end) return;
  const auto& writer = watch_.seen().writer;
  const auto commit = etcd_.commit({{{keys_.writer(), writer->epoch, {}}},
                                    {},
                                    {keys_.turns_before(*end), keys_.parts_before(*end)}});
  if (commit && commit->is_done) static_cast<void>(etcd_.compact(commit->revision));
}

}  // namespace linkmeter
