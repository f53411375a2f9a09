// Day codec: the facts of gaming days as the journal writes them (a part of journal_codec), and
// what the state tables keep of a day.
#pragma once

#include <optional>

#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"

namespace linkmeter::journal {
class Entry;
}  // namespace linkmeter::journal

namespace linkmeter::state {
class DayRecord;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_fact(const DayEnded& fact, journal::Entry& entry);
void encode_fact(const ReadingTaken& fact, journal::Entry& entry);
void encode_fact(const CountersReported& fact, journal::Entry& entry);
void encode_fact(const CountRecorded& fact, journal::Entry& entry);
void encode_fact(const VarianceExplained& fact, journal::Entry& entry);
void encode_fact(const DaySigned& fact, journal::Entry& entry);
void encode_fact(const DayClosed& fact, journal::Entry& entry);
void encode_fact(const FundMoved& fact, journal::Entry& entry);
void encode_fact(const DisplayAdjusted& fact, journal::Entry& entry);

// REQUIRES: the entry holds one of these.
std::optional<Fact> decode_day_fact(const journal::Entry& message);

void encode_day_record(const DayRecord& record, state::DayRecord& message);
std::optional<DayRecord> decode_day_record(const state::DayRecord& message);

// Nullopt: no number of a day.
std::optional<GamingDay> decode_day(std::uint32_t number);

}  // namespace linkmeter::parts
