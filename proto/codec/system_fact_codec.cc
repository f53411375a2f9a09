#include "proto/codec/system_fact_codec.h"

#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

void encode_fact(const SelfChecked& checked, journal::Entry& entry) {
  journal::SelfChecked& fact = *entry.mutable_self_checked();
  fact.set_passed(checked.failures.empty());
  for (const SelfChecked::Failure& failure : checked.failures) {
    journal::FailedCheck& added = *fact.add_failures();
    added.set_check(failure.check);
    added.set_words(failure.words);
  }
  if (checked.manifest != Digest{}) fact.set_manifest(encode_digest(checked.manifest));
  fact.set_verified(checked.verified.value());
  fact.set_head(encode_digest(checked.head));
  fact.set_quick(checked.quick);
  fact.set_version(checked.version);
  fact.set_clock_synchronised(checked.clock_synchronised);
}
void encode_fact(const ClockChanged& changed, journal::Entry& entry) {
  entry.mutable_clock_changed()->set_by_us(changed.by_us);
}
void encode_fact(const HeadSigned& signing, journal::Entry& entry) {
  journal::HeadSigned& fact = *entry.mutable_head_signed();
  fact.set_head(signing.head.value());
  fact.set_hash(encode_digest(signing.hash));
  fact.set_key(encode_digest(signing.key));
  fact.set_signature(signing.signature);
}
void encode_fact(const HistoryRestored& restored, journal::Entry& entry) {
  encode_restored(restored, *entry.mutable_history_restored());
}
void encode_fact(const ClockDoubted& doubted, journal::Entry& entry) {
  encode_doubted(doubted, *entry.mutable_clock_doubted());
}
void encode_fact(const ClockReturned& returned, journal::Entry& entry) {
  entry.mutable_clock_returned()->set_doubted(returned.doubted.value());
}

void encode_doubted(const ClockDoubted& fact, journal::ClockDoubted& message) {
  message.set_fault(static_cast<std::uint32_t>(fact.fault));
  message.set_by_us(fact.by_us);
}

std::optional<ClockDoubted> decode_doubted(const journal::ClockDoubted& message) {
  const auto fault = decode_numbered(message.fault(), ClockFault::unsynchronised);
  if (!fault) return std::nullopt;
  return ClockDoubted{*fault, message.by_us()};
}

void encode_restored(const HistoryRestored& fact, journal::HistoryRestored& message) {
  message.set_ended_with(fact.ended_with.value());
  message.set_hash(encode_digest(fact.hash));
  message.set_restored_at_us(fact.restored_at.microseconds());
  message.set_backup_made_at_us(fact.backup_made_at.microseconds());
}

std::optional<HistoryRestored> decode_restored(const journal::HistoryRestored& message) {
  HistoryRestored fact;
  fact.ended_with = EntryNumber(message.ended_with());
  fact.restored_at = Timestamp::from_microseconds(message.restored_at_us());
  fact.backup_made_at = Timestamp::from_microseconds(message.backup_made_at_us());
  if (!decode_digest(message.hash(), fact.hash)) return std::nullopt;
  return fact;
}

namespace {

std::optional<Fact> decode_fact(const journal::SelfChecked& message) {
  SelfChecked fact;
  // Said twice, so that no reader takes a check for passed because he knows no failures.
  if (message.passed() == (message.failures_size() > 0)) return std::nullopt;
  for (const journal::FailedCheck& failure : message.failures()) {
    fact.failures.push_back({failure.check(), failure.words()});
  }
  if (!message.manifest().empty() && !decode_digest(message.manifest(), fact.manifest)) {
    return std::nullopt;
  }
  if (!decode_digest(message.head(), fact.head)) return std::nullopt;
  fact.verified = EntryNumber(message.verified());
  fact.quick = message.quick();
  fact.version = message.version();
  fact.clock_synchronised = message.clock_synchronised();
  return fact;
}

std::optional<Fact> decode_fact(const journal::HeadSigned& message) {
  HeadSigned fact{EntryNumber(message.head()), {}, {}, message.signature()};
  if (!decode_digest(message.hash(), fact.hash) || !decode_digest(message.key(), fact.key)) {
    return std::nullopt;
  }
  return fact;
}

}  // namespace

std::optional<Fact> decode_system_fact(const journal::Entry& message) {
  if (message.fact_case() == journal::Entry::kSelfChecked) {
    return decode_fact(message.self_checked());
  }
  if (message.fact_case() == journal::Entry::kClockDoubted) {
    return decode_doubted(message.clock_doubted());
  }
  if (message.fact_case() == journal::Entry::kClockReturned) {
    return ClockReturned{EntryNumber(message.clock_returned().doubted())};
  }
  if (message.fact_case() == journal::Entry::kHeadSigned) {
    return decode_fact(message.head_signed());
  }
  if (message.fact_case() == journal::Entry::kHistoryRestored) {
    return decode_restored(message.history_restored());
  }
  return ClockChanged{message.clock_changed().by_us()};
}

}  // namespace linkmeter::parts
