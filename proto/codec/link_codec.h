// Link codec: the balances of a link, as readings in the journal and the state tables hold them.
#pragma once

#include <optional>

#include "meters/balances/link_balances.h"
#include "meters/balances/posting.h"
#include "proto/codec/field_codec.h"

namespace linkmeter {

bool serialize(Of<PoolBalances> auto& pool, auto& message) {
  return FIELD(pool.held, held_units) && FIELD(pool.withheld, withheld_units) &&
         FIELD(pool.pending, pending_units) && FIELD(pool.paid, paid_units) &&
         FIELD(pool.contributed, contributed_units) && FIELD(pool.seeded, seeded_units) &&
         FIELD(pool.corrected, corrected_units) && FIELD(pool.transferred, transferred_units) &&
         FIELD(pool.overflowed, overflowed_units) &&
         FIELD(pool.contributed_before, contributed_before_units);
}

bool serialize(Of<LevelBalances> auto& level, auto& message) {
  return FIELD(level.pool, pool) && FIELD(level.hits, hits) &&
         FIELD(level.partial_hits, partial_hits) && FIELD(level.last_hit, calls);
}

bool serialize(Of<TableCount> auto& count, auto& message) {
  return FIELD(count.table, table) && FIELD(count.rounds, rounds) && FIELD(count.wagers, wagers) &&
         FIELD(count.handle, handle_units) &&
         FIELD(count.paid.by_attendant, attendant_paid_units) &&
         FIELD(count.paid.by_device, device_paid_units) && FIELD(count.paid.in_all, paid_units);
}

bool serialize(Of<LinkLifecycle> auto& ending, auto& message) {
  // Its amount went to a link: to one of its levels, or to the reserve.
  std::optional<LinkIndex> link;
  std::optional<LevelIndex> level;
  if (ending.went_to) {
    link = ending.went_to->link;
    if (!ending.went_to->pool.is_reserve()) level = ending.went_to->pool.level_index();
  }
  if (!FIELD(ending.stopped, stopped_with) || !FIELD(ending.ended, ended_with) ||
      !FIELD(link, went_to) || (link && !FIELD(level, went_to_level))) {
    return false;
  }
  if constexpr (IsRead<decltype(message)>) {
    if (link) ending.went_to = PoolRef{*link, level ? Pool::level(*level) : Pool::reserve()};
  }
  return true;
}

bool serialize(Of<LinkBalances> auto& book, auto& message) {
  return FIELD(book.levels, levels) && FIELD(book.reserve, reserve) &&
         FIELD(book.suspended, suspended) && FIELD(book.pending_adjustment, pending_adjustment) &&
         FIELD(book.handle_before, handle_before_units) && serialize(book.ending, message) &&
         FIELD(book.tables, tables);
}

}  // namespace linkmeter
