// The proof of the whole journal behind a start, on journals in memory, valid and altered.
#include "controller/integrity/background_audit.h"

#include <doctest/doctest.h>
#include <csignal>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "proto/codec/journal_codec.h"
#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"

namespace linkmeter::background_audit_test {
namespace {

// Another journal with one altered entry. With a latch, reading waits until the latch is open.
class ReadJournal final : public ReadOnlyJournal {
 public:
  ReadJournal(const Journal& journal, std::uint64_t altered, std::latch* latch = nullptr)
      : journal_(journal), altered_(altered), latch_(latch) {}

  [[nodiscard]] Head head() const override { return journal_.head(); }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    if (latch_ != nullptr) latch_->wait();
    journal_.read(from, [&](StoredEntry stored) {
      if (stored.number == altered_) stored.bytes.back() ^= 1;
      return visit(stored);
    });
  }
  [[nodiscard]] std::vector<Row> rows() const override { return journal_.rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return journal_.row(key);
  }

 private:
  const Journal& journal_;
  EntryNumber altered_;
  std::latch* latch_;
};

// Fails at the first read, and records which signals its reader could receive.
class Unreadable final : public ReadOnlyJournal {
 public:
  [[nodiscard]] Head head() const override { return {}; }
  void read(EntryNumber /*from*/,
            const std::function<bool(const StoredEntry&)>& /*visit*/) const override {
    sigset_t blocked;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    was_blocked_ = ::sigismember(&blocked, SIGTERM) == 1 && ::sigismember(&blocked, SIGINT) == 1;
    throw Fault("the disk failed");
  }
  [[nodiscard]] bool was_blocked() const { return was_blocked_; }

 private:
  mutable bool was_blocked_ = false;
};

// Ten rounds at one table.
struct Played {
  MemoryJournal journal;
  OneTableHouse house{journal};

  Played() {
    for (int round = 0; round < 10; ++round) house.lock("r" + std::to_string(round));
  }
};

BackgroundAudit::Result result_of(BackgroundAudit& verification) {
  while (true) {
    if (auto result = verification.take_result()) return *result;
    std::this_thread::yield();
  }
}

// The text of this failed check. All other checks must pass.
std::string failed(const BackgroundAudit::Result& result, const std::string& check) {
  CHECK_EQ(result.trouble, "");
  REQUIRE_EQ(result.failures.size(), 1);
  CHECK_EQ(result.failures[0].check, check);
  return result.failures[0].words;
}

}  // namespace

TEST_CASE("a sound journal passes once, and entries after the head are not read") {
  Played played;
  const Head head = played.journal.head();
  const State state = played.house.state();
  played.house.lock("later");
  BackgroundAudit verification(played.journal, head, state);
  const BackgroundAudit::Result result = result_of(verification);
  CHECK(result.failures.empty());
  CHECK_EQ(result.trouble, "");
  CHECK_FALSE(verification.take_result());
  CHECK_EQ(verification.progress().checked, head.entry.value());
  CHECK_EQ(verification.progress().total, head.entry.value());
}

TEST_CASE("every altered entry is named") {
  Played played;
  for (std::uint64_t entry = 1; entry <= played.journal.head().entry.value(); ++entry) {
    const ReadJournal altered(played.journal, entry);
    BackgroundAudit verification(altered, altered.head(), played.house.state());
    CAPTURE(entry);
    CHECK_NE(
        failed(result_of(verification), "journal").find("entry " + std::to_string(entry) + ":"),
        std::string::npos);
  }
}

TEST_CASE("a state that the entries do not give is detected, even if it breaks no law") {
  Played played;
  const Head head = played.journal.head();
  const State before = played.house.state();
  played.house.lock("later");
  // The link's balances of one entry later, with everything else unchanged.
  const State other =
      State::restored(head.entry, before.floor(), {played.house.state().link(LinkIndex(0))},
                      {before.session(TableIndex(0))}, before.claims());
  BackgroundAudit verification(played.journal, head, other);
  CHECK_NE(failed(result_of(verification), "balances").find("linkmeter rebuild"),
           std::string::npos);
}

TEST_CASE("a journal that cannot be read is an error, not a finding") {
  Played played;
  Unreadable unreadable;
  BackgroundAudit verification(unreadable, played.journal.head(), played.house.state());
  const BackgroundAudit::Result result = result_of(verification);
  CHECK(result.failures.empty());
  CHECK_EQ(result.trouble, "the disk failed");
}

// A thread that does not block SIGTERM could receive the process's signal, which would end the
// process.
TEST_CASE("the audit's threads take no signals") {
  Played played;
  Unreadable unreadable;
  BackgroundAudit verification(unreadable, played.journal.head(), played.house.state());
  static_cast<void>(result_of(verification));
  CHECK(unreadable.was_blocked());
}

TEST_CASE("the audit ends with its controller at any time") {
  Played played;
  std::latch latch(1);
  const ReadJournal waiting(played.journal, 0, &latch);
  auto verification =
      std::make_unique<BackgroundAudit>(waiting, waiting.head(), played.house.state());
  CHECK_FALSE(verification->take_result());
  latch.count_down();
  verification.reset();  // returns
}

}  // namespace linkmeter::background_audit_test
