// Guard: what a running controller watches of itself between two turns: its totals (recount.h) and
// the room that its journal has (room.h). What it finds suspends links, each with its reason, while
// that can still be written; a link that it suspended stays so until people resume it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include "controller/clock.h"
#include "controller/controller.h"
#include "controller/lmdb_journal.h"
#include "controller/recount.h"
#include "controller/room.h"

namespace linkmeter {

class Guard {
 public:
  struct Terms {
    std::filesystem::path data;
    RoomMargins margins = {};
    std::chrono::seconds recount_round{60};
    std::function<void()> alive = [] {};  // called now and then in what may take long
  };

  // All must outlive this.
  Guard(Controller& controller, const LmdbJournal& journal, Clock& clock, Terms terms);

  // The links that changed; everything is on disk. Throws Fault: then the process must end.
  [[nodiscard]] std::set<LinkPlace> serve();
  // The last time that a recount and the totals were not the same; nullopt: never.
  [[nodiscard]] std::optional<Timestamp> found_difference_at() const { return difference_at_; }

 private:
  void watch_room(std::set<LinkPlace>& changed);
  void recount(std::set<LinkPlace>& changed);

  Controller& controller_;
  const LmdbJournal& journal_;
  Clock& clock_;
  Terms terms_;
  Recount recount_;
  std::optional<Timestamp> difference_at_;
};

}  // namespace linkmeter
