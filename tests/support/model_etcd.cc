#include "tests/support/model_etcd.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace linkmeter {
namespace {

// etcd's defaults: --max-txn-ops and --max-request-bytes.
constexpr std::size_t operations_max = 128;
constexpr std::size_t request_bytes_max = std::size_t{3} << 19U;
constexpr std::int64_t store_bytes = 20'480;  // of an empty etcd

EtcdError refused(const std::string& words) {
  return {EtcdError::Kind::refused, "model of etcd: " + words};
}

EtcdError unknown(const std::string& words) {
  return {EtcdError::Kind::unknown, "model of etcd: " + words};
}

bool contains(const EtcdRange& range, const std::string& key) {
  return range.end.empty() ? key == range.first : key >= range.first && key < range.end;
}

std::size_t bytes_of(const EtcdTransaction& transaction) {
  std::size_t bytes = 0;
  for (const EtcdCondition& condition : transaction.conditions) {
    bytes += condition.key.size() + condition.value.value_or("").size();
  }
  for (const EtcdPut& put : transaction.puts) bytes += put.key.size() + put.value.size();
  for (const EtcdRange& range : transaction.deletions) bytes += range.first.size();
  return bytes;
}

// Why etcd refuses the transaction whatever the store holds, or "".
std::string mistake_in(const EtcdTransaction& transaction) {
  if (transaction.conditions.size() > operations_max ||
      transaction.puts.size() + transaction.deletions.size() > operations_max) {
    return "the transaction has too many operations";
  }
  if (bytes_of(transaction) > request_bytes_max) return "the request is too large";
  for (std::size_t at = 0; at < transaction.puts.size(); ++at) {
    const std::string& key = transaction.puts[at].key;
    const auto deletes = [&](const EtcdRange& range) { return contains(range, key); };
    const auto puts = [&](const EtcdPut& put) { return put.key == key; };
    const auto before = transaction.puts.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::any_of(transaction.puts.begin(), before, puts) ||
        std::any_of(transaction.deletions.begin(), transaction.deletions.end(), deletes)) {
      return "the transaction changes a key twice: " + key;
    }
  }
  return "";
}

}  // namespace

// It receives each change when the change happens, or when the delay ends.
class ModelWatch final : public EtcdWatch {
 public:
  ModelWatch(ModelEtcd& node, EtcdRange range, EtcdRevision from)
      : node_(node), range_(std::move(range)), from_(from) {
    const std::lock_guard held(node_.cluster_.mutex_);
    node_.cluster_.watches_.push_back(this);
    if (!node_.is_reachable_ || !node_.cluster_.has_quorum_) {
      end(unknown("not reachable"));
    } else {
      receive();
    }
  }
  ~ModelWatch() override {
    const std::lock_guard held(node_.cluster_.mutex_);
    std::erase(node_.cluster_.watches_, this);
  }

  [[nodiscard]] EtcdResult<std::vector<EtcdEvent>> next(
      std::chrono::milliseconds /*timeout*/) override {
    const std::lock_guard held(node_.cluster_.mutex_);
    if (received_.empty() && error_) return *error_;
    return std::exchange(received_, {});
  }

  // REQUIRES for all below: the cluster's mutex is held.
  [[nodiscard]] bool is_of(const ModelEtcd& node) const { return &node_ == &node; }
  void receive() {
    if (error_ || node_.delays_watches_) return;
    if (from_ < node_.cluster_.compacted_) {
      end({EtcdError::Kind::compacted, "model of etcd: the first changes are compacted"});
      return;
    }
    const auto& history = node_.cluster_.history_;
    for (auto at = history.lower_bound(from_); at != history.end(); ++at) {
      for (const EtcdEvent& event : at->second) {
        if (contains(range_, event.value.key)) received_.push_back(event);
      }
    }
    from_ = std::max(from_, node_.cluster_.revision_ + 1);
  }
  void end(EtcdError error) {
    if (!error_) error_ = std::move(error);
  }

 private:
  ModelEtcd& node_;
  EtcdRange range_;
  EtcdRevision from_;  // the first revision that it has not received
  std::vector<EtcdEvent> received_;
  std::optional<EtcdError> error_;
};

void ModelCluster::pass_time(std::chrono::milliseconds time) {
  const std::lock_guard held(mutex_);
  const std::chrono::milliseconds until = now_ + time;
  while (has_quorum_) {
    const auto oldest = std::min_element(
        leases_.begin(), leases_.end(),
        [](const auto& left, const auto& right) { return left.second.end < right.second.end; });
    if (oldest == leases_.end() || oldest->second.end > until) break;
    now_ = std::max(now_, oldest->second.end);
    static_cast<void>(end(oldest->first));
  }
  now_ = until;
}

void ModelCluster::set_quorum(bool has_quorum) {
  const std::lock_guard held(mutex_);
  if (has_quorum && !has_quorum_) renew_all();
  has_quorum_ = has_quorum;
  if (has_quorum_) return;
  for (ModelWatch* watch : watches_) watch->end(unknown("no leader"));
}

void ModelCluster::elect_leader() {
  const std::lock_guard held(mutex_);
  renew_all();
}

void ModelCluster::renew_all() {
  for (auto& [number, lease] : leases_) lease.end = now_ + lease.time;
}

std::size_t ModelCluster::run_late() {
  const std::lock_guard held(mutex_);
  if (!has_quorum_) return 0;
  const auto late = std::exchange(late_, {});
  for (const auto& execute : late) execute();
  return late.size();
}

EtcdRevision ModelCluster::revision() const {
  const std::lock_guard held(mutex_);
  return revision_;
}

std::vector<EtcdValue> ModelCluster::values(const EtcdRange& range) const {
  const std::lock_guard held(mutex_);
  return values_in(range);
}

std::vector<EtcdValue> ModelCluster::values_in(const EtcdRange& range) const {
  std::vector<EtcdValue> found;
  for (auto at = values_.lower_bound(range.first);
       at != values_.end() && contains(range, at->first); ++at) {
    found.push_back(at->second);
  }
  return found;
}

EtcdResult<EtcdValues> ModelCluster::read(const EtcdRange& range, std::size_t limit) const {
  EtcdValues answer{values_in(range), revision_};
  if (limit != 0 && answer.values.size() > limit) {
    answer.values.resize(limit);
    answer.has_more = true;
  }
  return answer;
}

bool ModelCluster::holds(const EtcdCondition& condition) const {
  const auto found = values_.find(condition.key);
  if (condition.created) {
    return (found == values_.end() ? 0 : found->second.created) == *condition.created;
  }
  return found != values_.end() && found->second.value == condition.value;
}

EtcdResult<EtcdCommit> ModelCluster::commit(const EtcdTransaction& transaction) {
  const std::string mistake = mistake_in(transaction);
  if (!mistake.empty()) return refused(mistake);
  if (!std::all_of(transaction.conditions.begin(), transaction.conditions.end(),
                   [this](const EtcdCondition& condition) { return holds(condition); })) {
    return EtcdCommit{false, revision_};
  }
  for (const EtcdPut& put : transaction.puts) {
    if (put.lease != 0 && !leases_.contains(put.lease)) return refused("the lease has ended");
  }
  std::vector<EtcdEvent> events;
  for (const EtcdPut& put : transaction.puts) this->put(put, events);
  for (const EtcdRange& range : transaction.deletions) erase(range, events);
  record(std::move(events));
  return EtcdCommit{true, revision_};
}

void ModelCluster::put(const EtcdPut& put, std::vector<EtcdEvent>& events) {
  EtcdValue& value = values_[put.key];
  const EtcdRevision created = value.created == 0 ? revision_ + 1 : value.created;
  value = {put.key, put.value, created, revision_ + 1, put.lease};
  events.push_back({value, false});
}

void ModelCluster::erase(const EtcdRange& range, std::vector<EtcdEvent>& events) {
  for (const EtcdValue& value : values_in(range)) {
    values_.erase(value.key);
    events.push_back({{value.key, "", 0, revision_ + 1, 0}, true});
  }
}

void ModelCluster::record(std::vector<EtcdEvent> events) {
  if (events.empty()) return;
  history_.emplace(++revision_, std::move(events));
  for (ModelWatch* watch : watches_) watch->receive();
}

EtcdResult<EtcdRevision> ModelCluster::compact(EtcdRevision revision) {
  if (revision > revision_) return refused("this revision does not exist yet");
  if (revision > compacted_) {
    compacted_ = revision;
    history_.erase(history_.begin(), history_.lower_bound(compacted_));
  }
  return revision;
}

EtcdResult<EtcdLease> ModelCluster::grant(std::chrono::seconds time) {
  leases_[++last_lease_] = {time, now_ + time};
  return last_lease_;
}

EtcdResult<std::chrono::seconds> ModelCluster::renew(EtcdLease lease) {
  const auto found = leases_.find(lease);
  if (found == leases_.end()) return std::chrono::seconds(0);
  found->second.end = now_ + found->second.time;
  return std::chrono::duration_cast<std::chrono::seconds>(found->second.time);
}

EtcdResult<bool> ModelCluster::end(EtcdLease lease) {
  if (leases_.erase(lease) == 0) return true;
  std::vector<std::string> keys;
  for (const auto& [key, value] : values_) {
    if (value.lease == lease) keys.push_back(key);
  }
  std::vector<EtcdEvent> events;
  for (const std::string& key : keys) erase({key}, events);
  record(std::move(events));
  return true;
}

EtcdFault ModelEtcd::fault_of(EtcdCall call) {
  const EtcdFault asked = faults_ ? faults_(call) : EtcdFault::none;
  const EtcdFault told = std::exchange(next_fault_, EtcdFault::none);
  const std::lock_guard held(cluster_.mutex_);
  if (!is_reachable_ || !cluster_.has_quorum_) return EtcdFault::lost_request;
  return told == EtcdFault::none ? asked : told;
}

template <class Value>
EtcdResult<Value> ModelEtcd::call(EtcdCall kind, std::function<EtcdResult<Value>()> execute) {
  const EtcdFault fault = fault_of(kind);
  const std::lock_guard held(cluster_.mutex_);
  switch (fault) {
    case EtcdFault::none: return execute();
    case EtcdFault::lost_request: break;
    case EtcdFault::lost_answer: static_cast<void>(execute()); break;
    case EtcdFault::late:
      if (kind == EtcdCall::read || kind == EtcdCall::members) break;
      cluster_.late_.emplace_back([execute] { static_cast<void>(execute()); });
      break;
  }
  return unknown("no answer");
}

EtcdResult<EtcdValues> ModelEtcd::read(const EtcdRange& range, std::size_t limit) {
  return call<EtcdValues>(
      EtcdCall::read, [&cluster = cluster_, range, limit] { return cluster.read(range, limit); });
}

EtcdResult<EtcdCommit> ModelEtcd::commit(const EtcdTransaction& transaction) {
  return call<EtcdCommit>(
      EtcdCall::commit, [&cluster = cluster_, transaction] { return cluster.commit(transaction); });
}

EtcdResult<EtcdRevision> ModelEtcd::compact(EtcdRevision revision) {
  return call<EtcdRevision>(EtcdCall::compact,
                            [&cluster = cluster_, revision] { return cluster.compact(revision); });
}

EtcdResult<EtcdLease> ModelEtcd::grant_lease(std::chrono::seconds time) {
  return call<EtcdLease>(EtcdCall::grant_lease,
                         [&cluster = cluster_, time] { return cluster.grant(time); });
}

EtcdResult<std::chrono::seconds> ModelEtcd::renew_lease(EtcdLease lease) {
  return call<std::chrono::seconds>(EtcdCall::renew_lease,
                                    [&cluster = cluster_, lease] { return cluster.renew(lease); });
}

EtcdResult<bool> ModelEtcd::end_lease(EtcdLease lease) {
  return call<bool>(EtcdCall::end_lease,
                    [&cluster = cluster_, lease] { return cluster.end(lease); });
}

std::unique_ptr<EtcdWatch> ModelEtcd::watch(const EtcdRange& range, EtcdRevision from) {
  return std::make_unique<ModelWatch>(*this, range, from);
}

EtcdResult<std::vector<EtcdMember>> ModelEtcd::members() {
  return call<std::vector<EtcdMember>>(
      EtcdCall::members, []() -> EtcdResult<std::vector<EtcdMember>> {
        std::vector<EtcdMember> members;
        for (const char* name : {"model-1", "model-2", "model-3"}) {
          members.push_back({name, std::string("https://") + name + ":2379", "3.4.23",
                             members.empty(), true, store_bytes});
        }
        return members;
      });
}

void ModelEtcd::set_reachable(bool is_reachable) {
  const std::lock_guard held(cluster_.mutex_);
  is_reachable_ = is_reachable;
  if (is_reachable) return;
  for (ModelWatch* watch : cluster_.watches_) {
    if (watch->is_of(*this)) watch->end(unknown("not reachable"));
  }
}

void ModelEtcd::delay_watches(bool delays) {
  const std::lock_guard held(cluster_.mutex_);
  delays_watches_ = delays;
  for (ModelWatch* watch : cluster_.watches_) {
    if (watch->is_of(*this)) watch->receive();
  }
}

void ModelEtcd::cut_watches() {
  const std::lock_guard held(cluster_.mutex_);
  for (ModelWatch* watch : cluster_.watches_) {
    if (watch->is_of(*this)) watch->end(unknown("the connection is lost"));
  }
}

}  // namespace linkmeter
