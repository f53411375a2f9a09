#include "proto/codec/day_codec.h"

#include <utility>

#include "meters/values/limits.h"
#include "proto/codec/link_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {
namespace {

std::uint32_t number_of(GamingDay day) { return static_cast<std::uint32_t>(day.number()); }

template <class Message>
void encode_reading(const Reading& reading, Message& message) {
  for (std::uint32_t at = 0; at < reading.size(); ++at) {
    encode_link_book(reading[at].book, *message.add_links());
    for (std::uint32_t level = 0; level < reading[at].shown.size(); ++level) {
      if (!reading[at].shown[level]) continue;
      journal::SignAmount& shown = *message.add_shown();
      shown.set_link(at);
      shown.set_level(level);
      shown.set_cents(reading[at].shown[level]->in_cents());
    }
  }
}

template <class Message>
bool decode_reading(const Message& message, Reading& reading) {
  for (const journal::LinkReading& link : message.links()) {
    auto book = decode_link_book(link);
    if (!book) return false;
    LinkReading& added = reading.emplace_back(LinkReading{std::move(*book)});
    added.shown.resize(added.book.levels.size());
  }
  for (const journal::SignAmount& shown : message.shown()) {
    const auto amount = decode_cents(shown.cents());
    if (!amount || shown.link() >= reading.size() ||
        shown.level() >= reading[shown.link()].shown.size()) {
      return false;
    }
    reading[shown.link()].shown[shown.level()] = *amount;
  }
  return true;
}

template <class Counts>
void encode_counts(const std::vector<LinkCount>& counts, Counts* messages) {
  for (const LinkCount& count : counts) {
    journal::LinkCount& message = *messages->Add();
    message.set_link(count.link.value());
    message.set_rounds(count.rounds);
    message.set_wagers(count.wagers);
    message.set_handle_units(count.handle.units());
  }
}

template <class Counts>
std::vector<LinkCount> decode_counts(const Counts& messages) {
  std::vector<LinkCount> counts;
  for (const journal::LinkCount& message : messages) {
    counts.push_back({LinkIndex(message.link()), message.rounds(), message.wagers(),
                      Amount::from_units(message.handle_units())});
  }
  return counts;
}

}  // namespace

std::optional<GamingDay> decode_day(std::uint32_t number) {
  if (number > static_cast<std::uint32_t>(GamingDay::last_number)) return std::nullopt;
  return GamingDay::from_number(static_cast<std::int32_t>(number));
}

void encode_fact(const DayEnded& ended, journal::Entry& entry) {
  journal::DayEnded& fact = *entry.mutable_day_ended();
  fact.set_day(number_of(ended.day));
  fact.set_ends_at_us(ended.ends_at.microseconds());
  encode_reading(ended.reading, fact);
}
void encode_fact(const ReadingTaken& taken, journal::Entry& entry) {
  journal::ReadingTaken& fact = *entry.mutable_reading_taken();
  encode_reading(taken.reading, fact);
  for (const SeenAmount& seen : taken.seen) {
    journal::SignAmount& added = *fact.add_seen();
    added.set_link(seen.link.value());
    added.set_level(seen.level.value());
    added.set_cents(seen.amount.in_cents());
  }
  fact.set_note(taken.note);
  fact.set_by(taken.by.text());
}
void encode_fact(const CountersReported& told, journal::Entry& entry) {
  journal::CountersTold& fact = *entry.mutable_counters_told();
  fact.set_table(told.table.value());
  fact.set_from(told.from.value());
  fact.set_up_to(told.up_to.value());
  encode_counts(told.told, fact.mutable_told());
  encode_counts(told.counted, fact.mutable_counted());
}
void encode_fact(const CountRecorded& count, journal::Entry& entry) {
  journal::CountRecorded& fact = *entry.mutable_count_recorded();
  fact.set_day(number_of(count.day));
  fact.set_kind(static_cast<std::uint32_t>(count.kind));
  if (count.table) fact.set_table(count.table->value());
  fact.set_link(count.link.value());
  fact.set_cents(count.amount.in_cents());
  fact.set_note(count.note);
  fact.set_witness(count.witness.text());
  fact.set_by(count.by.text());
  fact.set_notice(count.notice);
  fact.set_recording(count.recording);
}
void encode_fact(const VarianceExplained& explained, journal::Entry& entry) {
  journal::VarianceExplained& fact = *entry.mutable_variance_explained();
  fact.set_day(number_of(explained.day));
  fact.set_item(explained.item);
  fact.set_difference(explained.difference);
  fact.set_note(explained.note);
  if (explained.corrected_by) fact.set_corrected_by(explained.corrected_by->value());
  fact.set_by(explained.by.text());
}
void encode_fact(const DaySigned& first, journal::Entry& entry) {
  journal::DaySigned& fact = *entry.mutable_day_signed();
  fact.set_day(number_of(first.day));
  fact.set_report(encode_digest(first.report));
  fact.set_by(first.by.text());
}
void encode_fact(const DayClosed& closed, journal::Entry& entry) {
  journal::DayClosed& fact = *entry.mutable_day_closed();
  fact.set_day(number_of(closed.day));
  fact.set_report(encode_digest(closed.report));
  fact.set_by(closed.by.text());
}
void encode_fact(const FundMoved& moved, journal::Entry& entry) {
  journal::FundMoved& fact = *entry.mutable_fund_moved();
  fact.set_day(number_of(moved.day));
  fact.set_link(moved.link.value());
  for (const TableIndex table : moved.tables) fact.add_tables(table.value());
  if (moved.verified) fact.set_cents(moved.verified->in_cents());
  fact.set_note(moved.note);
  fact.set_carried_by(moved.carried_by.text());
  fact.set_accounted_by(moved.accounted_by.text());
  fact.set_by(moved.by.text());
}
void encode_fact(const DisplayAdjusted& adjusted, journal::Entry& entry) {
  journal::DisplayAdjusted& fact = *entry.mutable_display_adjusted();
  fact.set_link(adjusted.link.value());
  fact.set_shown_cents(adjusted.shown.in_cents());
  fact.set_kept_cents(adjusted.kept.in_cents());
  fact.set_note(adjusted.note);
  fact.set_witness(adjusted.witness.text());
  fact.set_by(adjusted.by.text());
}

namespace {

std::optional<Fact> decode_fact(const journal::DayEnded& message) {
  const auto day = decode_day(message.day());
  if (!day) return std::nullopt;
  DayEnded fact{*day, Timestamp::from_microseconds(message.ends_at_us()), {}};
  if (!decode_reading(message, fact.reading)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::ReadingTaken& message) {
  ReadingTaken fact;
  if (!decode_reading(message, fact.reading)) return std::nullopt;
  for (const journal::SignAmount& seen : message.seen()) {
    const auto amount = decode_cents(seen.cents());
    LevelIndex level;
    if (!amount || !decode_level(seen.level(), level)) return std::nullopt;
    fact.seen.push_back({LinkIndex(seen.link()), level, *amount});
  }
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::CountersTold& message) {
  return CountersReported{TableIndex(message.table()), MessageNumber(message.from()),
                          MessageNumber(message.up_to()), decode_counts(message.told()),
                          decode_counts(message.counted())};
}

std::optional<Fact> decode_fact(const journal::CountRecorded& message) {
  const auto day = decode_day(message.day());
  const auto kind = decode_numbered(message.kind(), CountKind::chips);
  const auto amount = decode_cents(message.cents());
  if (!day || !kind || !amount) return std::nullopt;
  CountRecorded fact{*day,
                     *kind,
                     {},
                     LinkIndex(message.link()),
                     *amount,
                     message.note(),
                     Badge(message.witness()),
                     Badge(message.by()),
                     message.notice(),
                     message.recording()};
  if (message.has_table()) fact.table = TableIndex(message.table());
  return fact;
}

std::optional<Fact> decode_fact(const journal::VarianceExplained& message) {
  const auto day = decode_day(message.day());
  if (!day) return std::nullopt;
  VarianceExplained fact{*day, message.item(),     message.difference(), message.note(),
                         {},   Badge(message.by())};
  if (message.has_corrected_by()) fact.corrected_by = EntryNumber(message.corrected_by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::FundMoved& message) {
  const auto day = decode_day(message.day());
  if (!day) return std::nullopt;
  FundMoved fact{*day,
                 LinkIndex(message.link()),
                 {},
                 {},
                 message.note(),
                 Badge(message.carried_by()),
                 Badge(message.accounted_by()),
                 Badge(message.by())};
  for (const std::uint32_t table : message.tables()) fact.tables.emplace_back(table);
  if (!message.has_cents()) return fact;
  fact.verified = decode_cents(message.cents());
  if (!fact.verified) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::DisplayAdjusted& message) {
  const auto shown = decode_cents(message.shown_cents());
  const auto kept = decode_cents(message.kept_cents());
  if (!shown || !kept) return std::nullopt;
  return DisplayAdjusted{
      LinkIndex(message.link()), *shown, *kept, message.note(), Badge(message.witness()),
      Badge(message.by())};
}

// DaySigned or DayClosed.
template <class Signature, class Message>
std::optional<Fact> decode_signature(const Message& message) {
  const auto day = decode_day(message.day());
  Signature fact;
  if (!day || !decode_digest(message.report(), fact.report)) return std::nullopt;
  fact.day = *day;
  fact.by = Badge(message.by());
  return fact;
}

}  // namespace

std::optional<Fact> decode_day_fact(const journal::Entry& message) {
  switch (message.fact_case()) {
    case journal::Entry::kDayEnded: return decode_fact(message.day_ended());
    case journal::Entry::kReadingTaken: return decode_fact(message.reading_taken());
    case journal::Entry::kCountersTold: return decode_fact(message.counters_told());
    case journal::Entry::kCountRecorded: return decode_fact(message.count_recorded());
    case journal::Entry::kVarianceExplained: return decode_fact(message.variance_explained());
    case journal::Entry::kDaySigned: return decode_signature<DaySigned>(message.day_signed());
    case journal::Entry::kDayClosed: return decode_signature<DayClosed>(message.day_closed());
    case journal::Entry::kFundMoved: return decode_fact(message.fund_moved());
    case journal::Entry::kDisplayAdjusted: return decode_fact(message.display_adjusted());
    default: return std::nullopt;
  }
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
