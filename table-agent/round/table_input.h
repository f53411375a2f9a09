// Input of sensors and dealers about the wagers of a round. The device protocol and the dealer's
// panel both produce these values.
#pragma once

#include <cstdint>

#include "meters/facts/table_command.h"

namespace linkmeter::input {

struct WagerPlaced {
  AskedWager wager;
  friend bool operator==(const WagerPlaced&, const WagerPlaced&) = default;
};

struct WagerRemoved {
  Seat seat;
  WagerId wager;
  bool on_dealer = false;
  friend bool operator==(const WagerRemoved&, const WagerRemoved&) = default;
};

// The button: the first press after the end of a round opens betting, the next is "no more bets".
struct BettingSwitched {
  bool open = false;
  friend bool operator==(const BettingSwitched&, const BettingSwitched&) = default;
};

struct ChipCount {
  std::uint32_t chips = 0;
  friend bool operator==(const ChipCount&, const ChipCount&) = default;
};

}  // namespace linkmeter::input
