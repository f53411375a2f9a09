#include "controller/integrity/background_audit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include <exception>
#include <utility>

#include "controller/integrity/self_check.h"
#include "controller/store/audit.h"
#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

// A view of a journal up to a head. It ends early once the audit is cancelled.
class JournalUpTo final : public ReadOnlyJournal {
 public:
  JournalUpTo(const Journal& journal, const Head& head, const std::atomic<bool>& is_leaving)
      : journal_(journal), head_(head), is_leaving_(is_leaving) {}

  [[nodiscard]] Head head() const override { return head_; }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    journal_.read(from, [&](const StoredEntry& stored) {
      return !is_leaving_ && stored.number <= head_.entry && visit(stored);
    });
  }

 private:
  const Journal& journal_;
  Head head_;
  const std::atomic<bool>& is_leaving_;
};

// The serving threads have precedence. On Linux the priority is per thread. Signals are blocked, so
// that the serving thread takes them.
void lower_thread_priority() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  constexpr int lowest = 19;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), lowest);
}

}  // namespace

BackgroundAudit::BackgroundAudit(const Journal& journal, const Head& head, State state)
    : journal_(journal), head_(head), state_(std::move(state)), thread_([this] { verify(); }) {}

BackgroundAudit::~BackgroundAudit() {
  is_leaving_ = true;
  thread_.join();
}

void BackgroundAudit::verify() {
  lower_thread_priority();
  try {
    const ReadingScope reads;
    const JournalUpTo journal(journal_, head_, is_leaving_);
    const AuditReport report =
        audit_against(journal, state_, [this](std::uint64_t checked) { checked_ = checked; });
    if (report.bad) result_.failures.push_back({"journal", text(report)});
    if (!report.wrong_state.empty()) {
      result_.failures.push_back({"balances", report.wrong_state + rebuild_hint});
    }
    checked_ = report.entries_checked;
  } catch (const BrokenLaw& broken) {
    result_.failures.push_back({"journal", broken.what()});
  } catch (const std::exception& fault) {
    result_.trouble = fault.what();
  }
  state_ = State();
  has_ended_ = true;
}

std::optional<std::string> BackgroundAudit::take_progress() {
  constexpr std::uint64_t parts = 10;
  const auto [checked, total] = progress();
  const std::uint64_t tenths = total == 0 ? 0 : parts * checked / total;
  if (tenths <= tenths_reported_ || has_ended_) return std::nullopt;
  tenths_reported_ = tenths;
  return "verifying entries=" + std::to_string(checked) + " of " + std::to_string(total);
}

std::optional<BackgroundAudit::Result> BackgroundAudit::take_result() {
  if (!has_ended_ || std::exchange(is_taken_, true)) return std::nullopt;
  return result_;
}

}  // namespace linkmeter
