// HealthMonitor: what a running controller watches of itself between two turns: its totals
// (balance_check.h), the room that its journal has (disk_space.h) and, where the start believed a
// part of a long journal, that it was right to (background_audit.h). What it finds suspends links,
// each with its reason, while that can still be written; a link that it suspended stays so until
// people resume it. On a journal that is not whole nothing operates any more: that is an entry, and
// the end.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include "controller/integrity/background_audit.h"
#include "controller/integrity/balance_check.h"
#include "controller/integrity/disk_space.h"
#include "controller/store/lmdb_journal.h"
#include "controller/time/clock.h"
#include "controller/turn/controller.h"

namespace linkmeter {

class HealthMonitor {
 public:
  struct Terms {
    std::filesystem::path data;
    DiskReserve margins = {};
    std::chrono::seconds recount_round{60};
    std::function<void()> alive = [] {};  // called now and then in what may take long
    bool is_proved = true;  // all of the journal, before this; else it is verified from here on
    Digest manifest{};      // that the start passed with
  };

  // All must outlive this.
  HealthMonitor(Controller& controller, const LmdbJournal& journal, Clock& clock, Terms terms);

  // The links that changed; everything is on disk. Throws Fault: then the process must end.
  [[nodiscard]] std::set<LinkIndex> serve();
  // The last time that a recount and the totals were not the same; nullopt: never.
  [[nodiscard]] std::optional<Timestamp> found_difference_at() const { return difference_at_; }
  // How far the journal is verified; nullopt: it was proved before.
  [[nodiscard]] std::optional<BackgroundAudit::Progress> verified() const;
  // When all of it was; nullopt: it is not yet, or was proved before.
  [[nodiscard]] std::optional<Timestamp> verified_at() const { return verified_at_; }

 private:
  void watch_room(std::set<LinkIndex>& changed);
  void recount(std::set<LinkIndex>& changed);
  void watch_verification();

  Controller& controller_;
  const LmdbJournal& journal_;
  Clock& clock_;
  Terms terms_;
  BalanceCheck recount_;
  std::optional<Timestamp> difference_at_, verified_at_;
  std::optional<BackgroundAudit> verification_;
};

}  // namespace linkmeter
