// BackgroundAudit: verifies the whole journal while the controller already serves (§ 605a.8, L2).
// It follows a start that trusted the older entries of a long journal (self_check.h). A
// low-priority thread reads every entry from 1 to the head, as the audit does, and compares the
// resulting state with the state that the controller took over. The controller itself wrote the
// entries after that head.
//
// Laws: it writes nothing, reads only data that no turn changes any more, and takes no signals. The
// result is returned once. The destructor stops it early, without a result.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

class BackgroundAudit {
 public:
  struct Progress {
    std::uint64_t checked = 0, total = 0;  // entries
  };

  // `journal` must outlive this. The audit fails unless the entries up to `head` give `state`.
  BackgroundAudit(const Journal& journal, const Head& head, State state);
  BackgroundAudit(const BackgroundAudit&) = delete;
  BackgroundAudit& operator=(const BackgroundAudit&) = delete;
  ~BackgroundAudit();

  [[nodiscard]] Progress progress() const { return {checked_, head_.entry.value()}; }
  // A log line for each tenth of the work.
  [[nodiscard]] std::optional<std::string> take_progress();
  struct Result {
    std::vector<SelfChecked::Failure> failures;  // none: all is proved
    std::string trouble;                         // why the audit could not finish; "": it finished
  };
  // Once, after the end.
  [[nodiscard]] std::optional<Result> take_result();

 private:
  void verify();

  const Journal& journal_;
  Head head_;
  State state_;
  std::atomic<std::uint64_t> checked_ = 0;
  std::atomic<bool> is_leaving_ = false;
  std::atomic<bool> has_ended_ = false;
  Result result_;  // written before has_ended_
  bool is_taken_ = false;
  std::uint64_t tenths_reported_ = 0;
  std::thread thread_;
};

}  // namespace linkmeter
