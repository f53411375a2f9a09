#include "proto/codec/feed_codec.h"

#include "meters/values/limits.h"
#include "proto/wire.pb.h"

namespace linkmeter {
namespace {

bool is_amount(std::int64_t cents) { return cents >= 0 && cents <= limits::meter_max.in_cents(); }

void encode_award(const MeterUpdate::Award& award, wire::LastAward& body) {
  body.set_claim(award.claim);
  body.set_table(award.table);
  body.set_asset(award.asset);
  body.set_seat(award.seat);
  body.set_line(award.line);
  body.set_level(award.level);
  body.set_amount_cents(award.amount_cents);
  body.set_state(award.state);
  body.set_raised_at_us(award.raised_at_us);
  if (award.new_amount_cents) body.set_new_amount_cents(*award.new_amount_cents);
  for (const MeterUpdate::Share& share : award.shares) {
    wire::AwardShare& part = *body.add_shares();
    part.set_seat(share.seat);
    part.set_amount_cents(share.amount_cents);
  }
}

// nullopt: an amount that no meter can have.
std::optional<MeterUpdate::Award> decode_award(const wire::LastAward& body) {
  if (!is_amount(body.amount_cents()) || !is_amount(body.new_amount_cents())) return std::nullopt;
  MeterUpdate::Award award{body.claim(),
                           body.table(),
                           body.asset(),
                           body.seat(),
                           body.line(),
                           body.level(),
                           body.amount_cents(),
                           body.state(),
                           body.raised_at_us(),
                           {},
                           {}};
  if (body.has_new_amount_cents()) award.new_amount_cents = body.new_amount_cents();
  for (const wire::AwardShare& part : body.shares()) {
    if (!is_amount(part.amount_cents())) return std::nullopt;
    award.shares.push_back({part.seat(), part.amount_cents()});
  }
  return award;
}

}  // namespace

std::string encode(const MeterUpdate& update) {
  wire::MeterUpdate body;
  body.set_link(update.link);
  body.set_sequence(update.sequence);
  body.set_as_of_us(update.as_of_us);
  body.set_maximum_age_ms(update.maximum_age_ms);
  body.set_status(update.status);
  body.set_pending_adjustment(update.pending_adjustment);
  body.set_collecting_ended(update.collecting_ended);
  body.set_discontinued(update.discontinued);
  body.set_went_to(update.went_to);
  if (update.unit_cents) body.set_unit_cents(*update.unit_cents);
  for (const MeterUpdate::Level& level : update.levels) {
    wire::LevelUpdate& part = *body.add_levels();
    part.set_level(level.level);
    part.set_amount_cents(level.amount_cents);
  }
  for (const MeterUpdate::Table& table : update.tables) {
    wire::TableStatus& part = *body.add_tables();
    part.set_table(table.table);
    part.set_state(table.state);
    part.set_since_us(table.since_us);
  }
  if (update.last_award) encode_award(*update.last_award, *body.mutable_last_award());
  for (const MeterUpdate::Award& award : update.awards) encode_award(award, *body.add_awards());
  return body.SerializeAsString();
}

std::optional<MeterUpdate> decode_meter_update(std::string_view bytes) {
  wire::MeterUpdate body;
  if (!body.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  if (body.as_of_us() < 0) return std::nullopt;
  MeterUpdate update{
      body.link(),   body.sequence(),           body.as_of_us(),         body.maximum_age_ms(),
      body.status(), body.pending_adjustment(), body.collecting_ended(), body.discontinued(),
      body.went_to()};
  if (body.has_unit_cents()) update.unit_cents = body.unit_cents();
  for (const wire::LevelUpdate& part : body.levels()) {
    if (!is_amount(part.amount_cents())) return std::nullopt;
    update.levels.push_back({part.level(), part.amount_cents()});
  }
  for (const wire::TableStatus& part : body.tables()) {
    update.tables.push_back({part.table(), part.state(), part.since_us()});
  }
  if (body.has_last_award()) {
    update.last_award = decode_award(body.last_award());
    if (!update.last_award) return std::nullopt;
  }
  for (const wire::LastAward& part : body.awards()) {
    auto award = decode_award(part);
    if (!award) return std::nullopt;
    update.awards.push_back(std::move(*award));
  }
  return update;
}

}  // namespace linkmeter
