// System fact codec: what the controller found of itself, as the journal writes it; a part of
// journal_codec.
#pragma once

#include <optional>

#include "meters/facts/entry.h"

namespace linkmeter::journal {
class Entry;
class ClockDoubted;
class HistoryRestored;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_fact(const SelfChecked& fact, journal::Entry& entry);
void encode_fact(const ClockChanged& fact, journal::Entry& entry);
void encode_fact(const HeadSigned& fact, journal::Entry& entry);
void encode_fact(const HistoryRestored& fact, journal::Entry& entry);
void encode_fact(const ClockDoubted& fact, journal::Entry& entry);
void encode_fact(const ClockReturned& fact, journal::Entry& entry);
void encode_doubted(const ClockDoubted& fact, journal::ClockDoubted& message);
std::optional<ClockDoubted> decode_doubted(const journal::ClockDoubted& message);
void encode_restored(const HistoryRestored& fact, journal::HistoryRestored& message);
std::optional<HistoryRestored> decode_restored(const journal::HistoryRestored& message);

// REQUIRES: the entry holds one of these.
std::optional<Fact> decode_system_fact(const journal::Entry& message);

}  // namespace linkmeter::parts
