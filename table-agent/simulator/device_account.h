// DeviceAccount: what a simulated device knows must have been counted at its table. It is computed
// without the controller's books, so it can be compared with them. It also counts the planted
// faults.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

struct DeviceAccount {
  std::uint64_t rounds = 0;  // counted and closed
  std::uint64_t voided = 0, blocked = 0, given_back = 0;
  std::map<WagerId, std::uint64_t> wagers;
  std::map<WagerId, std::int64_t> handle_cents;
  std::uint64_t wins = 0;
  std::int64_t win_cents = 0;
  std::uint64_t lost = 0, doubled = 0, held_back = 0, damaged = 0, dropped = 0, power_lost = 0;
  std::vector<std::string> complaints;
};

// {"rounds":200,...}, one line.
std::string json_text(const DeviceAccount& account);

}  // namespace linkmeter
