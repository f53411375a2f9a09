// Fact codec: the fact of an entry as the journal writes it; a part of journal_codec.
#pragma once

#include "meters/facts/entry.h"
#include "proto/codec/field_codec.h"

namespace linkmeter::journal {
class Entry;
}  // namespace linkmeter::journal

namespace linkmeter {

// Reading gives false if the entry holds no fact, or one that does not decode.
bool serialize(const Fact& fact, journal::Entry& message);
bool serialize(Fact& fact, const journal::Entry& message);

// The state tables hold these too.
bool serialize(Of<ClockDoubted> auto& fact, auto& message) {
  return FIELD(fact.fault, fault) && FIELD(fact.by_us, by_us);
}
bool serialize(Of<HistoryRestored> auto& fact, auto& message) {
  return FIELD(fact.ended_with, ended_with) && FIELD(fact.hash, hash) &&
         FIELD(fact.restored_at, restored_at_us) && FIELD(fact.backup_made_at, backup_made_at_us);
}
bool serialize(Of<WriterChanged> auto& fact, auto& message) {
  return FIELD(fact.node, node) && FIELD(fact.epoch, epoch) && FIELD(fact.reason, reason) &&
         FIELD(fact.before, before) && FIELD(fact.gap_us, gap_us);
}

}  // namespace linkmeter
