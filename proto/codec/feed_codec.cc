#include "proto/codec/feed_codec.h"

#include "meters/values/limits.h"
#include "proto/codec/field_codec.h"
#include "proto/wire.pb.h"

namespace linkmeter {

namespace {

// Whether a meter can have so many cents.
bool is_amount(std::int64_t cents) { return cents >= 0 && cents <= limits::meter_max.in_cents(); }

}  // namespace

bool serialize(Of<MeterUpdate::Share> auto& share, auto& message) {
  return FIELD(share.seat, seat) && FIELD(share.amount_cents, amount_cents) &&
         is_amount(share.amount_cents);
}

bool serialize(Of<MeterUpdate::Award> auto& award, auto& message) {
  return FIELD(award.claim, claim) && FIELD(award.table, table) && FIELD(award.asset, asset) &&
         FIELD(award.seat, seat) && FIELD(award.line, line) && FIELD(award.level, level) &&
         FIELD(award.amount_cents, amount_cents) && FIELD(award.state, state) &&
         FIELD(award.raised_at_us, raised_at_us) &&
         FIELD(award.new_amount_cents, new_amount_cents) && FIELD(award.shares, shares) &&
         is_amount(award.amount_cents) && is_amount(award.new_amount_cents.value_or(0));
}

bool serialize(Of<MeterUpdate::Level> auto& level, auto& message) {
  return FIELD(level.level, level) && FIELD(level.amount_cents, amount_cents) &&
         is_amount(level.amount_cents);
}

bool serialize(Of<MeterUpdate::Table> auto& table, auto& message) {
  return FIELD(table.table, table) && FIELD(table.state, state) && FIELD(table.since_us, since_us);
}

bool serialize(Of<MeterUpdate> auto& update, auto& message) {
  return FIELD(update.link, link) && FIELD(update.sequence, sequence) &&
         FIELD(update.as_of_us, as_of_us) && FIELD(update.maximum_age_ms, maximum_age_ms) &&
         FIELD(update.status, status) && FIELD(update.pending_adjustment, pending_adjustment) &&
         FIELD(update.collecting_ended, collecting_ended) &&
         FIELD(update.discontinued, discontinued) && FIELD(update.went_to, went_to) &&
         FIELD(update.node, node) && FIELD(update.lag_us, lag_us) &&
         FIELD(update.unit_cents, unit_cents) && FIELD(update.levels, levels) &&
         FIELD(update.tables, tables) && FIELD(update.last_award, last_award) &&
         FIELD(update.awards, awards) && update.as_of_us >= 0;
}

std::string encode(const MeterUpdate& update) {
  wire::MeterUpdate message;
  serialize(update, message);
  return message.SerializeAsString();
}

std::optional<MeterUpdate> decode_meter_update(std::string_view bytes) {
  wire::MeterUpdate message;
  MeterUpdate update;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !serialize(update, std::as_const(message))) {
    return std::nullopt;
  }
  return update;
}

}  // namespace linkmeter
