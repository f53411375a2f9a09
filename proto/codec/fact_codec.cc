#include "proto/codec/fact_codec.h"

#include <utility>
#include <vector>

#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/hand_codec.h"
#include "proto/codec/link_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter {

// ---- the floor ----------------------------------------------------------------------------------

bool serialize(Of<FloorOpened> auto& fact, auto& message) {
  return FIELD(fact.floor, floor) && FIELD(fact.floor_text, floor_text) &&
         FIELD(fact.catalogue_texts, catalogue_texts) && FIELD(fact.people, people) &&
         FIELD(fact.enrolments, enrolments) && FIELD(fact.seal_key, seal_key) &&
         FIELD(fact.journal_key, journal_key) && FIELD(fact.recovery_codes, recovery_codes) &&
         fact.journal_key.size() <= limits::journal_key_bytes_max &&
         (fact.seal_key.empty() || fact.seal_key.size() == limits::seal_key_bytes);
}

// ---- tables -------------------------------------------------------------------------------------

bool serialize(Of<RejectedClaims> auto& rejected, auto& message) {
  return FIELD(rejected.claims, claims) && FIELD(rejected.hits, calls);
}
bool serialize(Of<RoundLocked> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.wagers, wagers) && FIELD(fact.chips, chips) &&
         FIELD(fact.by, by);
}
bool serialize(Of<CountMismatched> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.wagers, wagers) && FIELD(fact.chips, chips) &&
         FIELD(fact.chips_expected, chips_expected) && FIELD(fact.by, by);
}
bool serialize(Of<CountResolved> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.wagers, wagers) && FIELD(fact.by, by);
}
bool serialize(Of<HandsShown> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.hands, hands) && FIELD(fact.dealer, dealer) &&
         FIELD(fact.board, board) && FIELD(fact.hits, calls) && FIELD(fact.awards, awards) &&
         FIELD(fact.by, by) && FIELD(fact.draw, draw);
}
bool serialize(Of<HandCorrected> auto& fact, auto& message) {
  return FIELD(fact.table, table) && FIELD(fact.round, round) && FIELD(fact.corrects, corrects) &&
         FIELD(fact.seat, seat) && FIELD(fact.old_cards, old_cards) &&
         FIELD(fact.old_folded, old_folded) && FIELD(fact.cards, cards) &&
         FIELD(fact.folded, folded) && FIELD(fact.hits, calls) && FIELD(fact.awards, awards) &&
         FIELD(fact.reversed, reversed) && FIELD(fact.reason, reason) && FIELD(fact.note, note) &&
         FIELD(fact.by, by) && FIELD_IF(!fact.rejected.claims.empty(), fact.rejected, rejected);
}
bool serialize(Of<HandVoided> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.seat, seat) && FIELD(fact.reason, reason) &&
         FIELD(fact.returned, returned) && FIELD(fact.reversed, reversed) &&
         FIELD_IF(!fact.rejected.claims.empty(), fact.rejected, rejected) && FIELD(fact.by, by);
}
bool serialize(Of<DealerCorrected> auto& fact, auto& message) {
  return FIELD(fact.table, table) && FIELD(fact.round, round) && FIELD(fact.corrects, corrects) &&
         FIELD(fact.old_cards, old_cards) && FIELD(fact.cards, cards) &&
         FIELD(fact.old_board, old_board) && FIELD(fact.board, board) &&
         FIELD(fact.old_draw, old_draw) && FIELD(fact.draw, draw) && FIELD(fact.hits, calls) &&
         FIELD(fact.awards, awards) && FIELD(fact.reversed, reversed) &&
         FIELD_IF(!fact.rejected.claims.empty(), fact.rejected, rejected) &&
         FIELD(fact.reason, reason) && FIELD(fact.note, note) && FIELD(fact.by, by);
}
bool serialize(Of<PotCorrected> auto& fact, auto& message) {
  return FIELD(fact.table, table) && FIELD(fact.round, round) && FIELD(fact.corrects, corrects) &&
         FIELD(fact.link, link) && FIELD(fact.pot, pot_cents) && FIELD(fact.board, board) &&
         FIELD(fact.showdown, showdown) && FIELD(fact.hands, hands) &&
         FIELD(fact.old_board, old_board) && FIELD(fact.old_showdown, old_showdown) &&
         FIELD(fact.old_hands, old_hands) && FIELD(fact.hits, calls) &&
         FIELD(fact.awards, awards) &&
         FIELD_IF(!fact.rejected.claims.empty(), fact.rejected, rejected) &&
         FIELD(fact.reason, reason) && FIELD(fact.note, note) && FIELD(fact.by, by);
}
bool serialize(Of<RoundClosed> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.by, by);
}
bool serialize(Of<RoundVoided> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.reason, reason) && FIELD(fact.returned, returned) &&
         FIELD(fact.by, by) && FIELD(fact.reversed, reversed) &&
         FIELD_IF(!fact.rejected.claims.empty(), fact.rejected, rejected);
}
bool serialize(Of<PotPlayed> auto& fact, auto& message) {
  return FIELD(fact.round, round) && FIELD(fact.pot, pot_cents) && FIELD(fact.link, link) &&
         FIELD(fact.contribution, contribution_cents) && FIELD(fact.board, board) &&
         FIELD(fact.showdown, showdown) && FIELD(fact.hands, hands) && FIELD(fact.hits, calls) &&
         FIELD(fact.awards, awards) && FIELD(fact.by, by);
}
bool serialize(Of<MessageRefused> auto& fact, auto& message) {
  return FIELD(fact.refusal, refusal);
}

// ---- claims and slips ---------------------------------------------------------------------------

bool serialize(Of<ClaimValidated> auto& fact, auto& message) {
  return FIELD(fact.claim, claim) && FIELD(fact.by, by) && FIELD(fact.posts_notice, posts_notice) &&
         FIELD(fact.notified, notified) && FIELD(fact.envy, envy);
}
bool serialize(Of<ClaimCountersigned> auto& fact, auto& message) {
  return FIELD(fact.claim, claim) && FIELD(fact.by, by);
}
bool serialize(Of<ClaimRejected> auto& fact, auto& message) {
  return FIELD(fact.claim, claim) && FIELD(fact.reason, reason) && FIELD(fact.note, note) &&
         FIELD(fact.restored, restored) && FIELD(fact.by, by) && FIELD(fact.envy, envy) &&
         FIELD(fact.reversed, reversed) && FIELD_OR_DEFAULT(fact.hits, calls);
}
bool serialize(Of<ClaimPaid> auto& fact, auto& message) {
  return FIELD(fact.claim, claim) && FIELD(fact.source, source) && FIELD(fact.by, by) &&
         FIELD(fact.slip, slip);
}
bool serialize(Of<SlipIssued> auto& fact, auto& message) {
  return FIELD(fact.slip, slip) && FIELD(fact.claim, claim) && FIELD(fact.source, source) &&
         FIELD(fact.amount, amount_cents) && FIELD(fact.wager, wager_cents) &&
         FIELD(fact.taxable, taxable) && FIELD(fact.threshold, threshold) && FIELD(fact.by, by);
}
bool serialize(Of<SlipVoided> auto& fact, auto& message) {
  return FIELD(fact.slip, slip) && FIELD(fact.reason, reason) && FIELD(fact.note, note) &&
         FIELD(fact.by, by);
}
bool serialize(Of<SlipStored> auto& fact, auto& message) {
  return FIELD(fact.slip, slip) && FIELD(fact.digest, digest);
}

// ---- people -------------------------------------------------------------------------------------

bool serialize(Of<LinkSuspended> auto& fact, auto& message) {
  return FIELD(fact.link, link) && FIELD(fact.note, note) && FIELD(fact.by, by);
}
bool serialize(Of<TableFrozen> auto& fact, auto& message) {
  return FIELD(fact.table, table) && FIELD(fact.note, note) && FIELD(fact.by, by);
}
bool serialize(Of<NoticePosted> auto& fact, auto& message) {
  return FIELD(fact.link, link) && FIELD(fact.posted, posted) && FIELD(fact.by, by);
}
bool serialize(Of<PinChanged> auto& fact, auto& message) {
  return FIELD(fact.by, by) && FIELD(fact.pin, pin) && FIELD(fact.old_pin, old_pin);
}
bool serialize(Of<SignedIn> auto& fact, auto& message) { return FIELD(fact.badge, badge); }
bool serialize(Of<SignInFailed> auto& fact, auto& message) {
  return FIELD(fact.badge, badge) && FIELD(fact.locked_until, locked_until_us);
}
bool serialize(Of<Recovered> auto& fact, auto& message) {
  return FIELD(fact.badge, badge) && FIELD(fact.pin, pin) && FIELD(fact.codes, codes);
}
bool serialize(Of<RecoveryFailed> auto& fact, auto& message) {
  return FIELD(fact.badge, badge) && FIELD(fact.wait_until, wait_until_us);
}
bool serialize(Of<PinsTried::Tries> auto& tries, auto& message) {
  return FIELD(tries.badge, badge) && FIELD(tries.count, count);
}
bool serialize(Of<PinsTried> auto& fact, auto& message) { return FIELD(fact.tries, tries); }
bool serialize(Of<ActProposed> auto& fact, auto& message) {
  return FIELD(fact.proposal, proposal) && FIELD(fact.act, act) && FIELD(fact.by, by);
}
bool serialize(Of<ActConfirmed> auto& fact, auto& message) {
  return FIELD(fact.proposal, proposal) && FIELD(fact.act, act) &&
         FIELD(fact.proposed_by, proposed_by) && FIELD(fact.by, by);
}
bool serialize(Of<CommandRejected> auto& fact, auto& message) {
  return FIELD(fact.act, act) && FIELD(fact.refusal, refusal) && FIELD(fact.by, by) &&
         FIELD(fact.about, about);
}

// ---- gaming days --------------------------------------------------------------------------------

bool serialize(Of<SeenAmount> auto& seen, auto& message) {
  return FIELD(seen.link, link) && FIELD(seen.level, level) && FIELD(seen.amount, cents);
}

namespace {

template <class Message>
void encode_reading(const Reading& reading, Message& message) {
  for (std::uint32_t at = 0; at < reading.size(); ++at) {
    serialize(reading[at].book, *message.add_links());
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
    LinkReading& added = reading.emplace_back();
    if (!serialize(added.book, link)) return false;
    added.shown.resize(added.book.levels.size());
  }
  for (const journal::SignAmount& shown : message.shown()) {
    const auto amount = parts::decode_cents(shown.cents());
    if (!amount || shown.link() >= reading.size() ||
        shown.level() >= reading[shown.link()].shown.size()) {
      return false;
    }
    reading[shown.link()].shown[shown.level()] = *amount;
  }
  return true;
}

template <class Value, class Message>
bool serialize_reading(Value& reading, Message& message) {
  if constexpr (IsRead<Message>) {
    return decode_reading(message, reading);
  } else {
    encode_reading(reading, message);
    return true;
  }
}

}  // namespace

bool serialize(Of<DayEnded> auto& fact, auto& message) {
  return FIELD(fact.day, day) && FIELD(fact.ends_at, ends_at_us) &&
         serialize_reading(fact.reading, message);
}
bool serialize(Of<ReadingTaken> auto& fact, auto& message) {
  return serialize_reading(fact.reading, message) && FIELD(fact.seen, seen) &&
         FIELD(fact.note, note) && FIELD(fact.by, by);
}
bool serialize(Of<LinkCount> auto& count, auto& message) {
  return FIELD(count.link, link) && FIELD(count.rounds, rounds) && FIELD(count.wagers, wagers) &&
         FIELD(count.handle, handle_units);
}
bool serialize(Of<CountersReported> auto& fact, auto& message) {
  return FIELD(fact.table, table) && FIELD(fact.from, from) && FIELD(fact.up_to, up_to) &&
         FIELD(fact.reported, told) && FIELD(fact.counted, counted);
}
bool serialize(Of<CountRecorded> auto& fact, auto& message) {
  return FIELD(fact.day, day) && FIELD(fact.kind, kind) && FIELD(fact.table, table) &&
         FIELD(fact.link, link) && FIELD(fact.amount, cents) && FIELD(fact.note, note) &&
         FIELD(fact.witness, witness) && FIELD(fact.by, by) && FIELD(fact.notice, notice) &&
         FIELD(fact.recording, recording);
}
bool serialize(Of<VarianceExplained> auto& fact, auto& message) {
  return FIELD(fact.day, day) && FIELD(fact.item, item) && FIELD(fact.difference, difference) &&
         FIELD(fact.note, note) && FIELD(fact.corrected_by, corrected_by) && FIELD(fact.by, by);
}
bool serialize(Of<DaySigned> auto& fact, auto& message) {
  return FIELD(fact.day, day) && FIELD(fact.report, report) && FIELD(fact.by, by);
}
bool serialize(Of<DayClosed> auto& fact, auto& message) {
  return FIELD(fact.day, day) && FIELD(fact.report, report) && FIELD(fact.by, by);
}
bool serialize(Of<FundMoved> auto& fact, auto& message) {
  return FIELD(fact.day, day) && FIELD(fact.link, link) && FIELD(fact.tables, tables) &&
         FIELD(fact.verified, cents) && FIELD(fact.note, note) &&
         FIELD(fact.carried_by, carried_by) && FIELD(fact.accounted_by, accounted_by) &&
         FIELD(fact.by, by);
}
bool serialize(Of<DisplayAdjusted> auto& fact, auto& message) {
  return FIELD(fact.link, link) && FIELD(fact.shown, shown_cents) && FIELD(fact.kept, kept_cents) &&
         FIELD(fact.note, note) && FIELD(fact.witness, witness) && FIELD(fact.by, by);
}

// ---- the system ---------------------------------------------------------------------------------

bool serialize(Of<SelfChecked::Failure> auto& failure, auto& message) {
  return FIELD(failure.check, check) && FIELD(failure.words, words);
}
// `passed` is redundant on purpose: a reader that does not know the failures must not take the
// check for passed.
bool serialize(Of<SelfChecked> auto& fact, auto& message) {
  bool has_passed = fact.failures.empty();
  return FIELD(has_passed, passed) && FIELD(fact.failures, failures) &&
         FIELD_OR_DEFAULT(fact.manifest, manifest) && FIELD(fact.verified, verified) &&
         FIELD(fact.head, head) && FIELD(fact.quick, quick) && FIELD(fact.version, version) &&
         FIELD(fact.clock_synchronised, clock_synchronised) && has_passed == fact.failures.empty();
}
bool serialize(Of<ClockChanged> auto& fact, auto& message) { return FIELD(fact.by_us, by_us); }
bool serialize(Of<ClockReturned> auto& fact, auto& message) { return FIELD(fact.doubted, doubted); }
bool serialize(Of<HeadSigned> auto& fact, auto& message) {
  return FIELD(fact.head, head) && FIELD(fact.hash, hash) && FIELD(fact.key, key) &&
         FIELD(fact.signature, signature);
}

template <class Value, class Message>
bool serialize_fact(Value& fact, Message& message) {
  return parts::one_of(
      message, fact, ALTERNATIVE(RoundLocked, round_locked), ALTERNATIVE(HandsShown, hands_shown),
      ALTERNATIVE(RoundClosed, round_closed), ALTERNATIVE(PotPlayed, pot_played),
      ALTERNATIVE(MessageRefused, message_refused), ALTERNATIVE(CountMismatched, count_differed),
      ALTERNATIVE(CountResolved, count_resolved), ALTERNATIVE(RoundVoided, round_voided),
      ALTERNATIVE(HandVoided, hand_voided), ALTERNATIVE(HandCorrected, hand_corrected),
      ALTERNATIVE(DealerCorrected, dealer_corrected), ALTERNATIVE(PotCorrected, pot_corrected),
      ALTERNATIVE(ClaimValidated, claim_validated),
      ALTERNATIVE(ClaimCountersigned, claim_countersigned),
      ALTERNATIVE(ClaimRejected, claim_rejected), ALTERNATIVE(ClaimPaid, claim_paid),
      ALTERNATIVE(SlipIssued, slip_issued), ALTERNATIVE(SlipVoided, slip_voided),
      ALTERNATIVE(SlipStored, slip_stored), ALTERNATIVE(LinkSuspended, link_suspended),
      ALTERNATIVE(TableFrozen, table_frozen), ALTERNATIVE(NoticePosted, notice_posted),
      ALTERNATIVE(PinChanged, pin_changed), ALTERNATIVE(SignedIn, signed_in),
      ALTERNATIVE(SignInFailed, sign_in_failed), ALTERNATIVE(Recovered, recovered),
      ALTERNATIVE(RecoveryFailed, recovery_failed), ALTERNATIVE(PinsTried, pins_tried),
      ALTERNATIVE(ActProposed, act_proposed), ALTERNATIVE(ActConfirmed, act_confirmed),
      ALTERNATIVE(CommandRejected, act_refused), ALTERNATIVE(DayEnded, day_ended),
      ALTERNATIVE(ReadingTaken, reading_taken), ALTERNATIVE(CountersReported, counters_told),
      ALTERNATIVE(CountRecorded, count_recorded),
      ALTERNATIVE(VarianceExplained, variance_explained), ALTERNATIVE(DaySigned, day_signed),
      ALTERNATIVE(DayClosed, day_closed), ALTERNATIVE(FundMoved, fund_moved),
      ALTERNATIVE(DisplayAdjusted, display_adjusted), ALTERNATIVE(SelfChecked, self_checked),
      ALTERNATIVE(ClockChanged, clock_changed), ALTERNATIVE(ClockDoubted, clock_doubted),
      ALTERNATIVE(ClockReturned, clock_returned), ALTERNATIVE(HeadSigned, head_signed),
      ALTERNATIVE(HistoryRestored, history_restored), ALTERNATIVE(WriterChanged, writer_changed),
      ALTERNATIVE(FloorOpened, floor_opened));
}

bool serialize(const Fact& fact, journal::Entry& message) { return serialize_fact(fact, message); }
bool serialize(Fact& fact, const journal::Entry& message) { return serialize_fact(fact, message); }

}  // namespace linkmeter
