// BackgroundAudit: the whole journal, proved behind a controller that serves already (§ 605a.8,
// L2). A start that believed the older entries of a long journal (self_check.h) is followed by it:
// a thread of low rank reads every entry from 1 to the head, as the audit does, and holds what they
// add up to against the state that the controller took. The entries after that head are this
// controller's own.
//
// Laws: it writes nothing, reads only what no turn changes any more, and takes no signals. Whoever
// asks is told once how it ended. Ends early, and says nothing, when this goes.
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

  // `journal` must outlive this; what it holds up to `head` gives `state`, or something is wrong.
  BackgroundAudit(const Journal& journal, const Head& head, State state);
  BackgroundAudit(const BackgroundAudit&) = delete;
  BackgroundAudit& operator=(const BackgroundAudit&) = delete;
  ~BackgroundAudit();

  [[nodiscard]] Progress progress() const { return {checked_, head_.entry.value()}; }
  // What is to be logged: each tenth that is done.
  [[nodiscard]] std::optional<std::string> take_news();
  struct Result {
    std::vector<SelfChecked::Failure> failures;  // none: all is proved
    std::string trouble;                         // why nobody knows; "": it is known
  };
  // Once, when it has ended.
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
  std::uint64_t tenths_told_ = 0;
  std::thread thread_;
};

}  // namespace linkmeter
