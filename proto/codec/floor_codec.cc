#include "proto/codec/floor_codec.h"

#include <string>

#include "meters/state/pace.h"
#include "proto/acts.pb.h"

namespace linkmeter {

bool serialize(Of<LevelConfig> auto& level, auto& message) {
  const auto is_meter = [](Amount amount) {
    return amount >= Amount() && amount <= limits::meter_max;
  };
  return FIELD(level.id, id) && FIELD(level.seed, seed_units) &&
         FIELD(level.reseed, reseed_units) && FIELD(level.rate, rate_ppm) &&
         FIELD(level.limit, limit_units) && is_meter(level.seed) && is_meter(level.reseed) &&
         (!level.limit || *level.limit >= level.seed);
}

bool serialize(Of<PotConfig> auto& pot, auto& message) {
  std::string qualifying(name(pot.qualifying.category));
  if (!FIELD(pot.minimum_pot, minimum_pot_cents) || !FIELD(pot.contribution, contribution_cents) ||
      !FIELD(qualifying, qualifying) || !FIELD(pot.qualifying.ranks, qualifying_ranks) ||
      !FIELD(pot.losing_hand, losing_hand_ppm) || !FIELD(pot.winning_hand, winning_hand_ppm) ||
      !FIELD(pot.table, table_ppm) || !FIELD(pot.discontinuation, discontinuation)) {
    return false;
  }
  if constexpr (IsRead<decltype(message)>) {
    return parts::take(parse_hand_category(qualifying), pot.qualifying.category) &&
           pot.qualifying.is_a_hand();
  }
  return true;
}

bool serialize(Of<LinkConfig> auto& link, auto& message) {
  return FIELD(link.id, id) && FIELD(link.wager, wager) && FIELD(link.paytable, paytable) &&
         FIELD(link.unit, unit_cents) && FIELD(link.minimum, minimum_cents) &&
         FIELD(link.maximum, maximum_cents) && FIELD(link.levels, levels) &&
         FIELD(link.reserve_rate, reserve_ppm) && FIELD(link.tables, tables) &&
         FIELD(link.payout_limit, payout_limit_cents) &&
         FIELD(link.payout_limit_caps_meter, payout_limit_caps_meter) && FIELD(link.pot, pot);
}

// The draw rate and the pace are absent if they are what most tables have.
bool serialize(Of<TableConfig> auto& table, auto& message) {
  auto decks = static_cast<std::uint32_t>(table.decks);
  if (!FIELD(table.id, id) || !FIELD(table.game, game) || !FIELD(table.seats, seats) ||
      !FIELD(decks, decks) || !FIELD(table.asset, asset) ||
      !FIELD_IF(!table.draw_rate.is_whole(), table.draw_rate, draw_ppm) ||
      !FIELD_IF(table.pace != default_pace(table.game), table.pace, pace)) {
    return false;
  }
  if constexpr (IsRead<decltype(message)>) {
    if (decks > static_cast<std::uint32_t>(limits::decks_max)) return false;
    table.decks = static_cast<int>(decks);
    if (!message.has_pace()) table.pace = default_pace(table.game);
    return table.pace >= 1 && table.pace <= limits::pace_max;
  }
  return true;
}

bool serialize(Of<SignatureStep> auto& step, auto& message) {
  return FIELD(step.from, from_cents) && FIELD(step.roles, roles);
}

template <class Value, class Message>
bool serialize_floor(Value& floor, Message& message) {
  return FIELD(floor.house, house) && FIELD(floor.tables, tables) && FIELD(floor.links, links) &&
         FIELD(floor.second_signature, second_signature) && FIELD(floor.taxable, taxable);
}

bool serialize(const Floor& floor, acts::Floor& message) { return serialize_floor(floor, message); }
bool serialize(Floor& floor, const acts::Floor& message) { return serialize_floor(floor, message); }

}  // namespace linkmeter
