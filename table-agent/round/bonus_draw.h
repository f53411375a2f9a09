// BonusDraw: what a table draws after its lock: the Magic Card, one of the 52 cards of a deck, and
// the Lucky position, one of all physical positions of the table, occupied or not. If a Hand Bonus
// may be on the dealer's hand, the dealer's position 0 is one of them.
//
// Laws: only draws that a link of the table offers are made. The table draws as often as its
// draw_rate says, and then draws everything that it offers. The numbers come from the system's
// generator (SecureRandom): no seed repeats a draw, and a draw that was not yet submitted is made
// again after a restart.
#pragma once

#include <cstdint>
#include <optional>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/values/rate.h"
#include "table-agent/round/secure_random.h"

namespace linkmeter {

class BonusDraw {
 public:
  struct Terms {
    bool draws_card = false;
    bool draws_position = false;
    bool has_dealer_position = false;
    std::uint8_t seats = 0;
    Rate rate;
    friend bool operator==(const Terms&, const Terms&) = default;
  };
  // What the links of this table offer.
  static Terms terms_at(const Floor& floor, const FloorRules& rules, TableIndex table);

  BonusDraw(const Terms& terms, SecureRandom chance);

  // Returns nullopt if this round has no draw. Throws Fault if the generator fails.
  [[nodiscard]] std::optional<Draw> draw();

 private:
  Terms terms_;
  SecureRandom chance_;
};

}  // namespace linkmeter
