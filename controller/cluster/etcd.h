// Etcd: what a node uses of an etcd cluster (v3): reads, fenced transactions, leases, watches.
//
// Laws: reads and transactions are linearizable. A transaction is done as a whole or not at all.
// After EtcdError::unknown nobody knows whether the request was done; it may even be done later.
// Safe on any thread. No call blocks longer than the deadline that the implementation was made
// with.
//
// Implementations: GrpcEtcd (grpc_etcd.h) speaks to a cluster; tests/support/model_etcd.h is a
// model for simulations. Both pass the same contract (tests/cluster/etcd_contract.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace linkmeter {

struct EtcdError {
  enum class Kind : std::uint8_t {
    unknown,    // no answer: not reachable, too late, no quorum. A change may have been done.
    refused,    // etcd refused the request, and nothing was done
    compacted,  // the revision that a watch asked for is compacted
  };
  Kind kind = Kind::unknown;
  std::string words;  // for people, with the member that answered, if one did
};

// A result, or the reason for its absence.
template <class Value>
class EtcdResult {
 public:
  EtcdResult(Value value) : content_(std::move(value)) {}      // NOLINT: converts on purpose
  EtcdResult(EtcdError error) : content_(std::move(error)) {}  // NOLINT: converts on purpose
  [[nodiscard]] explicit operator bool() const { return content_.index() == 0; }
  [[nodiscard]] const Value& operator*() const { return std::get<0>(content_); }
  [[nodiscard]] Value& operator*() { return std::get<0>(content_); }
  [[nodiscard]] const Value* operator->() const { return &std::get<0>(content_); }
  [[nodiscard]] const EtcdError& error() const { return std::get<1>(content_); }

 private:
  std::variant<Value, EtcdError> content_;
};

using EtcdRevision = std::int64_t;  // of the whole store; each change makes the next one
using EtcdLease = std::int64_t;     // 0: no lease

struct EtcdValue {
  std::string key;
  std::string value;
  EtcdRevision created = 0;   // the revision that created the key
  EtcdRevision modified = 0;  // the revision of its last change
  EtcdLease lease = 0;
  friend bool operator==(const EtcdValue&, const EtcdValue&) = default;
};

// The keys from `first` to `end`, without `end`. "" as `end`: the key `first` alone.
struct EtcdRange {
  std::string first;
  std::string end = {};
  // All keys that begin with the prefix. REQUIRES: it is not empty and does not end with '\xff'.
  static EtcdRange prefix(const std::string& prefix) {
    std::string end = prefix;
    end.back() = static_cast<char>(end.back() + 1);
    return {prefix, end};
  }
};

// What must hold for a transaction to be done. Exactly one of the two is set.
struct EtcdCondition {
  std::string key;
  std::optional<EtcdRevision> created = {};  // 0: the key does not exist
  std::optional<std::string> value = {};
};

struct EtcdPut {
  std::string key;
  std::string value;
  EtcdLease lease = 0;
};

struct EtcdTransaction {
  std::vector<EtcdCondition> conditions;
  std::vector<EtcdPut> puts = {};
  std::vector<EtcdRange> deletions = {};
};

struct EtcdCommit {
  bool is_done = false;  // false: a condition did not hold, and nothing was changed
  EtcdRevision revision = 0;
};

struct EtcdValues {
  std::vector<EtcdValue> values;  // in the order of their keys
  EtcdRevision revision = 0;      // of the store at the moment of the read
  bool has_more = false;          // the limit left some off
};

// A change that a watch saw.
struct EtcdEvent {
  EtcdValue value;  // of a deletion: the key, and the revision of the deletion in `modified`
  bool is_deletion = false;
  friend bool operator==(const EtcdEvent&, const EtcdEvent&) = default;
};

struct EtcdMember {
  std::string name;
  std::string endpoint;
  std::string version = {};  // "": no answer
  bool is_leader = false;
  bool is_healthy = false;  // it answers, and knows a leader
  std::int64_t store_bytes = 0;
  std::string error = {};  // why it is not healthy
};

// The changes of a range from one revision on, in the order of their revisions and without a gap.
class EtcdWatch {
 public:
  EtcdWatch() = default;
  EtcdWatch(const EtcdWatch&) = delete;
  EtcdWatch& operator=(const EtcdWatch&) = delete;
  virtual ~EtcdWatch() = default;

  // The changes that came since the last call; waits for one, at most `timeout`. Empty: none came.
  // All changes of one revision come together. After an error this watch is over: read, and watch
  // again from the revision that follows the read.
  [[nodiscard]] virtual EtcdResult<std::vector<EtcdEvent>> next(
      std::chrono::milliseconds timeout) = 0;
};

class Etcd {
 public:
  Etcd() = default;
  Etcd(const Etcd&) = delete;
  Etcd& operator=(const Etcd&) = delete;
  virtual ~Etcd() = default;

  // At most `limit` values; 0: all.
  [[nodiscard]] virtual EtcdResult<EtcdValues> read(const EtcdRange& range,
                                                    std::size_t limit = 0) = 0;
  [[nodiscard]] virtual EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction) = 0;
  // Frees the history before `revision`: no watch can start there any more. Returns `revision`,
  // also if that history was free before. A revision that does not exist yet is refused.
  [[nodiscard]] virtual EtcdResult<EtcdRevision> compact(EtcdRevision revision) = 0;

  // A lease that ends `time` after its last renewal. When it ends, its keys are deleted in one
  // revision. It may live longer, never shorter: etcd has a shortest time (one and a half of its
  // election timeouts), ends leases up to a second late, and lets every lease live its whole time
  // again when the cluster elects a leader.
  [[nodiscard]] virtual EtcdResult<EtcdLease> grant_lease(std::chrono::seconds time) = 0;
  // How long it lives from now; 0: it has ended.
  [[nodiscard]] virtual EtcdResult<std::chrono::seconds> renew_lease(EtcdLease lease) = 0;
  // Ends it now. Its result is true, also if the lease had ended.
  [[nodiscard]] virtual EtcdResult<bool> end_lease(EtcdLease lease) = 0;

  // REQUIRES: `from` is at least 1, and the watch ends before this object.
  [[nodiscard]] virtual std::unique_ptr<EtcdWatch> watch(const EtcdRange& range,
                                                         EtcdRevision from) = 0;
  // All members of the cluster. A member that does not answer is not healthy.
  [[nodiscard]] virtual EtcdResult<std::vector<EtcdMember>> members() = 0;
};

}  // namespace linkmeter
