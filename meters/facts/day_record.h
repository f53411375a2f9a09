// DayRecord: what the state keeps of a gaming day that has ended: where its entries lie, what
// people said about it since, and who has signed. Its figures are in the journal.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "meters/values/gaming_day.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct DayRecord {
  GamingDay day;
  EntryNumber ended;  // the day's last entry, DayEnded
  Timestamp ends_at;
  std::vector<EntryNumber> facts = {};  // counters told, counts and explanations, in order
  // The first signature, the latest; and what it was put under.
  Badge signed_by = {};
  EntryNumber signed_with = {};  // 0: nobody has signed
  Digest report = {};
  // The second.
  Badge closed_by = {};
  EntryNumber closed_with = {};  // 0: not closed
  // How often a person has said something of one item (said_item() of day_facts.h).
  std::map<std::pair<Badge, std::string>, std::uint32_t> said = {};
  friend bool operator==(const DayRecord&, const DayRecord&) = default;

  [[nodiscard]] bool is_signed() const { return signed_with != EntryNumber(); }
  [[nodiscard]] bool is_closed() const { return closed_with != EntryNumber(); }
  // Was nothing said about the day since it was signed?
  [[nodiscard]] bool stands_as_signed() const {
    return is_signed() && (facts.empty() || facts.back() < signed_with);
  }
};

}  // namespace linkmeter
