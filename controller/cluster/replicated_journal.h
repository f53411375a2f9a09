// ReplicatedJournal: the journal of one node of a cluster. A standby commits what it follows; the
// writer commits to etcd first, and then to its own journal.
//
// Laws: an entry of the writer is durable when it is in etcd, whose members have synced it on a
// majority, and in the writer's own journal, synced. The own journal never has an entry that etcd
// does not have. Commits become durable in their order, on a thread of their own; the next turn can
// be decided meanwhile (journal.h). If the role is lost, nothing more becomes durable, and the next
// call throws RoleLost.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/etcd.h"
#include "controller/store/journal.h"
#include "proto/host/wakeup.h"

namespace linkmeter {

class ReplicatedJournal final : public Journal {
 public:
  // Called about ten times a second while a call waits for etcd. It may throw: then the process
  // must end.
  using Waiting = std::function<void()>;

  // A standby. `local` is opened for writing; it and `etcd` must outlive this.
  ReplicatedJournal(Journal& local, Etcd& etcd, ClusterKeys keys, Waiting waiting);
  ReplicatedJournal(const ReplicatedJournal&) = delete;
  ReplicatedJournal& operator=(const ReplicatedJournal&) = delete;
  ~ReplicatedJournal() override;

  // This node is the writer from now on. `epoch`: the revision that created its key `writer`.
  // REQUIRES: it was a standby, and head() is the head in etcd.
  void begin_writing(EtcdRevision epoch);
  [[nodiscard]] bool is_writing() const { return thread_.joinable(); }

  [[nodiscard]] Head head() const override { return head_; }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  void submit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  [[nodiscard]] EntryNumber durable() override;
  void settle() override;
  [[nodiscard]] std::optional<int> descriptor() const override;

  // Includes the entries that are not durable yet.
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  // The rows are those of the last durable commit.
  [[nodiscard]] std::vector<Row> rows() const override { return local_.rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return local_.row(key);
  }
  [[nodiscard]] Stored stored() const override { return local_.stored(); }
  [[nodiscard]] JournalSpace room() const override { return local_.room(); }
  void maintain() override { local_.maintain(); }
  void snapshot_to(const std::filesystem::path& folder) const override {
    local_.snapshot_to(folder);
  }

 private:
  static constexpr std::size_t submitted_max = 2;
  struct Batch {
    Head before, after;
    std::vector<std::string> entries;
    std::vector<Row> rows;
  };

  void work(EtcdRevision epoch);
  void make_durable(const Batch& batch, EtcdRevision epoch);
  void pause(const EtcdError& error);
  // Waits until at most so many commits are not durable.
  void await(std::size_t submitted);

  Journal& local_;
  Etcd& etcd_;
  const ClusterKeys keys_;
  const Waiting waiting_;
  Head head_;
  Wakeup advanced_;
  bool is_etcd_silent_ = false;  // of the thread

  mutable std::mutex mutex_;
  std::condition_variable comes_, done_;
  std::deque<Batch> submitted_;  // not durable yet, in order
  EntryNumber durable_;
  std::exception_ptr failure_;
  bool stops_ = false;
  std::thread thread_;  // of a writer
};

}  // namespace linkmeter
