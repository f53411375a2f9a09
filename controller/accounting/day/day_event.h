// Day event: what happened on a gaming day besides play, and is told in its report for whoever
// reads it: money moved by hand, claims rejected, hands and counts put right, links suspended and
// resumed, clocks set, self-checks failed, parameters changed, backups restored, PINs recovered.
#pragma once

#include <optional>
#include <string>

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

struct DayEvent {
  std::string kind;  // "correction"
  EntryNumber entry;
  Timestamp at;
  std::string words;
  std::optional<LinkIndex> link = {};  // of a suspension
  // Nobody did it, and the day's report asks why: what is to be explained. "": somebody did.
  std::string difference = {};
};

// nullopt: the entry is none. `floor`: in force.
std::optional<DayEvent> day_event(const Entry& entry, const Floor& floor);

}  // namespace linkmeter
