#include "proto/codec/floor_codec.h"

#include <string>

#include "meters/state/pace.h"
#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

namespace {

bool decode_rate(std::uint32_t ppm, Rate& rate) {
  if (ppm > Rate::ppm_whole) return false;
  rate = Rate::from_ppm(ppm);
  return true;
}

void encode_link(const LinkConfig& link, acts::Link& message) {
  message.set_id(link.id.text());
  message.set_wager(link.wager.text());
  message.set_paytable(link.paytable.text());
  if (link.unit) message.set_unit_cents(link.unit->in_cents());
  if (link.minimum) message.set_minimum_cents(link.minimum->in_cents());
  if (link.maximum) message.set_maximum_cents(link.maximum->in_cents());
  for (const LevelConfig& level : link.levels) {
    acts::Level* added = message.add_levels();
    added->set_id(level.id.text());
    added->set_seed_units(level.seed.units());
    added->set_reseed_units(level.reseed.units());
    added->set_rate_ppm(static_cast<std::uint32_t>(level.rate.ppm()));
    if (level.limit) added->set_limit_units(level.limit->units());
  }
  message.set_reserve_ppm(static_cast<std::uint32_t>(link.reserve_rate.ppm()));
  for (const TableIndex table : link.tables) message.add_tables(table.value());
  if (link.payout_limit) message.set_payout_limit_cents(link.payout_limit->in_cents());
  message.set_payout_limit_caps_meter(link.payout_limit_caps_meter);
  if (link.pot) {
    acts::PotTerms& pot = *message.mutable_pot();
    pot.set_minimum_pot_cents(link.pot->minimum_pot.in_cents());
    pot.set_contribution_cents(link.pot->contribution.in_cents());
    pot.set_qualifying(std::string(name(link.pot->qualifying.category)));
    pot.set_qualifying_ranks(link.pot->qualifying.ranks);
    pot.set_losing_hand_ppm(static_cast<std::uint32_t>(link.pot->losing_hand.ppm()));
    pot.set_winning_hand_ppm(static_cast<std::uint32_t>(link.pot->winning_hand.ppm()));
    pot.set_table_ppm(static_cast<std::uint32_t>(link.pot->table.ppm()));
    pot.set_discontinuation(link.pot->discontinuation);
  }
}

bool decode_optional(bool present, std::int64_t cents, std::optional<Amount>& amount) {
  if (!present) return true;
  amount = decode_cents(cents);
  return amount.has_value();
}

bool decode_pot(const acts::PotTerms& message, PotConfig& pot) {
  const auto minimum = decode_cents(message.minimum_pot_cents());
  const auto contribution = decode_cents(message.contribution_cents());
  const auto qualifying = parse_hand_category(message.qualifying());
  if (!minimum || !contribution || !qualifying) return false;
  pot.minimum_pot = *minimum;
  pot.contribution = *contribution;
  pot.qualifying = PokerThreshold{*qualifying, message.qualifying_ranks()};
  if (!pot.qualifying.is_a_hand()) return false;
  pot.discontinuation = message.discontinuation();
  return decode_rate(message.losing_hand_ppm(), pot.losing_hand) &&
         decode_rate(message.winning_hand_ppm(), pot.winning_hand) &&
         decode_rate(message.table_ppm(), pot.table);
}

bool decode_link(const acts::Link& message, LinkConfig& link) {
  link.id = LinkId(message.id());
  link.wager = WagerId(message.wager());
  link.paytable = PaytableId(message.paytable());
  if (!decode_optional(message.has_unit_cents(), message.unit_cents(), link.unit) ||
      !decode_optional(message.has_minimum_cents(), message.minimum_cents(), link.minimum) ||
      !decode_optional(message.has_maximum_cents(), message.maximum_cents(), link.maximum) ||
      !decode_optional(message.has_payout_limit_cents(), message.payout_limit_cents(),
                       link.payout_limit)) {
    return false;
  }
  for (const acts::Level& level : message.levels()) {
    LevelConfig terms{LevelId(level.id()),
                      Amount::from_units(level.seed_units()),
                      Amount::from_units(level.reseed_units()),
                      {},
                      {}};
    if (level.has_limit_units()) terms.limit = Amount::from_units(level.limit_units());
    if (terms.seed < Amount() || terms.seed > limits::meter_max || terms.reseed < Amount() ||
        terms.reseed > limits::meter_max || (terms.limit && *terms.limit < terms.seed) ||
        !decode_rate(level.rate_ppm(), terms.rate)) {
      return false;
    }
    link.levels.push_back(std::move(terms));
  }
  link.payout_limit_caps_meter = message.payout_limit_caps_meter();
  for (const std::uint32_t table : message.tables()) link.tables.emplace_back(table);
  if (!decode_rate(message.reserve_ppm(), link.reserve_rate)) return false;
  return !message.has_pot() || decode_pot(message.pot(), link.pot.emplace());
}

bool decode_step(const acts::SignatureStep& message, SignatureStep& step) {
  const auto from = decode_cents(message.from_cents());
  for (const std::uint32_t number : message.roles()) {
    const auto role = decode_numbered(number, Role::auditor);
    if (!role) return false;
    step.roles.insert(*role);
  }
  if (!from) return false;
  step.from = *from;
  return true;
}

}  // namespace

void encode_threshold(const TaxThreshold& threshold, acts::TaxThreshold& message) {
  message.set_since_us(threshold.since.microseconds());
  message.set_date(threshold.date);
  message.set_amount_cents(threshold.amount.in_cents());
  message.set_ratio(threshold.ratio);
}

std::optional<TaxThreshold> decode_threshold(const acts::TaxThreshold& message) {
  const auto amount = decode_cents(message.amount_cents());
  if (!amount || message.ratio() < 0 || message.ratio() > limits::multiple_max) return std::nullopt;
  return TaxThreshold{Timestamp::from_microseconds(message.since_us()), message.date(), *amount,
                      message.ratio()};
}

void encode_floor(const Floor& floor, acts::Floor& message) {
  message.set_house(floor.house);
  for (const TableConfig& table : floor.tables) {
    acts::Table* added = message.add_tables();
    added->set_id(table.id.text());
    added->set_game(table.game.text());
    added->set_seats(table.seats);
    added->set_decks(static_cast<std::uint32_t>(table.decks));
    added->set_asset(table.asset);
    if (!table.draw_rate.is_whole()) {
      added->set_draw_ppm(static_cast<std::uint32_t>(table.draw_rate.ppm()));
    }
    if (table.pace != default_pace(table.game)) added->set_pace(table.pace);
  }
  for (const LinkConfig& link : floor.links) encode_link(link, *message.add_links());
  for (const SignatureStep& step : floor.second_signature) {
    acts::SignatureStep* added = message.add_second_signature();
    added->set_from_cents(step.from.in_cents());
    for (const Role role : step.roles) added->add_roles(static_cast<std::uint32_t>(role));
  }
  for (const TaxThreshold& threshold : floor.taxable) {
    encode_threshold(threshold, *message.add_taxable());
  }
}

bool decode_floor(const acts::Floor& message, Floor& floor) {
  floor.house = message.house();
  for (const acts::Table& table : message.tables()) {
    const auto seats = decode_integer<std::uint8_t>(table.seats());
    if (!seats || table.decks() > static_cast<std::uint32_t>(limits::decks_max)) return false;
    TableConfig terms{TableId(table.id()), GameId(table.game()), *seats,
                      static_cast<int>(table.decks()), table.asset()};
    if (table.has_draw_ppm() && !decode_rate(table.draw_ppm(), terms.draw_rate)) return false;
    terms.pace = table.has_pace() ? table.pace() : default_pace(terms.game);
    if (terms.pace < 1 || terms.pace > limits::pace_max) return false;
    floor.tables.push_back(std::move(terms));
  }
  for (const acts::Link& link : message.links()) {
    if (!decode_link(link, floor.links.emplace_back())) return false;
  }
  for (const acts::SignatureStep& step : message.second_signature()) {
    if (!decode_step(step, floor.second_signature.emplace_back())) return false;
  }
  for (const acts::TaxThreshold& one : message.taxable()) {
    const auto threshold = decode_threshold(one);
    if (!threshold) return false;
    floor.taxable.push_back(*threshold);
  }
  return true;
}

void encode_placed(const PlacedWager& wager, journal::PlacedWager& message) {
  message.set_seat(wager.seat.value());
  message.set_link(wager.link.value());
  message.set_amount_cents(wager.amount.in_cents());
  message.set_on_dealer(wager.on_dealer);
}

bool decode_placed(const google::protobuf::RepeatedPtrField<journal::PlacedWager>& messages,
                   std::vector<PlacedWager>& wagers) {
  wagers.reserve(static_cast<std::size_t>(messages.size()));
  for (const journal::PlacedWager& message : messages) {
    const auto seat = decode_seat(message.seat());
    const auto amount = decode_cents(message.amount_cents());
    if (!seat || !amount) return false;
    wagers.push_back(PlacedWager{*seat, LinkIndex(message.link()), *amount, message.on_dealer()});
  }
  return true;
}

}  // namespace linkmeter::parts
