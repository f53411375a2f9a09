#include "controller/cluster/node_lease.h"

#include <time.h>

#include <utility>

namespace linkmeter {

NodeLease::NodeLease(Etcd& etcd, ClusterKeys keys, std::chrono::seconds time, NodeRecord record,
                     Now now)
    : etcd_(etcd),
      keys_(std::move(keys)),
      time_(time),
      now_(std::move(now)),
      record_(std::move(record)) {}

std::optional<EtcdError> NodeLease::renew() {
  if (lease_ == 0) {
    auto error = begin();
    if (error) note_namesake(std::nullopt);
    return error;
  }
  // From the moment of sending: etcd renews it later than that.
  const std::chrono::microseconds sent = now_();
  const auto left = etcd_.renew_lease(lease_);
  if (!left) return left.error();
  if (*left == std::chrono::seconds(0)) {
    lease_ = 0;
    held_until_ = std::chrono::microseconds(0);
    return begin();
  }
  held_until_ = sent + *left;
  return store_record();
}

// The name is taken with the lease: the key of a node exists as long as the node.
std::optional<EtcdError> NodeLease::begin() {
  const std::chrono::microseconds sent = now_();
  const auto lease = etcd_.grant_lease(time_);
  if (!lease) return lease.error();
  NodeRecord record;
  {
    const std::lock_guard held(mutex_);
    if (has_left_) return std::nullopt;
    record = record_;
    record_changed_ = false;
  }
  const std::string key = keys_.node(record.node);
  const auto commit =
      etcd_.commit({{{key, 0, {}}}, {{key, keys_.proof().seal(key, encode(record)), *lease}}});
  if (!commit) {
    unanswered_ = *lease;
    return commit.error();
  }
  if (commit->is_done) {
    created_ = commit->revision;
    lease_ = *lease;
    held_until_ = sent + time_;
    note_namesake(std::nullopt);
    return std::nullopt;
  }
  static_cast<void>(etcd_.end_lease(*lease));
  const auto other = etcd_.read({key});
  if (!other) return other.error();
  if (other->values.empty()) {
    note_namesake(std::nullopt);
    return std::nullopt;
  }
  const EtcdValue& found = other->values.front();
  if (found.lease != 0 && found.lease == unanswered_) return adopt(found);
  auto namesake = keys_.proof().open_node(found);
  // Without proof of origin: the name is taken, and nothing else is known.
  if (!namesake) namesake.emplace().node = record.node;
  note_namesake(std::move(namesake));
  return std::nullopt;
}

// An earlier begin() of this process was done, and its answer was lost. The next renew() holds it.
std::optional<EtcdError> NodeLease::adopt(const EtcdValue& own) {
  created_ = own.created;
  lease_ = own.lease;
  const std::lock_guard held(mutex_);
  record_changed_ = true;
  namesake_.reset();
  return std::nullopt;
}

void NodeLease::note_namesake(std::optional<NodeRecord> namesake) {
  const std::lock_guard held(mutex_);
  namesake_ = std::move(namesake);
}

std::optional<EtcdError> NodeLease::store_record() {
  NodeRecord record;
  {
    const std::lock_guard held(mutex_);
    if (!record_changed_ || has_left_) return std::nullopt;
    record = record_;
    record_changed_ = false;
  }
  const std::string key = keys_.node(record.node);
  const auto commit = etcd_.commit(
      {{{key, created_, {}}}, {{key, keys_.proof().seal(key, encode(record)), lease_}}});
  if (commit && commit->is_done) {
    if (created_ == 0) created_ = commit->revision;
    return std::nullopt;
  }
  {
    const std::lock_guard held(mutex_);
    record_changed_ = true;
  }
  if (!commit) return commit.error();
  // Somebody deleted the key, and the next call makes it again; or an earlier call has done so.
  const auto read = etcd_.read({key});
  if (!read) return read.error();
  created_ = 0;
  if (!read->values.empty() && read->values.front().lease == lease_) {
    created_ = read->values.front().created;
  }
  return std::nullopt;
}

// The time first: if it is that of a later lease, lease_ is that lease already.
bool NodeLease::is_held(EtcdLease lease) const {
  return lease != 0 && is_held() && lease_ == lease;
}

std::optional<NodeRecord> NodeLease::namesake() const {
  const std::lock_guard held(mutex_);
  return namesake_;
}

void NodeLease::set_record(NodeRecord record) {
  const std::lock_guard held(mutex_);
  if (record == record_) return;
  record_ = std::move(record);
  record_changed_ = true;
}

void NodeLease::try_to_write() {
  const EtcdLease lease = lease_;
  if (lease == 0) return;  // a key without a lease would stay for ever
  NodeRecord record;
  {
    const std::lock_guard held(mutex_);
    if (has_left_) return;
    record = record_;
  }
  const std::string key = keys_.writer();
  static_cast<void>(
      etcd_.commit({{{key, 0, {}}}, {{key, keys_.proof().seal(key, encode(record)), lease}}}));
}

std::optional<EtcdError> NodeLease::leave(const std::string& successor, const Head& head) {
  NodeRecord record;
  {
    const std::lock_guard held(mutex_);
    has_left_ = true;
    record = record_;
  }
  // Both keys are this node's own as long as its lease lives.
  const std::string node = keys_.node(record.node);
  EtcdTransaction transaction{{}, {}, {{node}}};
  const auto writer = etcd_.read({keys_.writer()});
  if (!writer) return writer.error();
  if (!writer->values.empty() && writer->values.front().lease == lease_) {
    transaction.conditions.push_back({keys_.writer(), writer->values.front().created, {}});
    transaction.deletions.push_back({keys_.writer()});
    const std::string key = keys_.handover();
    if (successor.empty()) {
      transaction.deletions.push_back({key});
    } else {
      NodeRecord next;
      next.node = successor;
      next.head = head;
      transaction.puts.push_back({key, keys_.proof().seal(key, encode(next)), lease_});
    }
  }
  const auto commit = etcd_.commit(transaction);
  if (!commit) return commit.error();
  return std::nullopt;
}

std::chrono::microseconds boot_time() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::duration_cast<std::chrono::microseconds>(
                                                 std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace linkmeter
