#include "table-agent/round/bonus_draw.h"

#include <utility>

#include "meters/game/card.h"

namespace linkmeter {

BonusDraw::Terms BonusDraw::terms_at(const Floor& floor, const FloorRules& rules,
                                     TableIndex table_index) {
  const TableConfig& table = floor.table(table_index);
  Terms terms{false, false, false, table.seats, table.draw_rate};
  for (const LinkIndex index : floor.links_of(table_index)) {
    const LinkRules& link = rules.link(index);
    for (const Bonus& bonus : link.paytable.bonuses) {
      if (bonus.kind == Bonus::Kind::magic_card) {
        terms.draws_card = true;
        continue;
      }
      terms.draws_position = true;
      terms.has_dealer_position =
          terms.has_dealer_position || link.wager.decided_by == DecidedBy::either_hand;
    }
  }
  return terms;
}

BonusDraw::BonusDraw(const Terms& terms, SecureRandom chance)
    : terms_(terms), chance_(std::move(chance)) {}

std::optional<Draw> BonusDraw::draw() {
  if (!terms_.draws_card && !terms_.draws_position) return std::nullopt;
  const auto rate_ppm = static_cast<std::uint64_t>(terms_.rate.ppm());
  if (chance_.below(Rate::ppm_whole) >= rate_ppm) return std::nullopt;
  Draw draw;
  if (terms_.draws_card) {
    draw.magic = Card::from_index(static_cast<std::uint8_t>(chance_.below(Card::joker_index)));
  }
  if (terms_.draws_position) {
    const std::uint8_t first = terms_.has_dealer_position ? 0 : 1;
    const std::uint64_t positions = std::uint64_t{terms_.seats} + 1 - first;
    draw.seat = Seat(static_cast<std::uint8_t>(first + chance_.below(positions)));
  }
  return draw;
}

}  // namespace linkmeter
