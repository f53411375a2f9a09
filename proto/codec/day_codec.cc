#include "proto/codec/day_codec.h"

#include "meters/values/limits.h"
#include "proto/codec/parts_codec.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {

std::uint32_t number_of(GamingDay day) { return static_cast<std::uint32_t>(day.number()); }

std::optional<GamingDay> decode_day(std::uint32_t number) {
  if (number > static_cast<std::uint32_t>(GamingDay::last_number)) return std::nullopt;
  return GamingDay::from_number(static_cast<std::int32_t>(number));
}

void encode_day_record(const DayRecord& record, state::DayRecord& message) {
  message.set_day(number_of(record.day));
  message.set_ended(record.ended.value());
  message.set_ends_at_us(record.ends_at.microseconds());
  for (const EntryNumber fact : record.facts) message.add_facts(fact.value());
  message.set_signed_by(record.signed_by.text());
  message.set_signed_with(record.signed_with.value());
  message.set_report(encode_digest(record.report));
  message.set_closed_by(record.closed_by.text());
  message.set_closed_with(record.closed_with.value());
  for (const auto& [what, count] : record.said) {
    state::Said& said = *message.add_said();
    said.set_by(what.first.text());
    said.set_item(what.second);
    said.set_count(count);
  }
}

std::optional<DayRecord> decode_day_record(const state::DayRecord& message) {
  const auto day = decode_day(message.day());
  if (!day || static_cast<std::size_t>(message.facts_size()) > limits::day_facts_stored_max) {
    return std::nullopt;
  }
  DayRecord record{*day, EntryNumber(message.ended()),
                   Timestamp::from_microseconds(message.ends_at_us())};
  for (const std::uint64_t fact : message.facts()) record.facts.emplace_back(fact);
  record.signed_by = Badge(message.signed_by());
  record.signed_with = EntryNumber(message.signed_with());
  if (!decode_digest(message.report(), record.report)) return std::nullopt;
  record.closed_by = Badge(message.closed_by());
  record.closed_with = EntryNumber(message.closed_with());
  for (const state::Said& said : message.said()) {
    record.said[{Badge(said.by()), said.item()}] = said.count();
  }
  return record;
}

}  // namespace linkmeter::parts
