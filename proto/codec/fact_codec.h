// Fact codec: the fact of an entry as the journal writes it; a part of journal_codec. Rounds, hands
// and pots are in table_fact_codec.
#pragma once

#include <optional>

#include "meters/facts/entry.h"

namespace linkmeter::journal {
class ClockDoubted;
class Entry;
class HistoryRestored;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_entry_fact(const Fact& fact, journal::Entry& entry);
// nullopt: the entry holds no fact, or one that does not decode.
std::optional<Fact> decode_entry_fact(const journal::Entry& message);

// The state tables hold these too.
void encode_doubted(const ClockDoubted& fact, journal::ClockDoubted& message);
std::optional<ClockDoubted> decode_doubted(const journal::ClockDoubted& message);
void encode_restored(const HistoryRestored& fact, journal::HistoryRestored& message);
std::optional<HistoryRestored> decode_restored(const journal::HistoryRestored& message);

}  // namespace linkmeter::parts
