#include "controller/cluster/replicated_journal.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "controller/cluster/fenced_log.h"
#include "tests/cluster/written_cluster.h"
#include "tests/journal/journal_contract.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::replicated_journal_test {
namespace {

using std::chrono::milliseconds;

// A journal in memory for several threads, whose commits wait while the test closes it.
class GatedJournal final : public Journal {
 public:
  void close(bool is_closed) { is_closed_ = is_closed; }
  void fail_next_commit() {
    const std::lock_guard held(mutex_);
    journal_.fail_next_commit();
  }
  [[nodiscard]] Head head() const override {
    const std::lock_guard held(mutex_);
    return journal_.head();
  }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override {
    while (is_closed_) std::this_thread::sleep_for(milliseconds(1));
    const std::lock_guard held(mutex_);
    journal_.commit(entries, rows);
  }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    const std::lock_guard held(mutex_);
    journal_.read(from, visit);
  }
  [[nodiscard]] std::vector<Row> rows() const override {
    const std::lock_guard held(mutex_);
    return journal_.rows();
  }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    const std::lock_guard held(mutex_);
    return journal_.row(key);
  }
  [[nodiscard]] Stored stored() const override {
    const std::lock_guard held(mutex_);
    return journal_.stored();
  }
  [[nodiscard]] JournalSpace room() const override { return journal_.room(); }
  void maintain() override {}
  void snapshot_to(const std::filesystem::path& folder) const override {
    journal_.snapshot_to(folder);
  }

 private:
  mutable std::mutex mutex_;
  MemoryJournal journal_;
  std::atomic<bool> is_closed_ = false;
};

// The journal of the writer "a".
struct World : WrittenCluster {
  GatedJournal local;
  ReplicatedJournal journal{local, etcd, keys, [] {}};

  World() { journal.begin_writing(epoch); }
  // The journal was destroyed or has failed when the test ends, so nothing waits at a closed gate.
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const StoredEntry& entry : entries_from(journal, 1)) all.push_back(entry.bytes);
    return all;
  }
  [[nodiscard]] bool is_readable() const {
    pollfd item{*journal.descriptor(), POLLIN, 0};
    return ::poll(&item, 1, 0) == 1;
  }
  // Waits until etcd has so many turns.
  void await_turns(std::size_t count) const {
    while (turns().size() < count) std::this_thread::sleep_for(milliseconds(1));
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the journal of a standby passes the contract tests") {
  struct Standby {
    ModelCluster cluster;
    ModelEtcd etcd{cluster};
    MemoryJournal local;
  };
  std::deque<Standby> standbys;
  journal_contract([&standbys]() -> std::unique_ptr<Journal> {
    Standby& one = standbys.emplace_back();
    return std::make_unique<ReplicatedJournal>(one.local, one.etcd, keys_of_house(), [] {});
  });
}

TEST_CASE("an entry is durable when it is in etcd and in the writer's own journal") {
  World at;
  at.etcd.set_reachable(false);
  at.journal.submit({"one"}, {{"row", "1"}});
  CHECK(at.journal.head() == head_after({}, {"one"}));
  CHECK(at.texts() == Texts{"one"});
  CHECK(at.journal.durable() == EntryNumber());
  CHECK(at.local.head() == Head());
  CHECK(at.turns().empty());
  at.local.close(true);
  at.etcd.set_reachable(true);
  at.await_turns(1);
  CHECK(at.journal.durable() == EntryNumber());  // etcd has it, the own journal does not
  CHECK(at.journal.rows().empty());
  at.local.close(false);
  at.journal.settle();
  CHECK(at.is_readable());
  CHECK(at.journal.durable() == EntryNumber(1));
  CHECK_FALSE(at.is_readable());
  CHECK(at.local.head() == at.head());
  CHECK(at.journal.row("row") == "1");
}

TEST_CASE("the next commit may begin meanwhile, and a third one waits") {
  World at;
  at.local.close(true);
  at.journal.submit({"one"}, {});
  at.journal.submit({"two", "three"}, {});
  CHECK(at.texts() == Texts{"one", "two", "three"});
  CHECK(at.journal.head() == head_after({}, {"one", "two", "three"}));
  std::atomic<bool> is_third_in = false;
  std::thread third([&] {
    at.journal.submit({"four"}, {});
    is_third_in = true;
  });
  at.await_turns(1);
  CHECK_FALSE(is_third_in);
  CHECK(at.turns().size() == 1);  // in their order: the second waits for the first
  at.local.close(false);
  third.join();
  at.journal.settle();
  CHECK(at.journal.durable() == EntryNumber(4));
  CHECK(at.local.head() == head_after({}, {"one", "two", "three", "four"}));
  CHECK(at.texts() == Texts{"one", "two", "three", "four"});
}

TEST_CASE("a lost role shows at the next call of any kind, and nothing more becomes durable") {
  World at;
  at.cluster.pass_time(std::chrono::seconds(3));
  at.journal.submit({"one"}, {});
  SUBCASE("settle") { CHECK_THROWS_AS(at.journal.settle(), RoleLost); }
  SUBCASE("commit") { CHECK_THROWS_AS(at.journal.commit({"two"}, {}), RoleLost); }
  SUBCASE("durable") {
    pollfd item{*at.journal.descriptor(), POLLIN, 0};
    REQUIRE(::poll(&item, 1, 20'000) == 1);
    CHECK_THROWS_AS(static_cast<void>(at.journal.durable()), RoleLost);
  }
  CHECK_THROWS_AS(at.journal.submit({"three"}, {}), RoleLost);
  CHECK_THROWS_AS(static_cast<void>(at.journal.durable()), RoleLost);
  CHECK(at.turns().empty());
  CHECK(at.local.head() == Head());
}

TEST_CASE("a failed disk is a fault, and etcd keeps what it has") {
  World at;
  at.local.fail_next_commit();
  CHECK_THROWS_AS(at.journal.commit({"one"}, {}), Fault);
  CHECK_THROWS_AS(at.journal.commit({"two"}, {}), Fault);
  CHECK(at.turns().size() == 1);
  CHECK(at.local.head() == Head());
}

TEST_CASE("a call that waits for etcd lets its caller end the process") {
  class Ends : public Fault {
    using Fault::Fault;
  };
  WrittenCluster at;
  GatedJournal local;
  ReplicatedJournal journal(local, at.etcd, at.keys, [] { throw Ends("enough"); });
  journal.begin_writing(at.epoch);
  at.etcd.set_reachable(false);
  CHECK_THROWS_AS(journal.commit({"one"}, {}), Ends);
  // And the journal can be closed, although etcd does not answer.
}

TEST_CASE("a writer that continues a journal appends after its head") {
  WrittenCluster at;
  GatedJournal local;
  local.commit({"one"}, {});
  const Head head = at.log().append({}, {"one"});
  ReplicatedJournal journal(local, at.etcd, at.keys, [] {});
  CHECK(journal.head() == head);
  CHECK(journal.durable() == EntryNumber(1));
  CHECK_FALSE(journal.is_writing());
  journal.begin_writing(at.epoch);
  CHECK(journal.is_writing());
  journal.commit({"two"}, {});
  CHECK(at.head() == head_after({}, {"one", "two"}));
  CHECK(local.head() == at.head());
}

}  // namespace linkmeter::replicated_journal_test
