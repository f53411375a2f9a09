// HealthMonitor: the checks of a running controller between two turns: the balances
// (balance_check.h), the space for the journal (disk_space.h) and, if the start trusted a part of a
// long journal, that part (background_audit.h). A finding suspends links, with the reason, while it
// can still be written. A suspended link stays suspended until people resume it. If the journal is
// damaged, every link is suspended by an entry, and the controller ends.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "controller/integrity/background_audit.h"
#include "controller/integrity/balance_check.h"
#include "controller/integrity/disk_space.h"
#include "controller/store/journal.h"
#include "controller/time/clock.h"
#include "controller/turn/controller.h"

namespace linkmeter {

class HealthMonitor {
 public:
  struct Terms {
    std::filesystem::path data;
    DiskReserve margins = {};
    std::chrono::seconds recount_round{60};
    std::function<void()> alive = [] {};  // called from time to time during long work
    // The start proved all of the journal; else it is verified in the background.
    bool is_proved = true;
    Digest manifest{};  // the one that the start passed with
  };

  // All arguments must outlive this.
  HealthMonitor(Controller& controller, const Journal& journal, Clock& clock, Terms terms);

  // Returns the links that changed; everything is on disk. Throws Fault: then the process must end.
  [[nodiscard]] std::set<LinkIndex> serve();
  // The same on a standby, which journals nothing: what is wrong with the journal or the balances;
  // "": nothing was found. A fault stays.
  [[nodiscard]] const std::string& watch_standby();
  // The last time that a balance check found a difference; nullopt: never.
  [[nodiscard]] std::optional<Timestamp> found_difference_at() const { return difference_at_; }
  // Progress of the background audit; nullopt: the start proved the journal.
  [[nodiscard]] std::optional<BackgroundAudit::Progress> verified() const;
  // When the background audit passed; nullopt: not yet, or the start proved the journal.
  [[nodiscard]] std::optional<Timestamp> verified_at() const { return verified_at_; }

 private:
  void check_space(std::set<LinkIndex>& changed);
  void recount(std::set<LinkIndex>& changed);
  void watch_verification();
  // What the audit of a standby, or the next recount, has found; "": nothing.
  [[nodiscard]] std::string new_fault();

  Controller& controller_;
  const Journal& journal_;
  Clock& clock_;
  Terms terms_;
  BalanceCheck recount_;
  std::optional<Timestamp> difference_at_, verified_at_;
  std::optional<BackgroundAudit> background_audit_;
  std::string fault_;  // of a standby
};

}  // namespace linkmeter
