#include "proto/codec/fact_codec.h"

#include <utility>
#include <vector>

#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/day_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/link_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/codec/table_fact_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

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

// ---- the floor ----------------------------------------------------------------------------------

void encode_fact(const FloorOpened& opened, journal::Entry& entry) {
  journal::FloorOpened& fact = *entry.mutable_floor_opened();
  encode_floor(opened.floor, *fact.mutable_floor());
  fact.set_floor_text(opened.floor_text);
  for (const std::string& text : opened.catalogue_texts) fact.add_catalogue_texts(text);
  for (const Person& person : opened.people) encode_person(person, *fact.add_people());
  for (const Enrolment& enrolment : opened.enrolments) {
    encode_enrolment(enrolment, *fact.add_enrolments());
  }
  fact.set_seal_key(opened.seal_key);
  fact.set_journal_key(opened.journal_key);
  for (const Digest& code : opened.recovery_codes) {
    fact.add_recovery_codes(encode_digest(code));
  }
}

std::optional<Fact> decode_fact(const journal::FloorOpened& message) {
  FloorOpened fact;
  if (!decode_floor(message.floor(), fact.floor)) return std::nullopt;
  fact.floor_text = message.floor_text();
  fact.catalogue_texts.assign(message.catalogue_texts().begin(), message.catalogue_texts().end());
  for (const acts::Person& one : message.people()) {
    const auto person = decode_person(one);
    if (!person) return std::nullopt;
    fact.people.push_back(*person);
  }
  for (const acts::Enrolment& one : message.enrolments()) {
    auto enrolment = decode_enrolment(one);
    if (!enrolment) return std::nullopt;
    fact.enrolments.push_back(std::move(*enrolment));
  }
  fact.seal_key = message.seal_key();
  fact.journal_key = message.journal_key();
  if (fact.journal_key.size() > limits::journal_key_bytes_max) return std::nullopt;
  if (!fact.seal_key.empty() && fact.seal_key.size() != limits::seal_key_bytes) return std::nullopt;
  for (const std::string& code : message.recovery_codes()) {
    if (!decode_digest(code, fact.recovery_codes.emplace_back())) return std::nullopt;
  }
  return fact;
}

// ---- tables -------------------------------------------------------------------------------------

void encode_fact(const MessageRefused& no, journal::Entry& entry) {
  entry.mutable_message_refused()->set_refusal(static_cast<std::uint32_t>(no.refusal));
}

std::optional<Fact> decode_fact(const journal::MessageRefused& message) {
  const auto number = decode_integer<std::uint8_t>(message.refusal());
  if (!number) return std::nullopt;
  return MessageRefused{static_cast<Refusal>(*number)};
}

// ---- claims and slips ---------------------------------------------------------------------------

void encode_fact(const ClaimValidated& validated, journal::Entry& entry) {
  entry.mutable_claim_validated()->set_claim(validated.claim.value());
  entry.mutable_claim_validated()->set_by(validated.by.text());
  entry.mutable_claim_validated()->set_posts_notice(validated.posts_notice);
  entry.mutable_claim_validated()->set_notified(validated.notified.text());
  encode_awards(validated.envy, entry.mutable_claim_validated()->mutable_envy());
}
void encode_fact(const ClaimCountersigned& countersigned, journal::Entry& entry) {
  entry.mutable_claim_countersigned()->set_claim(countersigned.claim.value());
  entry.mutable_claim_countersigned()->set_by(countersigned.by.text());
}
void encode_fact(const ClaimPaid& paid, journal::Entry& entry) {
  journal::ClaimPaid& fact = *entry.mutable_claim_paid();
  fact.set_claim(paid.claim.value());
  fact.set_source(static_cast<std::uint32_t>(paid.source) + 1);
  fact.set_by(paid.by.text());
  fact.set_slip(paid.slip.value());
}
void encode_fact(const SlipIssued& issued, journal::Entry& entry) {
  journal::SlipIssued& fact = *entry.mutable_slip_issued();
  fact.set_slip(issued.slip.value());
  fact.set_claim(issued.claim.value());
  fact.set_source(static_cast<std::uint32_t>(issued.source) + 1);
  fact.set_amount_cents(issued.amount.in_cents());
  fact.set_wager_cents(issued.wager.in_cents());
  fact.set_taxable(issued.taxable);
  if (issued.threshold) encode_threshold(*issued.threshold, *fact.mutable_threshold());
  fact.set_by(issued.by.text());
}
void encode_fact(const SlipVoided& voided, journal::Entry& entry) {
  journal::SlipVoided& fact = *entry.mutable_slip_voided();
  fact.set_slip(voided.slip.value());
  fact.set_reason(static_cast<std::uint32_t>(voided.reason));
  fact.set_note(voided.note);
  fact.set_by(voided.by.text());
}
void encode_fact(const SlipStored& stored, journal::Entry& entry) {
  entry.mutable_slip_stored()->set_slip(stored.slip.value());
  entry.mutable_slip_stored()->set_digest(encode_digest(stored.digest));
}

std::optional<Fact> decode_fact(const journal::ClaimValidated& message) {
  ClaimValidated fact{ClaimNumber(message.claim()),
                      Badge(message.by()),
                      message.posts_notice(),
                      Badge(message.notified()),
                      {}};
  if (!decode_awards(message.envy(), fact.envy)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::ClaimPaid& message) {
  const auto source = decode_source(message.source());
  if (!source) return std::nullopt;
  return ClaimPaid{ClaimNumber(message.claim()), *source, Badge(message.by()),
                   SlipNumber(message.slip())};
}

std::optional<Fact> decode_fact(const journal::SlipIssued& message) {
  const auto source = decode_source(message.source());
  const auto amount = decode_cents(message.amount_cents());
  const auto wager = decode_cents(message.wager_cents());
  if (!source || !amount || !wager) return std::nullopt;
  SlipIssued fact{SlipNumber(message.slip()),
                  ClaimNumber(message.claim()),
                  *source,
                  *amount,
                  *wager,
                  message.taxable(),
                  std::nullopt,
                  Badge(message.by())};
  if (message.has_threshold() && !(fact.threshold = decode_threshold(message.threshold()))) {
    return std::nullopt;
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::SlipVoided& message) {
  const auto reason = decode_numbered(message.reason(), VoidReason::other_error);
  if (!reason) return std::nullopt;
  return SlipVoided{SlipNumber(message.slip()), *reason, message.note(), Badge(message.by())};
}

std::optional<Fact> decode_fact(const journal::SlipStored& message) {
  SlipStored fact{SlipNumber(message.slip())};
  if (!decode_digest(message.digest(), fact.digest)) return std::nullopt;
  return fact;
}

// ---- people -------------------------------------------------------------------------------------

void encode_fact(const ClaimRejected& rejected, journal::Entry& entry) {
  journal::ClaimRejected& fact = *entry.mutable_claim_rejected();
  fact.set_claim(rejected.claim.value());
  fact.set_reason(static_cast<std::uint32_t>(rejected.reason));
  fact.set_note(rejected.note);
  fact.set_restored(rejected.restored);
  fact.set_by(rejected.by.text());
  encode_awards(rejected.envy, fact.mutable_envy());
  encode_awards(rejected.reversed, fact.mutable_reversed());
  if (rejected.calls != CallReversal{}) encode_reversal(rejected.calls, *fact.mutable_calls());
}
void encode_fact(const LinkSuspended& suspended, journal::Entry& entry) {
  journal::LinkSuspended& fact = *entry.mutable_link_suspended();
  fact.set_link(suspended.link.value());
  fact.set_note(suspended.note);
  fact.set_by(suspended.by.text());
}
void encode_fact(const TableFrozen& frozen, journal::Entry& entry) {
  journal::TableFrozen& fact = *entry.mutable_table_frozen();
  fact.set_table(frozen.table.value());
  fact.set_note(frozen.note);
  fact.set_by(frozen.by.text());
}
void encode_fact(const NoticePosted& notice, journal::Entry& entry) {
  journal::NoticePosted& fact = *entry.mutable_notice_posted();
  fact.set_link(notice.link.value());
  fact.set_posted(notice.posted);
  fact.set_by(notice.by.text());
}
void encode_fact(const PinChanged& changed, journal::Entry& entry) {
  entry.mutable_pin_changed()->set_by(changed.by.text());
  entry.mutable_pin_changed()->set_pin(changed.pin);
  entry.mutable_pin_changed()->set_old_pin(changed.old_pin);
}
void encode_fact(const SignedIn& signed_in, journal::Entry& entry) {
  entry.mutable_signed_in()->set_badge(signed_in.badge.text());
}
void encode_fact(const SignInFailed& failed, journal::Entry& entry) {
  journal::SignInFailed& fact = *entry.mutable_sign_in_failed();
  fact.set_badge(failed.badge.text());
  if (failed.locked_until) fact.set_locked_until_us(failed.locked_until->microseconds());
}
void encode_fact(const Recovered& recovered, journal::Entry& entry) {
  journal::Recovered& fact = *entry.mutable_recovered();
  fact.set_badge(recovered.badge.text());
  fact.set_pin(recovered.pin);
  for (const std::uint32_t code : recovered.codes) fact.add_codes(code);
}
void encode_fact(const RecoveryFailed& failed, journal::Entry& entry) {
  entry.mutable_recovery_failed()->set_badge(failed.badge.text());
  entry.mutable_recovery_failed()->set_wait_until_us(failed.wait_until.microseconds());
}
void encode_fact(const PinsTried& counted, journal::Entry& entry) {
  journal::PinsTried& fact = *entry.mutable_pins_tried();
  for (const PinsTried::Tries& one : counted.tries) {
    journal::PinTries& tries = *fact.add_tries();
    tries.set_badge(one.badge.text());
    tries.set_count(one.count);
  }
}
void encode_fact(const ActProposed& proposed, journal::Entry& entry) {
  journal::ActProposed& fact = *entry.mutable_act_proposed();
  fact.set_proposal(proposed.proposal.value());
  encode_act(proposed.act, *fact.mutable_act());
  fact.set_by(proposed.by.text());
}
void encode_fact(const ActConfirmed& confirmed, journal::Entry& entry) {
  journal::ActConfirmed& fact = *entry.mutable_act_confirmed();
  fact.set_proposal(confirmed.proposal.value());
  encode_act(confirmed.act, *fact.mutable_act());
  fact.set_proposed_by(confirmed.proposed_by.text());
  fact.set_by(confirmed.by.text());
}
void encode_fact(const CommandRejected& no, journal::Entry& entry) {
  journal::ActRefused& fact = *entry.mutable_act_refused();
  fact.set_act(no.act);
  fact.set_refusal(static_cast<std::uint32_t>(no.refusal));
  fact.set_by(no.by.text());
  fact.set_about(no.about);
}

std::optional<Fact> decode_fact(const journal::ClaimRejected& message) {
  const auto reason = decode_numbered(message.reason(), RejectReason::game_protection);
  if (!reason) return std::nullopt;
  ClaimRejected rejected{ClaimNumber(message.claim()),
                         *reason,
                         message.note(),
                         message.restored(),
                         Badge(message.by()),
                         decode_reversal(message.calls())};
  if (!decode_awards(message.envy(), rejected.envy) ||
      !decode_awards(message.reversed(), rejected.reversed)) {
    return std::nullopt;
  }
  return rejected;
}

std::optional<Fact> decode_fact(const journal::ActProposed& message) {
  auto act = decode_act(message.act());
  if (!act) return std::nullopt;
  return ActProposed{ProposalNumber(message.proposal()), std::move(*act), Badge(message.by())};
}

std::optional<Fact> decode_fact(const journal::ActConfirmed& message) {
  auto act = decode_act(message.act());
  if (!act) return std::nullopt;
  return ActConfirmed{ProposalNumber(message.proposal()), std::move(*act),
                      Badge(message.proposed_by()), Badge(message.by())};
}

std::optional<Fact> decode_fact(const journal::SignInFailed& message) {
  SignInFailed fact{Badge(message.badge())};
  if (message.has_locked_until_us()) {
    fact.locked_until = Timestamp::from_microseconds(message.locked_until_us());
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::PinsTried& message) {
  PinsTried fact;
  for (const journal::PinTries& one : message.tries()) {
    fact.tries.push_back({Badge(one.badge()), one.count()});
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::ActRefused& message) {
  const auto number = decode_integer<std::uint8_t>(message.refusal());
  if (!number) return std::nullopt;
  return CommandRejected{message.act(), static_cast<Refusal>(*number), Badge(message.by()),
                         message.about()};
}

// ---- gaming days --------------------------------------------------------------------------------

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

// ---- the system ---------------------------------------------------------------------------------

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

std::optional<Fact> decode_fact(const journal::SelfChecked& message) {
  SelfChecked fact;
  // Redundant on purpose: a reader that does not know the failures must not take the check for
  // passed.
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

ClaimCountersigned decode_fact(const journal::ClaimCountersigned& message) {
  return {ClaimNumber(message.claim()), Badge(message.by())};
}

LinkSuspended decode_fact(const journal::LinkSuspended& message) {
  return {LinkIndex(message.link()), message.note(), Badge(message.by())};
}

TableFrozen decode_fact(const journal::TableFrozen& message) {
  return {TableIndex(message.table()), message.note(), Badge(message.by())};
}

NoticePosted decode_fact(const journal::NoticePosted& message) {
  return {LinkIndex(message.link()), message.posted(), Badge(message.by())};
}

PinChanged decode_fact(const journal::PinChanged& message) {
  return {Badge(message.by()), message.pin(), message.old_pin()};
}

Recovered decode_fact(const journal::Recovered& message) {
  return {Badge(message.badge()), message.pin(), {message.codes().begin(), message.codes().end()}};
}

RecoveryFailed decode_fact(const journal::RecoveryFailed& message) {
  return {Badge(message.badge()), Timestamp::from_microseconds(message.wait_until_us())};
}

}  // namespace

void encode_entry_fact(const Fact& fact, journal::Entry& entry) {
  std::visit([&entry](const auto& one) { encode_fact(one, entry); }, fact);
}

std::optional<Fact> decode_entry_fact(const journal::Entry& message) {
  switch (message.fact_case()) {
    case journal::Entry::kFloorOpened: return decode_fact(message.floor_opened());
    case journal::Entry::kRoundLocked:
    case journal::Entry::kCountDiffered:
    case journal::Entry::kCountResolved:
    case journal::Entry::kHandsShown:
    case journal::Entry::kHandCorrected:
    case journal::Entry::kRoundClosed:
    case journal::Entry::kRoundVoided:
    case journal::Entry::kPotPlayed:
    case journal::Entry::kHandVoided:
    case journal::Entry::kDealerCorrected:
    case journal::Entry::kPotCorrected: return decode_table_fact(message);
    case journal::Entry::kMessageRefused: return decode_fact(message.message_refused());
    case journal::Entry::kClaimValidated: return decode_fact(message.claim_validated());
    case journal::Entry::kClaimCountersigned: return decode_fact(message.claim_countersigned());
    case journal::Entry::kClaimPaid: return decode_fact(message.claim_paid());
    case journal::Entry::kSlipIssued: return decode_fact(message.slip_issued());
    case journal::Entry::kSlipVoided: return decode_fact(message.slip_voided());
    case journal::Entry::kSlipStored: return decode_fact(message.slip_stored());
    case journal::Entry::kClaimRejected: return decode_fact(message.claim_rejected());
    case journal::Entry::kLinkSuspended: return decode_fact(message.link_suspended());
    case journal::Entry::kTableFrozen: return decode_fact(message.table_frozen());
    case journal::Entry::kNoticePosted: return decode_fact(message.notice_posted());
    case journal::Entry::kPinChanged: return decode_fact(message.pin_changed());
    case journal::Entry::kSignedIn: return SignedIn{Badge(message.signed_in().badge())};
    case journal::Entry::kSignInFailed: return decode_fact(message.sign_in_failed());
    case journal::Entry::kRecovered: return decode_fact(message.recovered());
    case journal::Entry::kRecoveryFailed: return decode_fact(message.recovery_failed());
    case journal::Entry::kPinsTried: return decode_fact(message.pins_tried());
    case journal::Entry::kActProposed: return decode_fact(message.act_proposed());
    case journal::Entry::kActConfirmed: return decode_fact(message.act_confirmed());
    case journal::Entry::kActRefused: return decode_fact(message.act_refused());
    case journal::Entry::kDayEnded: return decode_fact(message.day_ended());
    case journal::Entry::kReadingTaken: return decode_fact(message.reading_taken());
    case journal::Entry::kCountersTold: return decode_fact(message.counters_told());
    case journal::Entry::kCountRecorded: return decode_fact(message.count_recorded());
    case journal::Entry::kVarianceExplained: return decode_fact(message.variance_explained());
    case journal::Entry::kDaySigned: return decode_signature<DaySigned>(message.day_signed());
    case journal::Entry::kDayClosed: return decode_signature<DayClosed>(message.day_closed());
    case journal::Entry::kFundMoved: return decode_fact(message.fund_moved());
    case journal::Entry::kDisplayAdjusted: return decode_fact(message.display_adjusted());
    case journal::Entry::kSelfChecked: return decode_fact(message.self_checked());
    case journal::Entry::kClockChanged: return ClockChanged{message.clock_changed().by_us()};
    case journal::Entry::kClockDoubted: return decode_doubted(message.clock_doubted());
    case journal::Entry::kClockReturned:
      return ClockReturned{EntryNumber(message.clock_returned().doubted())};
    case journal::Entry::kHeadSigned: return decode_fact(message.head_signed());
    case journal::Entry::kHistoryRestored: return decode_restored(message.history_restored());
    case journal::Entry::FACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace linkmeter::parts
