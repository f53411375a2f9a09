// Day codec: what the state tables keep of a gaming day; a part of state_codec.
#pragma once

#include "meters/facts/day_facts.h"
#include "proto/codec/field_codec.h"

namespace linkmeter {

bool serialize(Of<DayRecord> auto& record, auto& message) {
  if constexpr (IsRead<decltype(message)>) {
    for (const auto& said : message.said()) {
      record.said[{Badge(said.by()), said.item()}] = said.count();
    }
  } else {
    for (const auto& [what, count] : record.said) {
      auto& said = *message.add_said();
      said.set_by(what.first.text());
      said.set_item(what.second);
      said.set_count(count);
    }
  }
  return FIELD(record.day, day) && FIELD(record.ended, ended) &&
         FIELD(record.ends_at, ends_at_us) && FIELD(record.facts, facts) &&
         FIELD(record.signed_by, signed_by) && FIELD(record.signed_with, signed_with) &&
         FIELD(record.report, report) && FIELD(record.closed_by, closed_by) &&
         FIELD(record.closed_with, closed_with) &&
         record.facts.size() <= limits::day_facts_stored_max;
}

}  // namespace linkmeter
