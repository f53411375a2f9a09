// BonusDraw: what a table draws after its lock: the Magic Card, one of the 52 of a deck, and the
// Lucky position, one of all physical positions of the table whether or not anybody sits there.
// Where a Hand Bonus may lie on the dealer's hand, his position 0 is one of them.
//
// Laws: only what a link of the table offers is drawn. The table draws as often as its draw_rate
// says, and then everything that it offers. The numbers are the system's own (SecureRandom): no
// seed repeats a draw, and one that was not yet said is made anew after a restart.
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
  static Terms terms_at(const Floor& floor, const FloorRules& rules, TableIndex place);

  BonusDraw(const Terms& terms, SecureRandom chance);

  // nullopt: this round draws nothing. Throws Fault if the generator fails.
  [[nodiscard]] std::optional<Draw> draw();

 private:
  Terms terms_;
  SecureRandom chance_;
};

}  // namespace linkmeter
