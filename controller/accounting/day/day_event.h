// Day event: an event of a gaming day that is not play, as its report lists it: money moved by
// hand, claims rejected, hands and counts corrected, links suspended and resumed, clocks set,
// self-checks failed, parameters changed, backups restored, PINs recovered.
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
  // For an event without a person: the item that must be explained. "": a person did it.
  std::string difference = {};
};

// nullopt: the entry is not an event. `floor`: the one in force.
std::optional<DayEvent> day_event(const Entry& entry, const Floor& floor);

}  // namespace linkmeter
